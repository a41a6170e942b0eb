"""Each wish is kept, then answered once and in its place, whatever happens to the journal, the
rules or the table under the match."""

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from structlog.testing import capture_logs

from protocol.errors import RefusalCode
from protocol.from_server import Ended, Started
from protocol.ids import MatchId, Seat, Version
from server.matches.replay import newest
from server.matches.wishes import Accepted, Attach, Denied
from server.store.journal import NO_TOKENS, Entry, Header, JournalError, TokenHashes
from tests.laws.laws import plain
from tests.server.matches.test_take_back import wander
from tests.stage import jumping_clock
from tests.stage.house import PATIENCE_S
from tests.stage.jumping_clock import on_jumping_clock
from tests.stage.match_stage import RULES, Attending, Box, FlakyJournal, packed, stage, until
from tests.stage.memory_journal import MemoryJournal


@pytest.mark.parametrize("slow", [False, True])
@pytest.mark.parametrize("late", [False, True])
@on_jumping_clock
async def test_nobody_is_told_before_the_journal_has_been_asked_again(
    late: bool, slow: bool
) -> None:
    """Whether the entry was kept (`late`) or not, the one who acted is answered once, and right."""
    journal = FlakyJournal(late=late, slow=slow, append=1)
    async with stage(journal=journal) as on:
        seat, sent = on.turn, [len(box.sent) for box in on.boxes]
        with capture_logs() as logs:
            answer = on.wish(seat, on.legal(), key=b"key")
            await until(lambda: bool(logs))
            assert not answer.done()
            assert [len(box.sent) for box in on.boxes] == sent
            assert await answer == Accepted(1)
        await on.settle()
        assert [log["event"] for log in logs] == ["journal failed"]
        assert len((await journal.load(on.match.id))[1]) == on.match.version == 1
        assert await on.accepted(seat, on.legal(), version=0, key=b"key") == 1


class Belated(MemoryJournal):
    """Keeps the first entry after it has said that it failed, and has been asked."""

    owed: tuple[MatchId, Version, Entry] | None = None

    def append(self, match: MatchId, version: Version, entry: Entry) -> asyncio.Future[None]:
        if version > 1 or self.owed is not None:
            return super().append(match, version, entry)
        self.owed = (match, version, entry)
        return failed(JournalError("no answer"))

    async def load(self, match: MatchId) -> tuple[Header, Sequence[Entry]]:
        found = await super().load(match)
        if self.owed is not None and not found[1]:
            super().append(*self.owed)
        return found


def failed(error: Exception) -> asyncio.Future[None]:
    future = asyncio.get_running_loop().create_future()
    future.set_exception(error)
    return future


@on_jumping_clock
async def test_an_entry_that_is_kept_later_than_the_journal_was_asked_is_played_and_told() -> None:
    async with stage(journal=Belated()) as on:
        assert await on.wish(on.turn, on.legal()) == Accepted(1)
        await on.settle()
        assert on.match.version == 1
        assert [box.update.version for box in on.boxes] == [1, 1]


class Mute(MemoryJournal):
    """Keeps a match, and says at first that it failed."""

    async def begin(self, header: Header, tokens: TokenHashes = NO_TOKENS) -> None:
        known = header.match in self._matches
        await super().begin(header, tokens)
        if not known:
            raise JournalError("no answer")


@on_jumping_clock
async def test_a_beginning_that_was_kept_without_a_word_is_one() -> None:
    async with stage(journal=Mute()) as on:
        assert await on.accepted(on.turn, on.legal()) == 1


class Cancelling(MemoryJournal):
    """Cancels the first append; it `keeps` the entry all the same, or does not."""

    def __init__(self, *, keeps: bool) -> None:
        super().__init__()
        self.keeps = keeps
        self.cancelled = False

    def append(self, match: MatchId, version: Version, entry: Entry) -> asyncio.Future[None]:
        if self.cancelled:
            return super().append(match, version, entry)
        self.cancelled = True
        if self.keeps:
            super().append(match, version, entry)
        future = asyncio.get_running_loop().create_future()
        future.cancel()
        return future


