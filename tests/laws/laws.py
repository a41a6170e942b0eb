"""The laws every game keeps, as functions that raise AssertionError when the game breaks them.

They are functions so that `test_laws.py` can also hand them rules that break a law on purpose.
"""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from functools import cache, partial
from random import Random
from typing import Any

from msgspec import msgpack
from msgspec.structs import replace

from server.games.contract import BEGINNING, Addressed
from tests.laws.case import Case, Rules


def plain(state: Any) -> dict[str, Any]:
    """Everything a state holds, in values that can be compared."""
    return {name: getattr(state, name) for name in state.__slots__}


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


def refuses_what_is_not_legal(case: Case, rules: Rules, state: Any) -> None:
    """Over all well-typed actions: refused exactly when not legal; legal ones listed once."""
    for seat in range(case.seats_of(state)):
        legal = list(rules.legal_actions(state, seat))
        assert len(set(legal)) == len(legal), "an action is listed twice"
        allowed = {action for action in case.actions if rules.refuse(state, seat, action) is None}
        assert allowed == set(legal), f"seat {seat}: {allowed ^ set(legal)}"
        assert bool(legal) == (seat in rules.to_act(state))


def apply_is_deterministic(rules: Rules, state: Any, seat: int, action: Any) -> None:
    """The same action on the same state: the same events, the same state."""
    one, two = deepcopy(state), deepcopy(state)
    assert rules.apply(one, seat, action, BEGINNING) == rules.apply(two, seat, action, BEGINNING)
    assert plain(one) == plain(two)


def advance_does_what_apply_does(rules: Rules, state: Any, seat: int, action: Any) -> None:
    """Whether anybody is told of an action changes nothing in what it does."""
    told, untold = deepcopy(state), deepcopy(state)
    rules.apply(told, seat, action, BEGINNING)
    rules.advance(untold, seat, action, BEGINNING)
    assert plain(told) == plain(untold)


def only_a_race_has_deadlines(rules: Rules, state: Any) -> None:
    """Nobody asks a game in turns for them, so it must have none, and hold nothing back."""
    assert rules.races or (rules.deadline(state) is None and not rules.holds(state))


def copy_is_independent(rules: Rules, state: Any, rng: Random, limit: int) -> None:
    """Playing a copy on changes nothing in the original, and the other way round."""
    before = deepcopy(plain(state))
    twin = rules.copy(state)
    assert plain(twin) == before
    for _ in walk(rules, twin, rng, limit):
        pass
    assert plain(state) == before, "the original changed with its copy"
    kept, mover = rules.copy(state), rules.copy(state)
    for _ in walk(rules, mover, rng, limit):
        pass
    assert plain(kept) == before, "the copy changed with its original"


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


def revocable_is_what_showed_nothing(
    case: Case, rules: Rules, state: Any, seat: int, action: Any, rng: Random
) -> None:
    """A seat may take back only its own action, and only an action that taught it nothing: whatever
    lies hidden, it would have been sent the same. Nothing is revocable when the match is over."""
    sent = []
    for hidden in (state, case.disguise(state, seat, rng, 1)):
        after = deepcopy(hidden)
        events = sent_to(seat, rules.apply(after, seat, action, BEGINNING))
        owner = rules.revocable(after)
        if rules.outcome(after) is not None:
            assert owner is None, "the match is over"
        if owner is None:
            return
        assert owner == seat, f"{action} is seat {seat}'s, not seat {owner}'s"
        sent.append(frames(rules.view(after, seat), events))
    assert sent[0] == sent[1], f"{action} has shown something"


def previews_tell_the_truth(case: Case, rules: Rules, state: Any) -> None:
    """The preview of each legal action says what it then does; looking changes nothing. The view
    lists the preview, unless a player's own program works it out."""
    seat = rules.to_act(state)[0]
    before = deepcopy(plain(state))
    view = rules.view(state, seat)
    legal = list(rules.legal_actions(state, seat))
    previews = [rules.preview(state, seat, action) for action in legal]
    if rules.lists_legal:
        assert [choice.action for choice in view.legal] == legal
        assert view.legal == previews
    else:
        assert not hasattr(view, "legal")
    assert plain(state) == before
    for action, preview in zip(legal, previews, strict=True):
        after = deepcopy(state)
        rules.apply(after, seat, action, BEGINNING)
        case.check_preview(preview, seat, view, rules.view(after, seat))


def imagines_what_fits(
    case: Case,
    rules: Rules,
    state: Any,
    sent: Sequence[Sequence[Any]],
    rng: Random,
    limit: int,
) -> None:
    """For each seat: a determinized state looks the same from there and can be played to the end.

    `sent` are the events by seat, from the opening on.
    """
    for seat, events in enumerate(sent):
        view = rules.view(state, seat)
        imagined = rules.determinize(view, events, rng)
        assert frames(rules.view(imagined, seat), ()) == frames(view, ())
        for other in range(len(sent)):
            assert case.public(rules.view(imagined, other)) == case.public(view)
        for mover, action in walk(rules, imagined, rng, limit):
            assert rules.refuse(imagined, mover, action) is None
        assert rules.outcome(imagined) is not None


def a_view_is_the_public_one_and_what_is_own(rules: Rules, state: Any, seats: int) -> None:
    """What is not of a seat's own fields is made without knowing for whom."""
    public, names = rules.view(state, None), set(rules.own(state, 0))
    for seat in range(seats):
        own = rules.own(state, seat)
        assert set(own) == names
        assert rules.view(state, seat) == replace(public, **own)
