"""The pile's order and the removed tiles of Architetti Attenti: two matches that differ only in
these send everybody the same bytes, until they show."""

from collections.abc import Callable
from contextlib import AsyncExitStack
from random import Random
from typing import Any, Final

import pytest
from msgspec.structs import replace

from protocol.games.architetti_attenti import Options
from protocol.ids import Seat
from server.games.registry import GAMES
from tests.games.architetti_attenti.case import disguise
from tests.laws.case import Broken
from tests.stage.match_stage import Box, Stage, packed, stage

REAL: Final = GAMES["architetti_attenti"].rules
SHOWN: Final = 12
"""Tiles that both piles have on top, in the same order."""

every_table = pytest.mark.parametrize("seats", REAL.seats)


def dealing(fresh: Any, view: Callable[..., Any]) -> Any:
    """The rules, dealing what they are given."""
    return Broken(REAL, setup=lambda *how: REAL.copy(fresh), view=view)


async def on_stage(stack: AsyncExitStack, rules: Any, seats: int) -> tuple[Stage, list[Box]]:
    """A match with a box on every seat, and one for a watcher."""
    options = Options(first_seat=0)
    on = await stack.enter_async_context(
        stage(rules=rules, game="architetti_attenti", options=options, seats=seats)
    )
    watcher = Box()
    on.match.attach(None, watcher)
    await on.settle()
    return on, [*on.boxes, watcher]


async def told(seats: int, turns: int, view: Callable[..., Any] = REAL.view) -> list[list[bytes]]:
    """What everybody has been sent, in one match and in the other, after so many turns in which
    the same was done; purchases are taken back now and then."""
    rng = Random(turns)
    fresh = REAL.setup(Options(first_seat=0), seats, bytes(32))
    twin = disguise(fresh, None, rng, SHOWN + 1)
    assert twin.pile[:SHOWN] == fresh.pile[:SHOWN] and twin.deal != fresh.deal
    async with AsyncExitStack() as stack:
        there = [await on_stage(stack, dealing(deal, view), seats) for deal in (fresh, twin)]
        (one, _), (two, _) = there
        while one.match._course.state.drawn < turns:
            legal = REAL.legal_actions(one.match._course.state, Seat(one.turn))
            undo = one.match._course.revocable == one.turn and rng.random() < 0.3
            seat, action = one.turn, None if undo else legal[rng.randrange(len(legal))]
            for on in (one, two):
                await on.accepted(seat, action)
        return [[packed(box.sent) for box in boxes] for _, boxes in there]


@every_table
async def test_nobody_is_sent_what_lies_hidden(seats: int) -> None:
    one, two = await told(seats, SHOWN)
    assert len(one) == seats + 1
    assert one == two


async def test_what_shows_is_sent() -> None:
    """Or the law above would compare what nobody was ever sent."""
    one, two = await told(2, SHOWN + 4)
    assert all(some != others for some, others in zip(one, two, strict=True))


def with_removed(state: Any, seat: Seat | None) -> Any:
    return replace(REAL.view(state, seat), removed=state.deal.removed)


def with_the_last(state: Any, seat: Seat | None) -> Any:
    return replace(REAL.view(state, seat), left=state.pile[-1])


def with_one_for_the_watcher(state: Any, seat: Seat | None) -> Any:
    seen = REAL.view(state, seat)
    return seen if seat is not None else replace(seen, removed=state.pile[-3:])


@pytest.mark.parametrize("view", [with_removed, with_the_last, with_one_for_the_watcher])
async def test_a_leak_is_caught(view: Callable[..., Any]) -> None:
    one, two = await told(1, SHOWN, view)
    assert one != two
