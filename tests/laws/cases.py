"""Every game for the laws; each has its `CASE` in `tests/games/NAME/case.py`."""

from collections.abc import Mapping
from importlib import import_module

from server.games.registry import GAMES
from tests.laws.case import Case

CASES: Mapping[str, Case] = {game: import_module(f"tests.games.{game}.case").CASE for game in GAMES}
