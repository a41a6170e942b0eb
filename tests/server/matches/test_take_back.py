"""Taking back your own newest action: what is kept, and who is told what."""

from collections.abc import Sequence
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from protocol.errors import Refusal, RefusalCode
from protocol.from_server import Update
from protocol.games.clocktowers import Draw, Options, TurnOrder as Order
from protocol.ids import Seat
from server.matches.replay import MAX_TAKE_BACKS, newest, stands
from server.matches.wishes import Attach, Denied
from server.store.journal import Entry
from tests.laws.laws import plain
from tests.stage.match_stage import RULES, Box, Stage, packed, stage


async def test_the_newest_play_stands_no_more() -> None:
    async with stage() as on:
        seat, before = on.turn, deepcopy(plain(on.match._course.state))
        view = packed([on.boxes[seat].update.view])
        await on.accepted(seat, on.legal())
        assert on.boxes[1 - seat].update.revocable == seat
        assert await on.accepted(seat, None) == 2
        assert plain(on.match._course.state) == before
        assert (on.match.version, on.match._course.ply) == (2, 0)
        for box in on.boxes:
            assert (box.update.version, box.update.ply, box.update.events) == (2, 0, [])
            assert (box.update.taken_back, box.update.revocable) == (1, None)
        assert packed([on.boxes[seat].update.view]) == view
        entries = (await on.journal.load(on.match.id))[1]
        assert [entry.takes_back for entry in entries] == [False, True]


async def test_who_may_not_is_told_why() -> None:
    """A draw is never taken back."""
    async with stage() as on:
        one, two = on.turn, 1 - on.turn
        nothing = (RefusalCode.NOTHING_TO_TAKE_BACK, 0)
        assert await on.denied(one, None) == await on.denied(two, None) == nothing
        await on.accepted(one, on.legal())
        assert await on.denied(two, None) == (RefusalCode.NOT_YOURS, 1)
        assert await on.denied(one, None, version=0) == (RefusalCode.STALE, 1)
        await on.accepted(one, None)
        assert await on.denied(one, None) == (RefusalCode.NOTHING_TO_TAKE_BACK, 2)
        await on.accepted(one, on.legal())
        await on.accepted(one, Draw(0))
        assert on.boxes[0].update.revocable is None
        assert await on.denied(one, None) == (RefusalCode.TOO_LATE, 4)
        await on.play(Random(1))
        assert (await on.denied(one, None))[0] == RefusalCode.MATCH_OVER
        assert on.boxes[0].update.revocable is None


async def test_with_the_piles_out_it_lasts_until_the_next_seat_acts() -> None:
    """And no longer, also when that one takes its own action back again."""
    async with stage() as on:
        await on.play(Random(2), 105)
        one = on.turn
        assert not any(on.match._course.state.left)
        await on.accepted(one, on.legal())
        two = on.turn
        assert on.boxes[two].update.revocable == one != two
        await on.accepted(two, on.legal())
        await on.accepted(two, None)
        assert on.boxes[one].update.revocable is None
        answer = await on.asked(one, None)
        assert isinstance(answer, Denied)
        assert answer.refusal == Refusal(RefusalCode.TOO_LATE, {"seat": two})
        await on.accepted(two, on.legal())
        await on.accepted(one, on.legal())
        await on.accepted(one, None)
        assert on.turn == one


async def test_a_retry_takes_nothing_more_back() -> None:
    async with stage() as on:
        seat, action = on.turn, on.legal()
        await on.accepted(seat, action, key=b"act")
        assert await on.accepted(seat, None, version=1, key=b"back") == 2
        assert await on.accepted(seat, None, version=1, key=b"back") == 2
        assert await on.accepted(seat, action, version=0, key=b"act") == 1, "it was played once"
        await on.accepted(seat, action)
        assert await on.accepted(seat, None, version=3, key=b"back") == 2, "the key is used"
        assert (on.match.version, on.match._course.ply) == (3, 1)


async def test_it_is_bounded() -> None:
    async with stage() as on:
        seat = on.turn
        for _ in range(MAX_TAKE_BACKS):
            await on.accepted(seat, on.legal())
            await on.accepted(seat, None)
        await on.accepted(seat, on.legal())
        assert (await on.denied(seat, None))[0] == RefusalCode.TOO_MANY_TAKE_BACKS
        await on.accepted(seat, Draw(0))
        await on.accepted(on.turn, on.legal())
        await on.accepted(1 - seat, None)


# Random walks with take-backs --------------------------------------------------------------------


def events_standing(box: Box) -> list[Any]:
    """What a client is left with that keeps the document's rule."""
    kept: list[Any] = []
    for message in box.sent:
        if back := getattr(message, "taken_back", 0):
            del kept[-back:]
        kept += getattr(message, "events", [])
    return kept


async def wander(on: Stage, rng: Random, moves: int = 300) -> None:
    """At random; a seat that may take back does so every third time."""
    for _ in range(moves):
        if on.match.over:
            return
        owner = on.boxes[0].update.revocable
        if owner is not None and rng.random() < 0.33:
            await on.accepted(owner, None)
        else:
            await on.play(rng, 1)


@pytest.mark.parametrize(("seats", "order"), list(enumerate(Order, 2)))
async def test_it_is_as_if_it_had_never_been(seats: int, order: Order) -> None:
    """At any moment: the state is that of the standing actions alone, and so are everybody's
    events; a client that comes late, or back from any version, ends up with the same."""
    options, rng = Options(turn_order=order), Random(seats)
    async with stage(options=options, seats=seats) as on:
        seen = [(0, on.boxes[0].events[:])]
        while not on.match.over:
            await wander(on, rng, rng.randrange(1, 9))
            await on.settle()
            seen.append((on.match.version, events_standing(on.boxes[0])))
            header, entries = await on.journal.load(on.match.id)
            alone = standing_entries(entries)
            assert plain(newest(RULES, header, alone).state) == plain(on.match._course.state)
            assert on.match._course.ply == len(alone)
            await comes_late(on, *seen[rng.randrange(len(seen))])
        assert len(alone) < len(entries)
        assert RULES.outcome(on.match._course.state) == on.outcomes[0]


def standing_entries(entries: Sequence[Entry]) -> list[Entry]:
    return [
        entry
        for version, entry in enumerate(entries, 1)
        if not entry.takes_back and stands(entries, version)
    ]


async def comes_late(on: Stage, version: int, had: list[Any]) -> None:
    """Seat 0 once more: from the start, and by somebody who has seen all up to `version`."""
    expected = events_standing(on.boxes[0])
    for since, before in ((-1, []), (version, had)):
        late = Box()
        on.match.attach(Attach(Seat(0), late, since))
        await on.settle()
        late.sent.insert(0, Update(match="", version=0, ply=0, view=None, events=before))
        assert events_standing(late) == expected
        assert late.update.version == on.match.version
    on.match.attach(Attach(Seat(0), on.boxes[0], on.match.version))
    await on.settle()
