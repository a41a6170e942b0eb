"""A seat's token: kept as a hash before it is sent to its owner alone, never lost on the way."""

import asyncio
import hashlib
import hmac

import pytest

from protocol.from_client import TOKEN_BYTES
from protocol.ids import Seat
from server.matches import tokens as tokens_module
from server.matches.tokens import MOST_UNUSED
from server.matches.wishes import Attach
from tests.stage.jumping_clock import on_jumping_clock
from tests.stage.match_stage import Box, FlakyJournal, Stage, stage
from tests.stage.memory_journal import MemoryJournal


async def owner(on: Stage, seat: int, came_with: bytes = b"", since: int = -1) -> Box:
    box = on.boxes[seat] = Box(on._tell)
    on.match.attach(Attach(Seat(seat), box, since, came_with=came_with))
    await on.settle()
    return box


async def test_a_token_opens_its_seat_and_no_other() -> None:
    async with stage(seats=3) as on:
        boxes = [await owner(on, seat) for seat in range(3)]
        found = [token for box in boxes for token in box.tokens]
        assert len(set(found)) == 3 and {len(token) for token in found} == {TOKEN_BYTES}
        assert [on.match.tokens.seat_of(token) for token in found] == [0, 1, 2]
        assert on.match.tokens.seat_of(bytes(TOKEN_BYTES)) is None
        for token in found:
            assert on.match.tokens.seat_of(token[:-1] + bytes([token[-1] ^ 1])) is None


async def test_the_one_before_stays_good_until_the_new_one_is_used() -> None:
    async with stage() as on:
        first = (await owner(on, 0)).tokens[0]
        lost = (await owner(on, 0, first)).tokens[0]
        second = (await owner(on, 0, first)).tokens[0]
        assert [on.match.tokens.seat_of(token) for token in (first, lost, second)] == [0, 0, 0]
        third = (await owner(on, 0, second)).tokens[0]
        seats = [on.match.tokens.seat_of(token) for token in (first, lost, second, third)]
        assert seats == [None, None, 0, 0]


async def test_a_late_resume_does_not_end_the_token_that_its_owner_has_stored() -> None:
    """Nor do many, up to a bound; and a use of any of them ends those before it."""
    journal = MemoryJournal()
    async with stage(journal=journal) as on:
        first = (await owner(on, 0)).tokens[0]
        later = [(await owner(on, 0, first)).tokens[0] for _ in range(MOST_UNUSED + 3)]
        valid = [on.match.tokens.seat_of(token) == 0 for token in (first, *later)]
        assert valid == [True, *[False] * 2, *[True] * (MOST_UNUSED + 1)]
        assert len((await journal.tokens(on.match.id))[Seat(0)]) == MOST_UNUSED + 2
        await owner(on, 0, later[-2])
        assert [on.match.tokens.seat_of(token) for token in later[-3:]] == [None, 0, 0]


async def test_a_seat_that_is_given_up_has_none() -> None:
    journal = MemoryJournal()
    async with stage(journal=journal) as on:
        token = (await owner(on, 0)).tokens[0]
        other = (await owner(on, 1)).tokens[0]
        on.match.give_up(Seat(0))
        assert on.match.tokens.seat_of(token) is None
        await on.settle()
        assert set(await journal.tokens(on.match.id)) == {1}
        assert on.match.tokens.seat_of(other) == 1
        assert (await owner(on, 0, token)).tokens == []


async def test_what_a_stand_in_wished_is_not_done_for_its_owner() -> None:
    async with stage() as on:
        seat = on.turn
        token = (await owner(on, seat)).tokens[0]
        on.match.attach(Attach(None, Box()))  # who comes is served first, so the wishes wait
        wishes = [on.wish(seat, on.legal()), on.wish(1 - seat, on.legal())]
        on.match.attach(Attach(Seat(seat), Box(), came_with=token))
        await on.settle()
        codes = [(await wish).refusal.code for wish in wishes]  # type: ignore[union-attr]
        assert codes == ["not_seated", "not_your_turn"]
        assert on.match.version == 0


# Kept before it is sent --------------------------------------------------------------------------


async def test_a_token_is_kept_before_it_is_sent() -> None:
    told: list[str] = []
    async with stage(journal=FlakyJournal(tell=told.append), tell=told.append) as on:
        told.clear()
        await owner(on, 0)
        found = [what for what in told if what in ("done: keep_tokens", "send SeatToken")]
        assert found == ["done: keep_tokens", "send SeatToken"]


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("failing", [1, 3])
@on_jumping_clock
async def test_a_disk_that_fails_costs_no_seat(late: bool, failing: int) -> None:
    """Whether the hash was kept or not: the owner gets one token in the end, and at any moment
    some token that the owner has is good."""
    async with stage(journal=(journal := FlakyJournal(late=late))) as on:
        first = (await owner(on, 0)).tokens[0]
        journal.failing["keep_tokens"] = failing
        box = await owner(on, 0, first)
        assert len(box.tokens) == 1
        assert on.match.tokens.seat_of(first) == on.match.tokens.seat_of(box.tokens[0]) == 0
        kept = (await journal.tokens(on.match.id))[Seat(0)]
        assert kept == tuple(hashlib.sha256(t).digest() for t in (first, box.tokens[0]))


@pytest.mark.parametrize("closes", [False, True])
@pytest.mark.parametrize("fails", [0, 4])
@on_jumping_clock
async def test_an_owner_who_leaves_is_answered_when_that_is_kept(fails: int, closes: bool) -> None:
    """With the table that closes at the same moment, the whole match is forgotten instead."""
    told: list[str] = []
    journal = FlakyJournal(tell=told.append)
    async with stage(journal=journal) as on:
        await owner(on, 0)
        told.clear()
        what = "forget" if closes else "keep_tokens"
        journal.failing[what] = fails
        on.match.give_up(Seat(0), lambda: told.append("answer"))
        if closes:
            on.match.detach_all()
            await on.match.forget()
        await asyncio.sleep(60)
    assert told.count(what) > fails and told.count("answer") == 1
    assert told.index(f"done: {what}") < told.index("answer")


# How long it takes -------------------------------------------------------------------------------


async def test_every_hash_is_looked_at_whatever_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []

    def counting(one: bytes, two: bytes) -> bool:
        looked.append((len(one), len(two)))
        return hmac.compare_digest(one, two)

    class Counting:
        compare_digest = staticmethod(counting)

    async with stage(seats=3) as on:
        found = [(await owner(on, seat)).tokens[0] for seat in range(3)]
        monkeypatch.setattr(tokens_module, "hmac", Counting)
        for token in (*found, bytes(TOKEN_BYTES)):
            on.match.tokens.seat_of(token)
            assert looked == [(32, 32)] * 3
            looked.clear()
