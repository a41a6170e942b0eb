"""Who comes to a match, what everybody is sent of it from its beginning to its end, and what is
answered to its wishes."""

import asyncio
from functools import partial
from random import Random
from typing import Any

import pytest

from protocol.dealing import commitment
from protocol.errors import RefusalCode
from protocol.from_server import Ended, History, Started
from protocol.games.clocktowers import Discard, Draw
from protocol.ids import Key, Seat
from server.matches import match as match_module, replay
from server.matches.match import MAX_WAITING_WISHES
from server.matches.wishes import Accepted, Attach, Denied
from server.store.journal import Entry
from tests.laws.laws import plain
from tests.stage.match_stage import SEED, Box, FlakyJournal, packed, stage, until


def state_of(match: match_module.Match) -> dict[str, Any]:
    return plain(match._course.state)


async def test_a_retry_is_answered_with_the_first_version_and_not_played_twice() -> None:
    async with stage() as on:
        seat, action = on.turn, on.legal()
        first = await on.accepted(seat, action, version=0, key=b"key")
        before = state_of(on.match)
        assert await on.accepted(seat, action, version=0, key=b"key") == first == 1
        assert await on.accepted(seat, Discard(13), version=0, key=b"key") == 1
        assert await on.accepted(seat, Discard(13), version=1, key=b"key") == 1
        assert (on.match.version, state_of(on.match)) == (1, before)


async def test_a_refusal_is_not_stored_and_a_key_of_another_seat_is_another_key() -> None:
    """The same key, refused before, is played when it has become possible."""
    async with stage() as on:
        one = on.turn
        await on.denied(one, Draw(0), key=b"key 2")
        await on.accepted(one, on.legal(), key=b"key")
        assert await on.accepted(one, Draw(0), key=b"key 2") == 2
        assert on.turn != one
        assert await on.accepted(on.turn, on.legal(), key=b"key") == 3


async def test_a_retry_is_answered_when_the_match_is_over() -> None:
    async with stage() as on:
        seat = on.turn
        await on.accepted(seat, on.legal(), version=0, key=b"first")
        await on.play(Random(1))
        assert on.match.over
        assert await on.accepted(seat, Discard(1), version=0, key=b"first") == 1
        assert await on.denied(seat, Discard(1)) == (RefusalCode.MATCH_OVER, on.match.version)


async def test_a_stale_wish_is_refused_with_the_newest_version() -> None:
    async with stage() as on:
        seat = on.turn
        await on.accepted(seat, on.legal())
        for version in (0, 2, 7):
            answer = await on.asked(seat, on.legal(), version=version)
            assert isinstance(answer, Denied)
            assert (answer.refusal.code, answer.version) == (RefusalCode.STALE, 1)
            assert answer.refusal.params == {"version": 1}
        assert on.match.version == 1


async def test_an_illegal_wish_changes_nothing() -> None:
    async with stage() as on:
        before, sent = state_of(on.match), len(on.boxes[0].sent)
        other = 1 - on.turn
        assert (await on.denied(other, on.legal()))[0] == RefusalCode.NOT_YOUR_TURN
        assert (await on.denied(on.turn, Draw(0)))[0] == "wrong_phase"
        assert (await on.denied(on.turn, Discard(13)))[0] == "not_in_hand"
        assert state_of(on.match) == before
        assert (await on.journal.load(on.match.id))[1] == ()
        assert len(on.boxes[0].sent) == sent


async def test_wishes_of_a_seat_are_bounded() -> None:
    async with stage() as on:
        seat, action = on.turn, on.legal()
        # Submitted in one go behind somebody who comes, so that none is served in between.
        on.match.attach(Attach(None, Box()))
        answers = [on.wish(seat, action, key=bytes((n,))) for n in range(MAX_WAITING_WISHES + 2)]
        other = on.wish(1 - seat, action)
        late = [answer.result() for answer in answers[MAX_WAITING_WISHES:]]
        assert [a.refusal.code for a in late if isinstance(a, Denied)] == [RefusalCode.BUSY] * 2
        first, *rest = await asyncio.gather(*answers[:MAX_WAITING_WISHES])
        assert first == Accepted(1)
        assert all(isinstance(a, Denied) and a.refusal.code == RefusalCode.STALE for a in rest)
        denied = await other
        assert isinstance(denied, Denied)
        assert denied.refusal.code != RefusalCode.BUSY


async def test_the_start_commits_to_the_seed_that_the_end_reveals() -> None:
    async with stage() as on:
        await on.play(Random(2))
        started = on.boxes[0].sent[0]
        assert isinstance(started, Started)
        assert started.sha256 == commitment(SEED)
        ended = on.boxes[0].sent[-1]
        assert isinstance(ended, Ended)
        assert bytes.fromhex(ended.seed) == SEED
        assert on.outcomes == [ended.outcome]
        assert SEED.hex().encode() not in packed(on.boxes[0].sent[:-1])


