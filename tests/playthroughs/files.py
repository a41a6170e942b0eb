"""Which playthroughs there are: each game names its own; the texts lie beside this file."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from server.games.registry import GAMES
from tests.playthroughs.script import Playthrough

FOLDER = Path(__file__).parent


def _of(game: str) -> Mapping[str, Playthrough]:
    """Each under its game's id and what is played in it."""
    found: Mapping[str, Playthrough] = import_module(f"tests.playthroughs.{game}").PLAYTHROUGHS
    return {f"{game}_{what}": playthrough for what, playthrough in found.items()}


PLAYTHROUGHS = {name: each for game in GAMES for name, each in _of(game).items()}


def path(name: str) -> Path:
    return FOLDER / f"{name}.txt"
