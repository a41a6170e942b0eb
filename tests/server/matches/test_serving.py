"""Refuse, commit, apply, acknowledge, broadcast: each wish is served in the turn in which it came,
and answered once and in its place, whatever happens to the journal or the table."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from protocol.from_server import Ended, Started
from protocol.games.registry import GAMES
from protocol.ids import MatchId, Seat, Version
from protocol.refusal import RefusalCode
from server.matches.inbox import Accepted, Denied
from server.store.journal import Entry
from server.store.memory import MemoryJournal
from tests.stage import jumping_clock
from tests.stage.countdown_game import (
    GAME,
    LIGHT_MS,
    VOCABULARY,
    CountdownRules,
    Lit,
    Options,
    Press,
)
from tests.stage.jumping_clock import on_jumping_clock
from tests.stage.match_stage import RULES, Box, FlakyJournal, Stage, stage, until


class WatchedRules:
    """The real rules; tells of the calls that matter."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell

    def __getattr__(self, name: str) -> Any:
        return getattr(RULES, name)

    def refuse(self, *args: Any) -> Any:
        self._tell("refuse")
        return RULES.refuse(*args)

    def apply(self, *args: Any) -> Any:
        self._tell("apply")
        return RULES.apply(*args)


class WatchedJournal(FlakyJournal):
    """Tells when an append begins and when it is kept; all others have time in between."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        super().__init__(slow=True)
        self._tell = tell

    async def append(self, match: MatchId, version: Version, entry: Entry) -> None:
        self._tell("append")
        await super().append(match, version, entry)
        self._tell("kept")


KEPT, TOLD = ["append", "kept"], ["acknowledge", "send Update", "send Update"]


async def test_an_action_and_its_take_back_are_kept_before_anybody_is_told() -> None:
    heard: list[str] = []
    rules: Any = WatchedRules(heard.append)
    async with stage(rules=rules, journal=WatchedJournal(heard.append), tell=heard.append) as on:
        seat = on.turn
        for action, order in (
            (on.legal(), ["refuse", *KEPT, "apply", *TOLD]),
            (None, [*KEPT, "apply", *TOLD]),
        ):
            heard.clear()
            await on.accepted(seat, action)
            await until(lambda: heard.count("send Update") == 2)
            assert heard == order


def test_acknowledge_comes_before_broadcast_also_after_a_failure() -> None:
    """The journal keeps an entry and then says that it failed."""
    told: list[str] = []

    async def scene() -> None:
        async with stage(journal=FlakyJournal(late=True, append=1), tell=told.append) as on:
            told.clear()
            assert await on.accepted(on.turn, on.legal()) == 1
            await on.settle()

    jumping_clock.run(scene())
    assert told == TOLD


# While the disk is at it -------------------------------------------------------------------------


class HeldJournal(MemoryJournal):
    """Keeps nothing until told to `go_on`."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0
        self.go_on = asyncio.Event()

    async def append(self, match: MatchId, version: Version, entry: Entry) -> None:
        self.asked += 1
        await self.go_on.wait()
        await super().append(match, version, entry)


async def test_a_wish_is_answered_and_seen_in_the_turn_in_which_it_came() -> None:
    async with stage() as on:
        await on.settle()
        answer = on.wish(on.turn, on.legal())
        assert answer.result() == Accepted(1)
        assert [box.update.version for box in on.boxes] == [1, 1]
        refused = on.wish(on.turn, on.legal(), version=0).result()
        assert isinstance(refused, Denied)
        assert refused.refusal.code == RefusalCode.STALE


async def test_what_comes_while_the_disk_is_at_it_follows_in_order() -> None:
    journal = HeldJournal()
    async with stage(journal=journal) as on:
        await on.settle()
        first = on.wish(on.turn, on.legal(), key=b"one")
        again = on.wish(on.turn, on.legal(), key=b"two")
        late = Box()
        on.match.attach(None, late)
        for _ in range(5):
            await asyncio.sleep(0)
        assert (journal.asked, first.done(), again.done(), late.sent) == (1, False, False, [])
        assert [box.update.version for box in on.boxes] == [0, 0]
        assert not on.match.settled
        journal.go_on.set()
        assert await first == Accepted(1)
        assert isinstance(await again, Denied)
        await until(lambda: bool(late.sent))
        assert late.update.version == 1
        assert on.match.settled


async def test_a_match_that_is_let_go_while_the_disk_is_at_it_goes_on_no_more() -> None:
    journal = HeldJournal()
    async with stage(journal=journal) as on:
        await on.settle()
        answer = on.wish(on.turn, on.legal())
        on.match.detach_all()
        denied = answer.result()
        assert isinstance(denied, Denied)
        assert denied.refusal.code == RefusalCode.NO_MATCH
    journal.go_on.set()
    for _ in range(5):
        await asyncio.sleep(0)
    assert on.match.version == 0


def countdown(monkeypatch: pytest.MonkeyPatch, journal: MemoryJournal) -> Any:
    monkeypatch.setitem(GAMES, GAME, VOCABULARY)
    rules = CountdownRules()
    return stage(rules=rules, game=GAME, options=Options(), journal=journal)


async def ticks_wait(on: Stage, journal: HeldJournal) -> None:
    """Several deadlines pass while the disk is at a wish; the ticks come after it, each at its
    own."""
    await asyncio.sleep(LIGHT_MS * 1.1 / 1000)
    asked, version = journal.asked, on.match.version
    journal.go_on.clear()
    answer = on.wish(0, Press())
    await asyncio.sleep(LIGHT_MS * 2 / 1000)
    assert (journal.asked, on.match.version) == (asked + 1, version)
    journal.go_on.set()
    await answer
    await asyncio.sleep(0.001)
    lit = [event.at_ms for event in on.boxes[0].events if isinstance(event, Lit)]
    assert lit == [LIGHT_MS, LIGHT_MS * 2, LIGHT_MS * 3]


@on_jumping_clock
async def test_no_deadline_strikes_while_the_disk_is_at_a_wish(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    journal = HeldJournal()
    journal.go_on.set()
    async with countdown(monkeypatch, journal) as on:
        await ticks_wait(on, journal)


# After a failure ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [None, Seat(0)])
@on_jumping_clock
async def test_who_comes_to_an_aborted_match_is_told_so_and_it_is_finished(
    seat: Seat | None,
) -> None:
    journal = FlakyJournal(load=10**9)
    box = Box()
    async with stage(journal=journal) as on:
        on.match.attach(None, Box())  # their history cannot be loaded
        await asyncio.sleep(3600)
        assert on.match.over
        on.match.attach(seat, box)
        assert [type(message) for message in box.sent] == [Started, Ended]
        await until(lambda: on.outcomes == [None])
        assert await journal.held() == []
        assert not on.match.to_act()