@pytest.mark.parametrize("keeps", [False, True])
@on_jumping_clock
async def test_an_entry_whose_append_is_cancelled_is_asked_for(keeps: bool) -> None:
    async with stage(journal=Cancelling(keeps=keeps)) as on:
        assert await on.wish(on.turn, on.legal()) == Accepted(1)
        await on.settle()
        assert on.match.version == 1


@pytest.mark.parametrize("slow", [False, True])
@pytest.mark.parametrize("late", [False, True])
def test_a_match_on_a_bad_disk_is_the_match_on_a_good_one(late: bool, slow: bool) -> None:
    """The same wishes, some to take back, with every third append failing and some loads, too:
    everybody is sent the same events, and the table is told once of each that is taken back."""

    async def scene(journal: FlakyJournal, fail: bool) -> tuple[Any, ...]:
        async with stage(journal=journal, seats=3) as on:
            rng = Random(8)
            for number in range(60):
                if fail and number % 3 == 0:
                    journal.failing.update(append=1 + number % 2, load=number % 4)
                await wander(on, rng, 1)
            await on.play(rng)
            await on.settle()
            header, entries = await journal.load(on.match.id)
            assert plain(newest(RULES, header, entries).state) == plain(on.match._course.state)
            seen = [box.events for box in on.boxes]
            assert len(on.attendant.taken_back) == sum(entry.takes_back for entry in entries) > 5
            return seen, packed([on.boxes[0].update]), on.outcomes

    good = jumping_clock.run(scene(FlakyJournal(), False))
    assert jumping_clock.run(scene(FlakyJournal(late=late, slow=slow), True)) == good


@pytest.mark.parametrize("fails", [("append",), ("append", "load")], ids=["full", "backup"])
@on_jumping_clock
async def test_a_disk_that_is_long_away_is_asked_ever_more_seldom_and_ends_no_match(
    fails: tuple[str, ...],
) -> None:
    """For ten minutes nothing is written, or read either; what was asked is done afterwards."""
    async with stage(journal=(journal := FlakyJournal())) as on:
        journal.failing.update(dict.fromkeys(fails, 10**9))
        answer = on.wish(on.turn, on.legal())
        await asyncio.sleep(600)
        assert 50 < journal.asked[fails[-1]] < 150
        assert not answer.done() and on.outcomes == []
        journal.failing.clear()
        assert await answer == Accepted(1)
        await on.play(Random(9))
        assert on.boxes[0].ended is not None
        assert not on.boxes[0].ended.aborted


@on_jumping_clock
async def test_a_journal_that_is_gone_for_good_ends_the_match() -> None:
    async with stage(journal=(journal := FlakyJournal())) as on:
        journal.failing.update(append=1, load=10**9)
        asked = on.wish(on.turn, on.legal())
        await asyncio.sleep(3600)
        answer = await asked
        assert isinstance(answer, Denied)
        assert answer.refusal.code == RefusalCode.MATCH_ABORTED
        assert on.outcomes == [None]
        assert on.boxes[1].sent[-1] == Ended(match="m1", aborted=True)


@on_jumping_clock
async def test_a_bot_that_stands_in_while_the_journal_fails_refuses_no_move_that_was_kept() -> None:
    journal = FlakyJournal(late=True, append=1)
    journal.holds = ("load",)
    async with stage(journal=journal) as on:
        answer = on.wish(on.turn, on.legal())
        await until(lambda: bool(journal.asked["load"]))
        on.match.stand_in(Seat(on.turn), Box(), late=True)
        journal.go_on.set()
        assert await answer == Accepted(1)


