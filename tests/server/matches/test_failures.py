"""What a match does when the journal or the rules fail under it."""

import asyncio
from random import Random
from typing import Any

import pytest
from structlog.testing import capture_logs

from protocol.from_server import Ended, Started
from protocol.ids import Seat
from protocol.refusal import RefusalCode
from server.matches.inbox import Accepted, Denied
from server.matches.replay import rebuild
from tests.laws.laws import plain
from tests.stage import jumping_clock
from tests.stage.jumping_clock import on_jumping_clock
from tests.stage.match_stage import RULES, Attending, Box, FlakyJournal, packed, stage, until


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


@pytest.mark.parametrize("slow", [False, True])
@pytest.mark.parametrize("late", [False, True])
def test_a_match_on_a_bad_disk_is_the_match_on_a_good_one(late: bool, slow: bool) -> None:
    """The same wishes, with every third append failing: everybody is sent the same events."""

    async def scene(journal: FlakyJournal, fail: bool) -> tuple[Any, ...]:
        async with stage(journal=journal, seats=3) as on:
            rng = Random(8)
            for number in range(60):
                if fail and number % 3 == 0:
                    journal.failing["append"] = 1 + number % 2
                await on.play(rng, 1)
            await on.play(rng)
            await on.settle()
            header, entries = await journal.load(on.match.id)
            assert plain(rebuild(RULES, header, entries)) == plain(on.match._course.state)
            seen = [box.events for box in on.boxes]
            return seen, packed([on.boxes[0].update]), on.outcomes

    good = jumping_clock.run(scene(FlakyJournal(), False))
    assert jumping_clock.run(scene(FlakyJournal(late=late, slow=slow), True)) == good


@on_jumping_clock
async def test_a_disk_that_stays_full_is_asked_ever_more_seldom() -> None:
    journal = FlakyJournal(append=10**9)
    async with stage(journal=journal) as on:
        answer = on.wish(on.turn, on.legal())
        await asyncio.sleep(600)
        assert 50 < 10**9 - journal.failing["append"] < 150
        assert not answer.done()
        journal.failing["append"] = 0
        assert await answer == Accepted(1)
        await on.play(Random(9))
        assert on.boxes[0].ended is not None
        assert not on.boxes[0].ended.aborted


@on_jumping_clock
async def test_a_match_waits_for_a_journal_that_cannot_be_read() -> None:
    async with stage(journal=(journal := FlakyJournal())) as on:
        journal.failing.update(append=1, load=3)
        assert await on.accepted(on.turn, on.legal()) == 1
        await on.play(Random(10))
        assert on.outcomes[0] is not None


@on_jumping_clock
async def test_a_backup_that_holds_the_file_for_long_ends_no_match() -> None:
    """Nothing can be written or read for ten minutes; what was asked is done afterwards."""
    async with stage(journal=(journal := FlakyJournal())) as on:
        journal.failing.update(append=10**9, load=10**9)
        answer = on.wish(on.turn, on.legal())
        await asyncio.sleep(600)
        assert not answer.done() and on.outcomes == []
        journal.failing.clear()
        assert await answer == Accepted(1)
        await on.play(Random(11))
        assert on.boxes[0].ended is not None and not on.boxes[0].ended.aborted


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
async def test_a_latecomer_whose_history_cannot_be_read_is_let_in_later() -> None:
    journal = FlakyJournal()
    async with stage(journal=journal) as on:
        await on.play(Random(11), 10)
        journal.failing["load"] = 2
        box = Box()
        on.match.attach(None, box)
        await on.settle()
        assert isinstance(box.sent[0], Started)
        assert sum(isinstance(message, Started) for message in box.sent) == 1
        await on.play(Random(12))
        assert box.ended is not None
        assert not box.ended.aborted


@on_jumping_clock
async def test_a_retry_whose_first_try_cannot_be_looked_up_is_answered_later() -> None:
    journal = FlakyJournal()
    async with stage(journal=journal) as on:
        seat, action = on.turn, on.legal()
        await on.accepted(seat, action, version=0, key=b"key")
        journal.failing["find"] = 2
        assert await on.accepted(seat, action, version=0, key=b"key") == 1
        await on.play(Random(13))
        journal.failing["find"] = 2
        assert await on.accepted(seat, action, version=0, key=b"key") == 1
        assert len(on.outcomes) == 1


async def test_a_match_whose_end_cannot_be_noted_has_ended_all_the_same() -> None:
    async with stage(journal=FlakyJournal(finish=1)) as on:
        await on.play(Random(14))
        assert on.outcomes[0] is not None
        assert on.boxes[0].ended is not None
        assert on.boxes[0].ended.outcome == on.outcomes[0]


@pytest.mark.parametrize("aborted", [False, True])
@on_jumping_clock
async def test_a_match_whose_end_can_never_be_noted_is_forgotten_all_the_same(
    aborted: bool,
) -> None:
    """Otherwise a table that is closed would be there again after the next start."""
    journal = FlakyJournal(finish=10**9)
    rules: Any = BrokenRules("refuse") if aborted else RULES
    async with stage(journal=journal, rules=rules) as on:
        if aborted:
            await on.asked(on.turn, on.legal())
        else:
            on.match.detach_all()
            await on.match.forget()
        await until(lambda: not journal._matches)


class BrokenRules:
    """The real rules with one function that fails from some call on."""

    def __init__(self, broken: str, calls: int = 0) -> None:
        self._broken = broken
        self._left = calls

    def __getattr__(self, name: str) -> Any:
        real = getattr(RULES, name)
        if name != self._broken:
            return real

        def call(*args: Any) -> Any:
            self._left -= 1
            if self._left < 0:
                raise ZeroDivisionError("a bug in the rules")
            return real(*args)

        return call


@pytest.mark.parametrize(
    ("broken", "calls"),
    [("refuse", 0), ("apply", 0), ("view", 2), ("own", 0), ("own", 1), ("outcome", 0)],
)
async def test_a_bug_in_the_rules_ends_that_match_as_aborted(broken: str, calls: int) -> None:
    """Everybody is told, every request gets its answer, and the log has the reason."""
    rules: Any = BrokenRules(broken, calls)
    with capture_logs() as logs:
        async with stage(rules=rules) as on:
            answers = [on.wish(on.turn, on.legal()), on.wish(1 - on.turn, on.legal())]
            results = await asyncio.wait_for(asyncio.gather(*answers), 5)
            ended = Ended(match="m1", aborted=True)
            await until(lambda: all(box.sent[-1] == ended for box in on.boxes))
            assert on.outcomes == [None]
            assert isinstance(results[1], Denied)
            assert results[1].refusal.code == RefusalCode.MATCH_ABORTED
            late = await on.asked(0, None)
            assert isinstance(late, Denied)
            assert late.refusal.code == RefusalCode.MATCH_ABORTED
    assert [(log["event"], log["match"]) for log in logs] == [("match aborted", "m1")]


@pytest.mark.parametrize("broken", ["setup", "opening"])
async def test_a_match_that_cannot_begin_tells_those_who_wait(broken: str) -> None:
    with capture_logs() as logs:
        async with stage(rules=BrokenRules(broken)) as on:
            for box in on.boxes:
                assert [type(message) for message in box.sent] == [Started, Ended]
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
        await until(lambda: bool(left) and on.match.settled)
        assert len(told) == 2 and told[0] is not None and told[1] is None
        for box in on.boxes:
            assert [m.aborted for m in box.sent if isinstance(m, Ended)] == [False]
