"""A hint tells nothing that its seat cannot see: whatever lies hidden, it is the same."""

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from protocol.ids import Seat
from server.games.registry import GAMES
from server.tables.hints import LEVEL
from tests.laws.broken import Broken
from tests.laws.case import Rules
from tests.laws.cases import CASES
from tests.laws.test_laws import sent_so_far

STOPS = range(3, 60, 7)


def pairs(game: str, rules: Rules) -> Iterator[tuple[Any, Any]]:
    """At some positions, the hint for the seat to act; and the hint that it would get if all that
    it cannot see were otherwise."""
    real, case, seats = GAMES[game].rules, CASES[game], 2
    options = next(one for one in case.options if GAMES[game].fair_hints(one))
    for stop in STOPS:
        state, sent = sent_so_far(real, case, options, seats, stop, stop)
        for seat in real.to_act(state)[:1]:
            twin = case.disguise(state, seat, Random(stop), 1)
            yield (
                GAMES[game].bots[LEVEL](rules.view(state, seat), sent[seat], Random(1)),
                GAMES[game].bots[LEVEL](rules.view(twin, seat), sent[seat], Random(1)),
            )


@pytest.mark.parametrize("game", list(GAMES))
def test_what_lies_hidden_changes_no_hint(game: str) -> None:
    found = list(pairs(game, GAMES[game].rules))
    assert len(found) > 5
    assert all(one == other for one, other in found)


def test_a_hint_from_more_than_the_seat_sees_is_caught() -> None:
    """A view that shows the bottom of each pile in place of its top."""
    real = GAMES["clocktowers"].rules

    def view(state: Any, seat: Seat | None) -> Any:
        bottoms = bytes(pile[-1] for pile in state.piles)
        return msgspec.structs.replace(real.view(state, seat), piles=bottoms)

    assert any(one != other for one, other in pairs("clocktowers", Broken(real, view=view)))
