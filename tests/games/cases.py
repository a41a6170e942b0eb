"""Every game for the laws; each says of itself what they ask in `tests/games/NAME.py`."""

from collections.abc import Mapping
from importlib import import_module

from server.games.registry import GAMES
from tests.games.case import Case

CASES: Mapping[str, Case] = {game: import_module(f"tests.games.{game}").CASE for game in GAMES}