def broken_rules(broken: str, calls: int = 0) -> Any:
    """The real rules with one function that fails after so many calls."""
    left, real = calls, getattr(RULES, broken)

    def call(*args: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise ZeroDivisionError("a bug in the rules")
        return real(*args)

    instead: Any = {broken: call}
    return RULES._replace(**instead)


@pytest.mark.parametrize("aborted", [False, True])
@on_jumping_clock
async def test_a_match_whose_end_can_never_be_noted_has_ended_and_is_forgotten_all_the_same(
    aborted: bool,
) -> None:
    """Otherwise a table that is closed would be there again after the next start."""
    journal = FlakyJournal(finish=10**9)
    rules = broken_rules("refuse") if aborted else RULES
    async with stage(journal=journal, rules=rules) as on:
        if aborted:
            await on.asked(on.turn, on.legal())
            await asyncio.sleep(3600)
        else:
            await on.play(Random(14))
            assert on.boxes[0].ended is not None
            assert on.boxes[0].ended.outcome == on.outcomes[0] is not None
            on.match.detach_all()
            await on.match.forget()
        assert not journal._matches


@pytest.mark.parametrize(
    ("broken", "calls"),
    [("refuse", 0), ("apply", 0), ("touched", 0), ("own", 2), ("own", 3), ("outcome", 0)],
)
async def test_a_bug_in_the_rules_ends_that_match_as_aborted(broken: str, calls: int) -> None:
    """Everybody is told, every request gets its answer, and the log has the reason."""
    with capture_logs() as logs:
        async with stage(rules=broken_rules(broken, calls)) as on:
            turn, legal = on.turn, on.legal()
            answers = [on.wish(turn, legal), on.wish(1 - turn, legal)]
            results = await asyncio.wait_for(asyncio.gather(*answers), PATIENCE_S)
            ended = Ended(match="m1", aborted=True)
            await until(lambda: all(box.sent[-1] == ended for box in on.boxes))
            assert on.outcomes == [None]
            assert isinstance(results[1], Denied)
            assert results[1].refusal.code == RefusalCode.MATCH_ABORTED
            late = await on.asked(0, None)
            assert isinstance(late, Denied)
            assert late.refusal.code == RefusalCode.MATCH_ABORTED
    assert [(log["event"], log["match"]) for log in logs] == [("match aborted", "m1")]


@pytest.mark.parametrize(("broken", "dealt"), [("setup", 0), ("opening", 0), ("public", 1)])
async def test_a_match_that_cannot_begin_tells_those_who_wait(broken: str, dealt: int) -> None:
    with capture_logs() as logs:
        async with stage(rules=broken_rules(broken)) as on:
            for box in on.boxes:
                assert [type(message) for message in box.sent] == [Started] * dealt + [
                    Started,
                    Ended,
                ]
            assert on.outcomes == [None]
            assert on.match.to_act() == ()
            on.match.detach(Seat(0), on.boxes[0])
    assert [log["event"] for log in logs] == ["match aborted"]


@pytest.mark.parametrize("errors", [1, 2])
async def test_a_table_that_fails_at_the_end_harms_nobody(
    errors: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told once more; people have heard the outcome, and who leaves is answered."""
    told: list[Any] = []

    def ended(attending: Attending, outcome: Any) -> None:
        told.append(outcome)
        if len(told) <= errors:
            raise ZeroDivisionError("a bug in the table")

    monkeypatch.setattr(Attending, "ended", ended)
    async with stage() as on:
        await on.play(Random(17))
        left: list[bool] = []
        on.match.give_up(Seat(0), lambda: left.append(True))
        await until(lambda: bool(left) and on.match.idle)
        assert len(told) == 2 and told[0] is not None and told[1] is None
        for box in on.boxes:
            assert [m.aborted for m in box.sent if isinstance(m, Ended)] == [False]


# Refuse, commit, apply, acknowledge, broadcast ---------------------------------------------------

KEPT, TOLD = ["append", "done: append"], ["acknowledge", "send Update", "send Update"]


async def test_an_action_and_its_take_back_are_kept_before_anybody_is_told() -> None:
    heard: list[str] = []

    def told(what: str) -> Any:
        def call(*args: Any) -> Any:
            heard.append(what)
            return getattr(RULES, what)(*args)

        return call

    rules: Any = RULES._replace(refuse=told("refuse"), apply=told("apply"))
    journal = FlakyJournal(slow=True, tell=heard.append)
    async with stage(rules=rules, journal=journal, tell=heard.append) as on:
        seat = on.turn
        for action, order in (
            (on.legal(), ["refuse", *KEPT, "apply", *TOLD]),
            (None, [*KEPT, "apply", *TOLD]),
        ):
            heard.clear()
            await on.accepted(seat, action)
            await until(lambda: heard.count("send Update") == 2)
            assert heard == order


@on_jumping_clock
async def test_acknowledge_comes_before_broadcast_also_after_a_failure() -> None:
    """The journal keeps an entry and then says that it failed."""
    told: list[str] = []
    async with stage(journal=FlakyJournal(late=True, append=1), tell=told.append) as on:
        told.clear()
        assert await on.accepted(on.turn, on.legal()) == 1
        await on.settle()
    assert told == TOLD


# While the disk is at it -------------------------------------------------------------------------


async def test_what_comes_while_the_disk_is_at_it_follows_in_order() -> None:
    journal = FlakyJournal()
    journal.holds = ("append",)
    async with stage(journal=journal) as on:
        await on.settle()
        first = on.wish(on.turn, on.legal(), key=b"one")
        again = on.wish(on.turn, on.legal(), key=b"two")
        late = Box()
        on.match.attach(Attach(None, late))
        for _ in range(5):
            await asyncio.sleep(0)
        assert (journal.asked["append"], first.done(), again.done(), late.sent) == (
            1,
            False,
            False,
            [],
        )
        assert [box.update.version for box in on.boxes] == [0, 0]
        assert not on.match.idle
        journal.go_on.set()
        assert await first == Accepted(1)
        assert isinstance(await again, Denied)
        await until(lambda: bool(late.sent))
        assert late.update.version == 1
        assert on.match.idle


async def test_a_match_that_is_let_go_while_the_disk_is_at_it_goes_on_no_more() -> None:
    journal = FlakyJournal()
    journal.holds = ("append",)
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


async def test_who_waits_for_a_match_to_begin_is_answered_once_though_it_is_put_to_rest() -> None:
    told: list[bool] = []
    async with stage(begun=lambda: told.append(True), attach=False) as on:
        on.match.rest()
        assert told == [True] and not on.match.begun
        await asyncio.sleep(0)
    assert told == [True]


class Noting(FlakyJournal):
    """Knows the end that it was told last."""

    noted = b"nothing yet"

    async def finish(self, match: MatchId, outcome: bytes) -> None:
        await super().finish(match, outcome)
        self.noted = outcome


async def test_a_match_that_is_let_go_while_its_end_is_noted_was_played_to_the_end() -> None:
    journal = Noting()
    journal.holds = ("finish",)
    async with stage(journal=journal) as on:
        playing = asyncio.create_task(on.play(Random(14)))
        await until(lambda: bool(journal.asked["finish"]))
        on.match.detach_all()
        journal.go_on.set()
        await on.match.forget()
        playing.cancel()
    assert journal.asked["finish"] == 2 and len(journal.noted) > 20


@pytest.mark.parametrize("seat", [None, Seat(0)])
@on_jumping_clock
async def test_who_comes_to_an_aborted_match_is_told_so_and_it_is_finished(
    seat: Seat | None,
) -> None:
    journal = FlakyJournal(load=10**9)
    box = Box()
    async with stage(journal=journal) as on:
        journal.failing["append"] = 1
        on.wish(on.turn, on.legal())
        await asyncio.sleep(3600)
        assert on.match.over
        on.match.attach(Attach(seat, box))
        assert [type(message) for message in box.sent] == [Started, Ended]
        await until(lambda: on.outcomes == [None])
        assert await journal.current() == []
        assert not on.match.to_act()
