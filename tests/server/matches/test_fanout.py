"""The one door to a seat: what everybody is sent, shortened or whole, and nobody a byte that
depends on what they cannot see."""

from functools import partial
from random import Random
from typing import Any

import pytest
from msgspec import Struct, structs
from msgspec.msgpack import decode

from protocol import codec
from protocol.changes import Shortening
from protocol.framing import HEADER
from protocol.from_server import Update
from protocol.ids import Seat
from server.games.contract import Addressed
from server.matches.course import Change, Course
from server.matches.fanout import Fanout
from server.matches.match import Match
from tests.laws.cases import CASES
from tests.stage.line import Line
from tests.stage.match_stage import RULES, Box, packed, stage, with_rules

CASE = CASES["clocktowers"]


class LeakyFanout(Fanout):
    """Sends everybody every event, as a fanout that trusts its clients would."""

    def update(self, course: Course, change: Change, *rest: Any, **to: Any) -> None:
        everyone = [Addressed(None, event) for _to, event in change.events]
        super().update(course, structs.replace(change, events=everyone), *rest, **to)


class MixedUpFanout(Fanout):
    """Sends a watcher the view of seat 0."""

    def update(self, course: Course, *rest: Any, **to: Any) -> None:
        def view(state: Any, seat: int | None) -> Any:
            return course.rules.view(state, Seat(seat or 0))

        super().update(with_rules(course, view=view), *rest, **to)


class TouchyFanout(Fanout):
    """Puts into what everybody sees what seat 0 has discarded."""

    def update(self, course: Course, *rest: Any, **to: Any) -> None:
        def touched(state: Any, told: Any) -> Any:
            fields = course.rules.touched(state, told)
            return fields and {**fields, "thrown": state.discards[0]}

        super().update(with_rules(course, touched=touched), *rest, **to)


async def hides_what_is_hidden(
    monkeypatch: pytest.MonkeyPatch, fanout: type[Fanout], rng: Random
) -> int:
    """At many moments of a match, for every seat and a watcher: two matches that differ only in
    what that one cannot see; an action that looks the same from there is played in both; the bytes
    sent to that one are the same. Returns how many pairs were compared."""
    monkeypatch.setattr("server.matches.parts.Fanout", fanout)
    pairs = 0
    async with stage(seats=3) as on:
        for _ in range(6):
            await on.play(rng, rng.randrange(6, 13))
            for who in (None, 0, 1, 2):
                pairs += await _same_bytes(on.match, who, rng)
    return pairs


async def _same_bytes(match: Match, who: int | None, rng: Random) -> int:
    actor = match.to_act()[0]
    state = RULES.copy(match._course.state)
    twin = CASE.disguise(state, who, rng, 2)
    pairs = [
        (one, other)
        for one in RULES.legal_actions(state, actor)
        for other in RULES.legal_actions(twin, actor)
        if one == other or (who != actor and CASE.looks_alike(one, other))
    ]
    for one, other in pairs:
        for changes in (False, True):
            sent = [
                await _sent(here, who, actor, act, changes=changes)
                for here, act in ((state, one), (twin, other))
            ]
            assert sent[0] == sent[1], f"seat {who} can tell {one} from {other} by {actor}"
    return len(pairs)


async def _sent(state: Any, who: int | None, actor: Seat, action: Any, *, changes: bool) -> bytes:
    """What reaches `who` when `actor` plays in a match that stands at a copy of `state`.
    `changes`: they ask for the changes of a view that they were sent of that state."""
    async with stage(seats=3) as on:
        box, short = Box(), Shortening()

        def shortened(message: Struct) -> None:
            whole = short.frame(message) if isinstance(message, Update) else None
            box(message if whole is None else decode(whole[HEADER.size :], type=Update))

        outbox = shortened if changes else box
        on.match.attach(None if who is None else Seat(who), outbox)
        await on.settle()
        course = on.match._course
        course.state = RULES.copy(state)
        if changes:
            on.match._parts.fanout.update(course, Change(()), 0)
        box.sent.clear()
        await on.accepted(actor, action)
        assert len(box.sent) == 1
        assert (box.update.changed is not None) is changes
        return packed(box.sent)


async def test_the_hidden_stays_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    assert await hides_what_is_hidden(monkeypatch, Fanout, Random(1)) > 60


@pytest.mark.parametrize("fanout", [LeakyFanout, MixedUpFanout, TouchyFanout])
async def test_a_leak_is_found_out(monkeypatch: pytest.MonkeyPatch, fanout: type[Fanout]) -> None:
    with pytest.raises(AssertionError, match="can tell"):
        await hides_what_is_hidden(monkeypatch, fanout, Random(1))


async def test_a_private_event_reaches_its_seat_and_nobody_else() -> None:
    async with stage(seats=4) as on:
        watcher = Box()
        on.match.attach(None, watcher)
        await on.settle()
        rng = Random(2)
        await on.play(rng)
        for seat, box in enumerate(on.boxes):
            thrown = on.match._course.state.discards[seat]
            mine = [e.card for e in box.events if type(e).__name__ == "YouDiscarded"]
            assert mine == list(thrown)
            assert mine
        assert not [e for e in watcher.events if type(e).__name__ == "YouDiscarded"]


async def test_an_outbox_that_goes_while_it_is_sent_to_hinders_nobody() -> None:
    """A peer that is cut in the middle of a broadcast leaves the match at that moment."""
    async with stage(seats=3) as on:
        watchers = [Box(), Box()]

        class Leaver(Box):
            def __call__(self, message: Any) -> None:
                super().__call__(message)
                if isinstance(message, Update) and message.version == 1:
                    on.match.detach(Seat(0), self)
                    on.match.detach(None, watchers[0])

        leaver = Leaver()
        on.match.attach(Seat(0), leaver)
        for box in watchers:
            on.match.attach(None, box)
        await on.settle()
        await on.accepted(on.turn, on.legal())
        await on.accepted(on.turn, on.legal())
        assert leaver.update.version == 1
        assert [on.boxes[1].update.version, watchers[1].update.version] == [2, 2]
        assert structs.asdict(on.boxes[2].update)["version"] == 2


async def test_a_crowd_of_watchers_costs_as_many_encodings_as_there_are_kinds_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With whole views and with changes, sitting among each other."""
    encoded: list[Struct] = []

    def counted(message: Struct) -> bytes:
        encoded.append(message)
        return really(message)

    def send(line: Line, message: Struct) -> None:
        line.server.send(message)

    really = codec._encode
    monkeypatch.setattr(codec, "_encode", counted)
    lines = [Line(changes=number % 2 == 0) for number in range(200)]
    async with stage() as on:
        for line in lines:
            on.match.attach(None, partial(send, line))
        await on.settle()
        rng = Random(1)
        for _ in range(3):  # after the first, everybody has a view to change
            encoded.clear()
            await on.play(rng, 1)
        shown = [message for message in encoded if isinstance(message, Update)]
        assert len(shown) == 2
        assert [update.changed is None for update in shown] in ([True, False], [False, True])
