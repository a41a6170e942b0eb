"""The laws catch rules of Architetti Attenti that break them: a leak, a take-back of what has shown
a tile, a wrong refusal, a lying preview, an imagination that knows more than it was sent."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from protocol.games.architetti_attenti import Discarded, Options, Revealed
from protocol.refusal import Refusal
from server.games.contract import BEGINNING, Addressed, Moment
from server.games.registry import GAMES
from tests.games.architetti_attenti.case import CASE
from tests.laws.broken import Broken
from tests.laws.case import Rules
from tests.laws.laws import (
    copy_is_independent,
    hides_what_is_hidden,
    imagines_what_fits,
    previews_tell_the_truth,
    refuses_what_is_not_legal,
    revocable_is_what_showed_nothing,
    sent_to,
    walk,
)

REAL: Rules = GAMES["architetti_attenti"].rules
SEED = bytes(31) + b"\x07"
broken = partial(Broken, REAL)


def positions(seats: int) -> Iterator[tuple[Any, int, Any]]:
    state, rng = REAL.setup(Options(), seats, SEED), Random(7)
    for seat, action in walk(REAL, state, rng, CASE.plies(seats)):
        yield state, seat, action


def caught(law: Callable[[Any, int, Any], None], seats: int = 3) -> bool:
    """At every third position of a match and at the last one."""
    at = list(enumerate(REAL.copy(state) for state, _, _ in positions(seats)))
    actions = [(seat, action) for _, seat, action in positions(seats)]
    try:
        for ply, state in at:
            if ply % 3 == 0 or ply == len(at) - 1:
                law(state, *actions[ply])
    except AssertionError:
        return True
    return False


def leaky_view(field: str, value: Callable[[Any, Any], Any]) -> Rules:
    def view(state: Any, seat: int | None) -> Any:
        seen = REAL.view(state, seat)
        return replace(seen, **{field: value(state, seen)})

    return broken(view=view)


def shows_the_next_one(state: Any, seen: Any) -> bytes:
    """In the gap that the bought tile has left."""
    coming = state.pile[state.drawn : state.drawn + 1]
    return bytes(seen.row.replace(b"\0", coming))


def tells_of_another(state: Any, seat: int, action: Any, at: Moment) -> list[Addressed[Any]]:
    """With the new tile the one after it."""
    events: list[Addressed[Any]] = REAL.apply(state, seat, action, at)
    if any(isinstance(told.event, Revealed) for told in events) and state.left:
        events.append(Addressed(None, Revealed(state.pile[state.drawn])))
    return events


@pytest.mark.parametrize(
    "rules",
    [
        leaky_view("removed", lambda state, seen: state.deal.removed),
        leaky_view("row", shows_the_next_one),
        leaky_view("left", lambda state, seen: state.pile[-1]),
        broken(apply=tells_of_another),
    ],
    ids=["removed", "next", "bottom", "event"],
)
def test_a_leak_is_caught(rules: Rules) -> None:
    assert caught(hidden_law(rules))


def test_where_nothing_leaks_nothing_is_caught() -> None:
    assert not caught(hidden_law(REAL))


def hidden_law(rules: Rules) -> Callable[[Any, int, Any], None]:
    return lambda state, seat, action: hides_what_is_hidden(CASE, rules, state, Random(1))


def also_what_showed_a_tile(state: Any) -> int | None:
    real: int | None = REAL.revocable(state)
    return (state.turn - 1) % state.seats if real is None and state.drawn else real


def also_at_the_end(state: Any) -> int | None:
    real: int | None = REAL.revocable(state)
    return real if REAL.outcome(state) is None else 0


@pytest.mark.parametrize("owner", [also_what_showed_a_tile, also_at_the_end])
def test_a_wrong_take_back_is_caught(owner: Callable[[Any], int | None]) -> None:
    def law(rules: Rules) -> Callable[[Any, int, Any], None]:
        return lambda state, seat, action: revocable_is_what_showed_nothing(
            CASE, rules, state, seat, action, Random(1)
        )

    assert caught(law(broken(revocable=owner)))
    assert not caught(law(REAL))


def pays_with_what_lies_there(state: Any, seat: int, action: Any) -> Refusal | None:
    refusal: Refusal | None = REAL.refuse(state, seat, action)
    if refusal is not None and refusal.code == "too_few_gems":
        gained = state.on_row[action.position - 1]
        return None if state.gems[seat] + gained >= action.position - 1 else refusal
    return refusal


def either_way_round(state: Any, seat: int, action: Any) -> Refusal | None:
    refusal: Refusal | None = REAL.refuse(state, seat, action)
    return None if refusal is not None and refusal.code == "same_halves" else refusal


@pytest.mark.parametrize("refuse", [pays_with_what_lies_there, either_way_round])
def test_a_wrong_refusal_is_caught(refuse: Callable[..., Refusal | None]) -> None:
    def law(rules: Rules) -> Callable[[Any, int, Any], None]:
        return lambda state, seat, action: refuses_what_is_not_legal(CASE, rules, poor(state))

    assert caught(law(broken(refuse=refuse)))
    assert not caught(law(REAL))


def poor(state: Any) -> Any:
    """Without gems, and one on the second tile."""
    twin = REAL.copy(state)
    twin.gems, twin.on_row = [0] * state.seats, b"\0\1\0\0"
    return twin


def test_a_lying_preview_is_caught() -> None:
    def preview(state: Any, seat: int, action: Any) -> Any:
        return replace(REAL.preview(state, seat, action), parks=0)

    rules = broken(preview=preview)
    assert caught(lambda state, seat, action: previews_tell_the_truth(CASE, rules, state))


@pytest.mark.parametrize("field", ["boards", "gems", "discarded"])
def test_a_sharing_copy_is_caught(field: str) -> None:
    def copy(state: Any) -> Any:
        twin = REAL.copy(state)
        setattr(twin, field, getattr(state, field))
        return twin

    state, rules = REAL.setup(Options(), 2, SEED), broken(copy=copy)
    with pytest.raises(AssertionError, match="changed with its"):
        copy_is_independent(rules, state, Random(3), CASE.plies(2))


def test_an_imagination_that_forgets_is_caught() -> None:
    def determinize(view: Any, events: Sequence[Any], rng: Random) -> Any:
        state = REAL.determinize(view, events, rng)
        state.gems[0] += 1
        return state

    state = REAL.setup(Options(), 2, SEED)
    sent = [sent_to(seat, REAL.opening(state)) for seat in range(2)]
    imagines_what_fits(CASE, REAL, state, sent, Random(2), CASE.plies(2))
    with pytest.raises(AssertionError):
        imagines_what_fits(
            CASE, broken(determinize=determinize), state, sent, Random(2), CASE.plies(2)
        )


def test_the_walks_come_to_tiles_that_fit_nowhere() -> None:
    """Or the laws would never see a purchase that ends its turn."""
    discards = 0
    for state, seat, action in positions(4):
        events = REAL.apply(REAL.copy(state), seat, action, BEGINNING)
        discards += sum(isinstance(told.event, Discarded) for told in events)
    assert discards
