"""What the tests of the client ask of every game, out of files of the same name in its folder."""

from importlib import import_module
from typing import Any

from clocktowers_tui.games.registry import FACES


def of_every_game(file: str, name: str) -> tuple[Any, ...]:
    """What each `tests/games/NAME/FILE.py` has under this name, in the order of the registry."""
    folder = "tests.games"
    return tuple(getattr(import_module(f"{folder}.{game}.{file}"), name) for game in FACES)
