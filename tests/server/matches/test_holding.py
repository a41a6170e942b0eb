"""What is held back arrives when it should, in order, and never at a client that is gone."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from msgspec import Struct

from protocol.changes import News
from protocol.from_server import Ended, Update
from protocol.games.registry import GAMES
from protocol.ids import Seat
from server.matches.replay import newest
from server.matches.wishes import Attach
from server.store.in_database import Journal
from tests.stage.countdown_game import (
    COUNTDOWN_RULES,
    GAME,
    VOCABULARY,
    Lit,
    Options,
    Press,
    Pressed,
)
from tests.stage.jumping_clock import on_jumping_clock
from tests.stage.match_stage import Box, FlakyJournal, Stage, stage


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, GAME, VOCABULARY)


class Timed:
    """An outbox that notes when it was given what, in milliseconds."""

    def __init__(self) -> None:
        self.got: list[tuple[int, Any]] = []

    def __call__(self, message: Struct) -> None:
        message = message.whole() if isinstance(message, News) else message
        self.got.append((round(asyncio.get_running_loop().time() * 1000), message))


LAGS_MS = (0, 120, 40)


@asynccontextmanager
async def race(
    journal: Journal | None = None, rules: Any = COUNTDOWN_RULES
) -> AsyncIterator[tuple[Stage, list[Timed]]]:
    """A match with such lines, once the lags are known to the game and the second light is due:
    its `boxes` are empty then."""
    how: Any = {"game": GAME, "options": Options(light_ms=2000), "seats": 3, "journal": journal}
    async with stage(rules=rules, attach=False, **how) as on:
        boxes = [Timed() for _ in LAGS_MS]
        for seat, box in enumerate(boxes):
            on.match.attach(Attach(Seat(seat), box, lag=lambda seat=seat: LAGS_MS[seat]))  # type: ignore[misc]
        await asyncio.sleep(2.1)
        await on.accepted(0, Press())
        await asyncio.sleep(1.8)
        for box in boxes:
            box.got.clear()
        yield on, boxes


def kinds(box: Timed) -> list[type]:
    return [type(message) for _, message in box.got]


@on_jumping_clock
async def test_a_light_is_sent_so_that_all_see_it_at_once() -> None:
    async with race() as (on, boxes):
        watcher = Timed()
        on.match.attach(Attach(None, watcher))
        await asyncio.sleep(1)
        lit = [next(one for one in box.got if one[1].events) for box in boxes]
        assert [type(message.events[0]) for _, message in lit] == [Lit] * 3
        seen = [at_ms + lag for (at_ms, _), lag in zip(lit, LAGS_MS, strict=True)]
        assert seen == [4120] * 3
        assert [message.at_ms for _, message in lit] == [4120, 4000, 4080]
        assert watcher.got[-1][0] == 4120


@on_jumping_clock
async def test_a_later_update_waits_behind_the_light() -> None:
    async with race() as (on, boxes):
        await asyncio.sleep(0.11)
        await on.accepted(1, Press())
        await asyncio.sleep(1)
        events = [event for _, message in boxes[0].got for event in message.events]
        assert [type(event) for event in events] == [Lit, Pressed]
        times = [at_ms for at_ms, message in boxes[0].got if message.events]
        assert times[0] == 4120 <= times[1]


@on_jumping_clock
async def test_whoever_sits_down_meanwhile_sees_it_no_sooner_and_nobody_sees_it_twice() -> None:
    async with race() as (on, boxes):
        await asyncio.sleep(0.11)
        heir, watcher = Timed(), Timed()
        on.match.attach(Attach(Seat(0), heir))
        on.match.attach(Attach(None, watcher))
        await asyncio.sleep(1)
        assert boxes[0].got == []
        for box in (heir, watcher):
            assert kinds(box).count(Update) == 1
            at_ms, update = box.got[-1]
            assert update.view.lit
            assert (at_ms, update.at_ms) == (4120, 4120)


@on_jumping_clock
async def test_a_seat_that_is_left_meanwhile_is_sent_nothing_more() -> None:
    async with race() as (on, boxes):
        await asyncio.sleep(0.11)
        on.match.detach(Seat(0), boxes[0])
        await asyncio.sleep(1)
        assert (boxes[0].got, kinds(boxes[2])) == ([], [Update])


@on_jumping_clock
async def test_all_are_told_what_the_journal_kept_without_a_word() -> None:
    """The match no longer knows who has acted, and a press alone has no event."""
    journal = FlakyJournal(late=True)
    async with race(journal) as (on, boxes):
        await asyncio.sleep(0.5)
        journal.failing["append"] = 1
        version = await on.accepted(0, Press())
        await asyncio.sleep(0.01)
        assert [box.got[-1][1].version for box in boxes] == [version] * 3


@pytest.mark.parametrize("aborted", [False, True])
@on_jumping_clock
async def test_the_end_loses_nothing(aborted: bool) -> None:
    """In the middle of a hold: the light first, then the last word."""

    def outcome(state: Any) -> Any:
        if state.calls[-1][0] == "press" and len(state.calls) > 3:
            if aborted:
                raise RuntimeError("a bug of ours")
            return {"points": state.points}
        return None

    async with race(rules=COUNTDOWN_RULES._replace(outcome=outcome)) as (on, boxes):
        await asyncio.sleep(0.11)
        on.wish(1, Press())
        await asyncio.sleep(1)
        assert kinds(boxes[0])[0] is Update and kinds(boxes[0])[-1] is Ended
        assert isinstance(boxes[0].got[0][1].events[0], Lit)
        assert boxes[0].got[-1][1].aborted is aborted
        assert boxes[0].got[-1][0] < 4120


# What the match learns of the lines --------------------------------------------------------------


@on_jumping_clock
async def test_the_lags_are_kept_with_the_action_and_a_replay_has_the_same_winner() -> None:
    async with race() as (on, _boxes):
        await asyncio.sleep(0.2)
        await on.accepted(0, Press())
        await asyncio.sleep(0.05)
        await on.accepted(1, Press())
        await asyncio.sleep(0.5)
        header, entries = await on.journal.load(on.match.id)
        assert [one.lags_ms for one in entries if one.seat is not None] == [LAGS_MS] * 3
        state = on.match._course.state
        assert state.points == [1, 1, 0], "the second that arrived had pressed first"
        assert newest(on.match.rules, header, entries).state == state


@on_jumping_clock
async def test_a_bot_and_nobody_have_no_lag() -> None:
    async with race() as (on, boxes):
        match, bot, lags_ms = on.match, Box(), on.match._fanout.lags_ms
        assert lags_ms() == LAGS_MS
        match.stand_in(Seat(1), bot, late=True)
        await on.settle()
        assert lags_ms() == (0, 0, 40)
        match.stand_down(Seat(1), bot)
        assert lags_ms() == LAGS_MS
        match.attach(Attach(Seat(2), bot))
        await on.settle()
        assert lags_ms() == (0, 120, 0)
        match.detach(Seat(1), boxes[1])
        assert lags_ms() == ()


@on_jumping_clock
async def test_a_refusal_does_not_tell_that_another_has_shot() -> None:
    async with race() as (on, boxes):
        await asyncio.sleep(0.3)
        told = boxes[1].got[-1][1].version
        await on.accepted(0, Press())
        assert on.match.version == told + 1 and on.match._course.state.shots
        assert await on.denied(1, None) == ("nothing_to_take_back", told)
