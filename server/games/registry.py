"""Which games the server has: those of the protocol, each in the folder of its name."""

from collections.abc import Mapping
from importlib import import_module
from typing import Final

from protocol.games.registry import GAMES as WORDS
from server.games.contract import Game

GAMES: Final[Mapping[str, Game]] = {
    game: import_module(f"{__package__}.{game}.game").GAME for game in WORDS
}
