"""The one door to a seat: what everybody is sent; and views by the short way, which are those of
the rules in random matches of every game. That nobody is sent what another's seat alone may see is
a law (`tests/laws/test_hidden.py`)."""

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import pytest
from msgspec import Struct, structs

from protocol import changes, codec
from protocol.changes import News, changed_fields
from protocol.from_server import Update
from protocol.ids import Seat, Version
from server.games.contract import BEGINNING
from server.games.registry import GAMES
from server.matches.fanout import Views
from server.matches.replay import events_for
from tests.laws.case import Broken, Rules
from tests.laws.cases import CASES, TABLES
from tests.laws.laws import pick
from tests.stage.line import Line
from tests.stage.match_stage import RULES, Box, stage


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
        payload: bytes = really(message)
        return payload

    def send(line: Line, message: Struct) -> None:
        line.server.send(message)

    really: Any = codec.encode
    for where in (codec, changes):
        monkeypatch.setattr(where, "encode", counted)
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


# Views by the short way --------------------------------------------------------------------------


def played(rules: Rules, options: Any, seats: int, rng: Random) -> Iterator[tuple[Any, Any]]:
    """A random match: the state, and what everybody was told of the action (None: the clock's)."""
    state = rules.setup(options, seats, rng.randbytes(32))
    while rules.outcome(state) is None:
        if not (actors := rules.to_act(state)):
            rules.tick(state, rules.deadline(state))
            yield state, None
            continue
        seat = pick(actors, rng)
        action = pick(rules.legal_actions(state, seat), rng)
        yield state, events_for(None, rules.apply(state, seat, action, BEGINNING))


def shows_what_there_is(rules: Rules, options: Any, seats: int, rng: Random) -> int:
    """Plays a match both ways, the short one and whole views; at some moments nobody is told, at
    others not everybody. Returns how often there were changes to compare."""
    views, last, compared = Views(seats), dict[int, tuple[int, Any]](), 0
    for version, (state, told) in enumerate(played(rules, options, seats, rng), 1):
        if rng.random() < 0.1:
            continue
        numbers = [number for number in range(seats + 1) if rng.random() < 0.9]
        shown = views.show(rules, state, Version(version), told, numbers)
        for number, (seen, was_at, changed) in zip(numbers, shown, strict=True):
            whole = rules.view(state, Seat(number) if number < seats else None)
            assert seen.view() == whole
            before = last.get(number)
            if before is None:
                assert (was_at, changed) == (None, None)
            else:
                assert (was_at, changed) == (before[0], changed_fields(before[1], whole))
                compared += 1
            last[number] = version, whole
    return compared


@pytest.mark.parametrize(("game", "seats", "options"), TABLES)
def test_the_short_way_shows_what_there_is(game: str, seats: int, options: Any) -> None:
    assert shows_what_there_is(GAMES[game].rules, options, seats, Random(seats)) > 10


@pytest.mark.parametrize("field", ["hands", "points", "thrown"])
def test_rules_that_forget_what_they_touched_are_caught(field: str) -> None:
    def touched(state: Any, told: Any) -> Any:
        fields = RULES.touched(state, told)
        return fields and {name: new for name, new in fields.items() if name != field}

    rules: Any = Broken(RULES, touched=touched)
    with pytest.raises(AssertionError):
        shows_what_there_is(rules, CASES["clocktowers"].options[0], 2, Random(1))


def test_a_version_that_nobody_was_told_of_is_not_passed_over() -> None:
    """What was touched is said of one action, so it says nothing of the one before it."""
    rng, views = Random(3), Views(2)
    states = played(RULES, CASES["clocktowers"].options[0], 2, rng)
    state, told = next(states)
    views.show(RULES, state, Version(1), told, [2])
    next(states)
    state, told = next(states)
    ((seen, _, _),) = views.show(RULES, state, Version(3), told, [2])
    assert seen.view() == RULES.view(state, None)
