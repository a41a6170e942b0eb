"""Views by the short way are those of the rules, in random matches of every game."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

import pytest
from msgspec.structs import replace

from protocol.changes import changed_fields
from protocol.ids import Seat, Version
from server.games.contract import BEGINNING
from server.games.registry import GAMES
from server.matches.replay import events_for
from server.matches.views import Views
from tests.laws.case import Broken, Rules
from tests.laws.cases import CASES, TABLES
from tests.laws.laws import pick

CLOCKTOWERS: Final[Rules] = GAMES["clocktowers"].rules


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
    others not everybody. Returns how often the short way was gone."""
    views, last, short = Views(seats), dict[Seat | None, Any](), 0
    for version, (state, told) in enumerate(played(rules, options, seats, rng), 1):
        if rng.random() < 0.1:
            continue
        whole, before = rules.view(state, None), last.get(None)
        view, was, changed = public = views.public(rules, state, Version(version), told)
        assert view == whole
        assert was is before
        assert before is None or changed == changed_fields(before, whole)
        last[None] = view
        for seat in map(Seat, range(seats)):
            if rng.random() < 0.1:
                last.pop(seat, None)
                continue
            own = rules.own(state, seat)
            whole = replace(whole, **own)
            view, was, changed = views.of(seat, own, public)
            assert view == whole
            if seat in last and was is not None:
                assert was is last[seat]
                assert changed == changed_fields(was, whole)
                short += 1
            last[seat] = view
    return short


@pytest.mark.parametrize(("game", "seats", "options"), TABLES)
def test_the_short_way_shows_what_there_is(game: str, seats: int, options: Any) -> None:
    assert shows_what_there_is(GAMES[game].rules, options, seats, Random(seats)) > 10


def forgets(field: str) -> Callable[..., Any]:
    def touched(state: Any, told: Any) -> Any:
        fields = CLOCKTOWERS.touched(state, told)
        return fields and {name: new for name, new in fields.items() if name != field}

    return touched


@pytest.mark.parametrize("field", ["hands", "points", "thrown"])
def test_rules_that_forget_what_they_touched_are_caught(field: str) -> None:
    rules: Any = Broken(CLOCKTOWERS, touched=forgets(field))
    with pytest.raises(AssertionError):
        shows_what_there_is(rules, CASES["clocktowers"].options[0], 2, Random(1))


def test_a_version_that_nobody_was_told_of_is_not_passed_over() -> None:
    """What was touched is said of one action, so it says nothing of the one before it."""
    rng, views = Random(3), Views(2)
    states = played(CLOCKTOWERS, CASES["clocktowers"].options[0], 2, rng)
    state, told = next(states)
    views.public(CLOCKTOWERS, state, Version(1), told)
    next(states)
    state, told = next(states)
    assert views.public(CLOCKTOWERS, state, Version(3), told)[0] == CLOCKTOWERS.view(state, None)