@pytest.mark.parametrize("moves", [0, 1, 7, 60, 10_000])
async def test_a_latecomer_gets_what_the_others_had_live(moves: int) -> None:
    """For a watcher and for each seat: the same events in the same order, the same newest view."""
    async with stage() as on:
        live = Box()
        on.match.attach(Attach(None, live))
        await on.settle()
        await on.play(Random(3), moves)
        for seat, before in ((None, live), (Seat(0), on.boxes[0]), (Seat(1), on.boxes[1])):
            late = Box()
            on.match.attach(Attach(seat, late))
            await on.settle()
            assert late.events == before.events
            assert packed([late.update.view]) == packed([before.update.view])
            assert late.update.version == before.update.version == on.match.version
            assert (late.ended is None) == (before.ended is None)
            pages = [m for m in late.sent if isinstance(m, History)]
            assert [m.version for m in pages] == sorted({m.version for m in pages})


async def test_a_match_never_reads_what_it_has_kept() -> None:
    """Neither for people who come, nor to take back, nor to look."""
    async with stage(journal=(journal := FlakyJournal())) as on:
        await on.play(Random(4), 8)
        for behind in (0, 1, 8):
            late = Box()
            on.match.attach(Attach(Seat(0), late, since=on.match.version - behind))
            await on.settle()
            assert bool(late.events) == bool(behind) and late.update.version == on.match.version
        await on.accepted(on.turn, on.legal())
        await on.accepted(on.boxes[1].update.revocable or 0, None)
        sight = on.match.look(Seat(1))
        assert (sight.view, sight.version) == (on.boxes[1].update.view, on.match.version)
        assert (journal.asked["load"], journal.asked["find"]) == (0, 0)


async def test_a_seats_former_outbox_gets_nothing_more() -> None:
    """From the moment of the call, also when it was still waiting to be let in."""
    async with stage() as on:
        waiting, heir = Box(), Box()
        sent = len(on.boxes[0].sent)
        on.match.attach(Attach(Seat(0), waiting))
        on.match.attach(Attach(Seat(0), heir))
        await on.play(Random(6), 4) if on.turn == 1 else await on.settle()
        await on.settle()
        assert waiting.sent == []
        assert len(on.boxes[0].sent) == sent
        assert heir.update.view.seat == 0


@pytest.mark.parametrize("seat", [None, Seat(0)])
async def test_who_has_gone_gets_nothing_more(seat: Seat | None) -> None:
    """Also who goes before they were let in, or while their token is being kept."""
    async with stage(journal=(journal := FlakyJournal())) as on:
        box, live = Box(), Box()
        on.match.attach(Attach(None, live))
        await on.settle()
        on.match.detach(None, live)
        sent = len(live.sent)
        journal.holds = ("keep_tokens",)
        on.match.attach(Attach(seat, box, came_with=None if seat is None else b""))
        if seat is not None:
            await until(lambda: bool(journal.asked["keep_tokens"]))
        on.match.detach(seat, box)
        journal.go_on.set()
        await on.settle()
        await on.accepted(on.turn, on.legal())
        assert box.sent == [] and len(live.sent) == sent > 0


# The beginning -----------------------------------------------------------------------------------


async def told_at_first(journal: FlakyJournal) -> list[str]:
    """What two players, a bot and a watcher are sent, in order, with the answer to `start`."""
    heard: list[str] = []
    told = partial(heard.append, "answer")
    async with stage(journal=journal, seats=3, attach=False, begun=told) as on:
        for seat, came_with in enumerate((b"", None, b"")):
            on.match.attach(Attach(Seat(seat), Box(heard.append), came_with=came_with))
        on.match.attach(Attach(None, Box(heard.append)))
        await until(lambda: heard.count("send Update") == 4)
    return heard


ORDER = [
    *["send Started", "send SeatToken", "send Started", "send Started", "send SeatToken"],
    *["send Started", "answer"],
    *["send History", "send Update"] * 4,
]


async def test_all_tokens_then_the_answer_then_the_histories() -> None:
    """Nothing waits between the tokens and the views: there is no history to load."""
    assert await told_at_first(FlakyJournal(load=10**9)) == ORDER


def test_a_key_is_found_by_its_bytes_and_another_costs_no_reading(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entries, rng = replay.Entries(), Random(1)
    for number in range(100):
        entries.append(Entry(Seat(number % 2), Key(rng.randbytes(8)), number, b"x"))
    entries.append(Entry(Seat(1), Key(b"\0"), 100, b"x"))
    assert entries.find(Seat(1), Key(b"\0")) == 101
    monkeypatch.setattr(replay, "_decode", None)
    assert entries.find(Seat(0), Key(b"\0")) is None
