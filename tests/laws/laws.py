"""Matches played at random, what is sent of them, and the law about hidden information: a function,
so that rules that break it can be handed to it, too."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from functools import cache, partial
from random import Random
from typing import Any

from msgspec import msgpack

from server.games.contract import BEGINNING, Addressed
from tests.laws.case import Case, Rules


def plain(state: Any) -> dict[str, Any]:
    """Everything a state holds, in values that can be compared."""
    return {field.name: getattr(state, field.name) for field in fields(state)}


def pick(actions: Sequence[Any], rng: Random) -> Any:
    return actions[int(rng.random() * len(actions))]


def sent_to(seat: int | None, events: Sequence[Addressed[Any]]) -> list[Any]:
    """The part of an action's events that reaches a seat, or a spectator (None)."""
    return [addressed.event for addressed in events if addressed.to in (None, seat)]


def frames(view: Any, events: Sequence[Any]) -> bytes:
    """The bytes that a seat would be sent."""
    return msgpack.encode((view, list(events)))


def walk(rules: Rules, state: Any, rng: Random, limit: int) -> Iterator[tuple[Any, Any]]:
    """Plays at random to the end; yields the seat and the action before each is applied.

    Raises AssertionError when the match has not ended after `limit` actions.
    """
    for _ in range(limit):
        while not rules.to_act(state) and rules.outcome(state) is None:
            rules.tick(state, rules.deadline(state))
        if not (seats := rules.to_act(state)):
            return
        seat = pick(seats, rng)
        action = pick(rules.legal_actions(state, seat), rng)
        yield seat, action
        rules.apply(state, seat, action, BEGINNING)
    assert rules.outcome(state) is not None, f"still running after {limit} actions"


def hides_what_is_hidden(case: Case, rules: Rules, state: Any, rng: Random) -> None:
    """Two states that differ only in what a seat cannot see send it byte-identical frames.

    Then every pair of actions that look alike from that seat is applied, one to each.
    """
    actor = rules.to_act(state)[0]
    seats = case.seats_of(state)
    for seat in (*range(seats), None):
        twin = case.disguise(state, seat, rng, 1)
        assert frames(rules.view(state, seat), ()) == frames(rules.view(twin, seat), ())
        # A draw shows the next card, so there the two states must agree one card deeper.
        twin = case.disguise(state, seat, rng, 2)
        theirs = rules.legal_actions(twin, actor)
        sent, sent_by_twin = (
            cache(partial(_sent_after, rules, hidden, seat, actor)) for hidden in (state, twin)
        )
        for action in rules.legal_actions(state, actor):
            for other in theirs:
                if action == other or (seat != actor and case.looks_alike(action, other)):
                    told = f"seat {seat} can tell {action} from {other} by {actor}"
                    assert sent(action) == sent_by_twin(other), told


def _sent_after(rules: Rules, state: Any, seat: int | None, actor: int, action: Any) -> bytes:
    after = rules.copy(state)
    events = sent_to(seat, rules.apply(after, actor, action, BEGINNING))
    # When the match is over everything is shown, and the views differ as they should.
    view = rules.view(after, seat) if rules.to_act(after) else None
    return frames(view, events)
