"""Each wish is answered once and in its place, whatever happens to the journal or the table."""

import asyncio
from typing import Any

import pytest

from protocol.from_server import Ended, Started
from protocol.ids import MatchId, Seat, Version
from server.matches.inbox import Accepted, Denied
from server.matches.serving import Serving
from server.store.journal import Entry
from server.store.memory import MemoryJournal
from tests.stage import jumping_clock
from tests.stage.match_stage import RULES, Box, FlakyJournal, stage, until


class SlowJournal(MemoryJournal):
    """Really waits, as a store on disk does."""

    async def append(self, match: MatchId, version: Version, entry: Entry) -> None:
        await asyncio.sleep(1)
        await super().append(match, version, entry)


class AnswersTwice(Serving):
    """A control: answers whatever comes of a wish, also when it was answered before."""

    def _answer(self, wish: Any, answer: Any) -> None:
        wish.answer(answer)


class BroadcastsFirst(Serving):
    """A control: after a failure everybody is told before the one who asked."""

    async def _answer_if_kept(self) -> None:
        return


def failure_order(serving: type[Serving]) -> list[str]:
    """What happens, in order, when the journal keeps an entry and then says that it failed."""
    told: list[str] = []

    async def scene() -> None:
        async with stage(
            journal=FlakyJournal(late=True, append=1), serving=serving, tell=told.append
        ) as on:
            told.clear()
            assert await on.accepted(on.turn, on.legal()) == 1
            await on.settle()

    jumping_clock.run(scene())
    return told


def test_acknowledge_comes_before_broadcast_also_after_a_failure() -> None:
    assert failure_order(Serving) == ["acknowledge", "send Update", "send Update"]


def test_a_match_that_broadcasts_first_is_caught() -> None:
    assert failure_order(BroadcastsFirst)[0] == "send Update"


def answers_when_sent_away(serving: type[Serving]) -> list[Any]:
    """The answers to a wish that is being kept when everybody is sent away."""
    answers: list[Any] = []

    async def scene() -> None:
        async with stage(journal=SlowJournal(), serving=serving) as on:
            future = on.wish(on.turn, on.legal())
            future.add_done_callback(lambda done: answers.append(done.result()))
            loop = asyncio.get_running_loop()
            loop.set_exception_handler(lambda _loop, context: None)
            await asyncio.sleep(0.5)
            on.match.detach_all()
            await asyncio.sleep(5)
            if on.outcomes == [None]:  # aborted by the second answer to the same future
                answers.append("again")

    jumping_clock.run(scene())
    return answers


def test_a_wish_is_answered_once_also_when_everybody_is_sent_away() -> None:
    (answer,) = answers_when_sent_away(Serving)
    assert isinstance(answer, Denied)


def test_a_second_answer_is_caught() -> None:
    assert answers_when_sent_away(AnswersTwice)[1:] == ["again"]


@pytest.mark.parametrize("seat", [None, Seat(0)])
def test_who_comes_to_an_aborted_match_is_told_so_and_it_is_finished(seat: Seat | None) -> None:
    async def scene() -> None:
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

    jumping_clock.run(scene())


def test_kept_is_kept() -> None:
    """The accepted action of the failing journal stands in it once."""

    async def scene() -> None:
        journal = FlakyJournal(late=True, append=1)
        async with stage(journal=journal) as on:
            answer = await on.asked(on.turn, on.legal())
            assert answer == Accepted(1)
            assert len((await journal.load(on.match.id))[1]) == 1
            assert RULES.to_act(on.match._course.state) == on.match.to_act()

    jumping_clock.run(scene())
