"""The one door to a seat: what everybody is sent; and views by the short way, which are those of
the rules in random matches of every game. That nobody is sent what another's seat alone may see is
a law (`tests/laws/test_hidden.py`)."""

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import pytest
from msgspec import Struct, structs

from protocol.changes import News, changed_fields
from protocol.codec import encode
from protocol.ids import Key, Seat
from server.games.registry import GAMES
from server.matches.fanout import Fanout
from server.matches.replay import Course, Step
from server.matches.wishes import Attach
from server.store.journal import Entry
from tests.laws.case import Rules
from tests.laws.cases import TABLES
from tests.laws.laws import pick
from tests.stage.line import Line
from tests.stage.match_stage import Box, header_of, stage


async def test_an_outbox_that_goes_while_it_is_sent_to_hinders_nobody() -> None:
    """A peer that is cut in the middle of a broadcast leaves the match at that moment."""
    async with stage(seats=3) as on:
        watchers = [Box(), Box()]

        class Leaver(Box):
            def __call__(self, message: Any) -> None:
                super().__call__(message)
                if isinstance(message, News) and message.update.version == 1:
                    on.match.detach(Seat(0), self)
                    on.match.detach(None, watchers[0])

        leaver = Leaver()
        on.match.attach(Attach(Seat(0), leaver))
        for box in watchers:
            on.match.attach(Attach(None, box))
        await on.settle()
        await on.accepted(on.turn, on.legal())
        await on.accepted(on.turn, on.legal())
        assert leaver.update.version == 1
        assert [on.boxes[1].update.version, watchers[1].update.version] == [2, 2]
        assert structs.asdict(on.boxes[2].update)["version"] == 2


async def test_a_crowd_of_watchers_costs_as_many_encodings_as_there_are_kinds_of_them() -> None:
    """With whole views and with changes, sitting among each other."""
    sent: list[bytes] = []

    def send(line: Line, message: Struct) -> None:
        sent.append(line.server.send(message))

    lines = [Line(changes=number % 2 == 0) for number in range(200)]
    async with stage() as on:
        for line in lines:
            on.match.attach(Attach(None, partial(send, line)))
        await on.settle()
        rng = Random(1)
        for _ in range(3):  # after the first, everybody has a view to change
            sent.clear()
            await on.play(rng, 1)
        frames = {id(one): one for one in sent}.values()
        assert len(sent) == len(lines)
        assert sorted(b"\xa7changed" in one for one in frames) == [False, True]


async def test_after_a_take_back_everybody_is_sent_a_whole_view() -> None:
    line = Line(changes=True)
    async with stage() as on:
        on.match.attach(Attach(None, lambda message: line.tell(message)))
        await on.settle()
        seat = on.turn
        await on.accepted(seat, on.legal())
        assert not line.whole
        await on.accepted(seat, None)
        assert line.whole


# Views by the short way --------------------------------------------------------------------------


def played(rules: Rules, options: Any, seats: int, rng: Random) -> Iterator[tuple[Course, Step]]:
    """A random match, and what each entry has changed."""
    header = header_of(rules.id, rules, options, seats, rng.randbytes(32))
    course = Course(rules, header).dealt()
    while rules.outcome(course.state) is None:
        if actors := rules.to_act(course.state):
            seat = pick(actors, rng)
            action = pick(rules.legal_actions(course.state, seat), rng)
            entry = Entry(seat, Key(b"k"), 0, encode(action))
            yield course, course.apply(entry, action)
        else:
            due_ms = rules.deadline(course.state)
            yield course, course.apply(Entry(None, Key(b""), due_ms, b""))


def shows_what_there_is(real: Rules, options: Any, seats: int, rng: Random) -> int:
    """Plays a match both ways, the short one and whole views. Not everybody is told at any moment;
    who has missed a change is sent a whole view. Returns how often changes were compared."""
    rules: Any = real._replace(delays=lambda state: ())
    fanout, last, compared = Fanout(seats), dict[Seat | None, tuple[int, Any]](), 0
    public: Any = None
    news: dict[Seat | None, list[Any]] = {seat: [] for seat in (*map(Seat, range(seats)), None)}
    for course, change in played(rules, options, seats, rng):
        for seat, box in news.items():
            fanout.unseat(seat, box.append)
            if rng.random() < 0.8:
                fanout.add(Attach(seat, box.append), 0)
        fanout.update(course, change, 0, to_all=True)
        missed, public = public, rules.view(course.state, None)
        for seat, box in news.items():
            if not box:
                if public != missed:
                    last.pop(seat, None)
                continue
            shown, whole = box.pop(), rules.view(course.state, seat)
            assert shown.whole().view == whole
            if seat not in last:
                assert (shown.before, shown.update.changed) == (None, None)
            else:
                version, before = last[seat]
                changed = changed_fields(before, whole)
                assert (shown.before, shown.update.changed) == (version, changed)
                compared += 1
            last[seat] = course.version, whole
    return compared


@pytest.mark.parametrize(("game", "seats", "options"), TABLES)
def test_the_short_way_shows_what_there_is(game: str, seats: int, options: Any) -> None:
    assert shows_what_there_is(GAMES[game].rules, options, seats, Random(seats)) > 10
