"""Every game for the laws; each has its `CASE` in `tests/games/NAME/case.py`."""

from collections.abc import Mapping
from importlib import import_module

import pytest

from server.games.registry import GAMES
from tests.laws.case import Case

CASES: Mapping[str, Case] = {game: import_module(f"tests.games.{game}.case").CASE for game in GAMES}

TABLES = [
    pytest.param(game, seats, options, id=f"{game}-{seats}-{number}")
    for game, case in CASES.items()
    for seats in (2, max(GAMES[game].rules.seats))
    for number, options in enumerate(case.options)
    if GAMES[game].rules.check_options(options, seats) is None
]
"""Tables of two and full tables, with each of the case's options that they may have."""
