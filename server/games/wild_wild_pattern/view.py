"""What a seat may see, states that fit what it has seen, and which chances it had in a match."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from protocol.games.wild_wild_pattern import (
    Click,
    Declared,
    Event,
    Pass,
    Phase,
    Reshuffled,
    RoundBegan,
    Shoot,
    View,
)
from protocol.games.wild_wild_pattern.bank import Prize, plays, prize
from protocol.games.wild_wild_pattern.cards import CARDS, Pattern, is_pattern
from protocol.ids import Seat
from server.games.contract import Chance, PastPly
from server.games.wild_wild_pattern.race import to_act
from server.games.wild_wild_pattern.state import (
    CLICK,
    State,
    Try,
    fresh,
)


def own(state: State, seat: int) -> dict[str, Any]:
    """What a seat's view has in place of a spectator's."""
    return {
        "seat": seat,
        "card": 0 if state.phase is Phase.READY else state.hand[seat],
        "aimed": next((a_try.place for a_try in state.tries if a_try.seat == seat), None),
    }


def public(state: State) -> View:
    """What everybody may see."""
    alike = {**_alike(state), "out": bytes(sorted(state.out))}
    return View(
        **alike,
        left=len(state.deck),
        in_hand=[card != 0 for card in state.hand],
        waiting=[due_ms is not None for due_ms in state.waits],
        takes=state.takes[0][1] if state.takes else 0,
        outcome=state.result,
        options=state.options,
    )


_KEPT: Final = tuple(
    name
    for name in View.__struct_fields__
    if name in State.__slots__ and name not in ("options", "takes")
)
"""What a view and a state call alike, and mean alike."""


def _alike(one: State | View) -> dict[str, Any]:
    """What they have of it; a list is a copy."""
    found = ((name, getattr(one, name)) for name in _KEPT)
    return {name: value[:] if isinstance(value, list) else value for name, value in found}


# Imagine a state that fits what a seat has been sent: shuffle the cards it has not seen.


def determinize(view: View, own_events: Sequence[Event], rng: Random) -> State:
    """See `Rules.determinize`: the deck and what is in other hands are imagined, and the shuffles
    to come. No shot of the others is under way, and all lines are quick."""
    state = fresh(view.options, len(view.won), rng.randbytes(32))
    state.shuffles = sum(isinstance(event, RoundBegan | Reshuffled) for event in own_events)
    for name, value in _alike(view).items():
        setattr(state, name, value)
    state.waits = [view.due_ms or 0 if waits else None for waits in view.waiting]
    if view.aimed is not None and view.seat is not None:
        state.tries = (Try(0, view.seat, view.aimed),)
    if view.phase is not Phase.READY and view.round:
        state.lags = (0,) * state.seats
    state.result = view.outcome
    state.takes = _takes(state, view)
    state.layers = _layers(state, view)
    _deal(state, view, rng)
    return state


def _takes(state: State, view: View) -> tuple[tuple[int, int], ...]:
    """A winner takes all; else the others take one each, from the offender's right on."""
    if view.phase is not Phase.TAKE or view.acting is None:
        return ()
    if view.winner is not None:
        return ((view.acting, view.takes),)
    order = state.from_the_right_of(view.ended_by)
    return tuple((seat, 1) for seat in order[order.index(view.acting) :])


def _layers(state: State, view: View) -> tuple[int, ...]:
    if view.phase is not Phase.LAY:
        return ()
    order = [*state.from_the_right_of(view.ended_by), view.ended_by]
    return tuple(seat for seat in order if view.in_hand[seat])


def _deal(state: State, view: View, rng: Random) -> None:
    """Hands that were seen hold Pattern cards: a Challenge card would lie face up."""
    known = {*view.wheel, *view.out, view.card, view.covered, view.clicked}
    known.update(*view.won, *view.challenges)
    unseen = [card for card in CARDS if card not in known]
    rng.shuffle(unseen)
    if view.phase is not Phase.READY:
        unseen.sort(key=is_pattern, reverse=True)
    for seat, holds in enumerate(view.in_hand):
        if holds:
            own = seat == view.seat and view.card
            state.hand[seat] = view.card if own else unseen.pop(0)
    rng.shuffle(unseen)
    state.deck = bytes(unseen)


# Which cards a seat could shoot with in a match that is over, and what it did with each.
#
# Law: what is told of a card is what its seat was sent by the time that it acted, or could no more;
# and what all were told of its shot.


class _Open(NamedTuple):
    """A card with which the seat may shoot now. `key`: the same during one chance."""

    key: tuple[Any, ...]
    began_ms: int
    seen_ms: int
    view: View


def chances(plies: Sequence[PastPly], seat: Seat) -> Iterator[Chance]:
    """See `contract.Game.chances`."""
    opened: _Open | None = None
    phase: tuple[Any, ...] = ()
    began_ms = 0
    for number, ply in enumerate(plies):
        if opened is not None and ply.seat == seat and isinstance(ply.action, Shoot | Click | Pass):
            yield _chance(opened, plies[number:], number, ply.action)
            opened = None
        state: State = ply.state
        newest = (state.round, state.turn, state.phase)
        phase, began_ms = newest, began_ms if newest == phase else ply.at_ms
        card = _card(state, seat)
        key = (*phase, card)
        if opened is not None and opened.key != key:
            yield _chance(opened, plies[number:], number, None)
            opened = None
        if card and opened is None:
            seen = replace(public(state), **own(state, seat))
            opened = _Open(key, began_ms, ply.at_ms, seen)


def _card(state: State, seat: Seat) -> int:
    """With which the seat may shoot; 0: it may not."""
    if state.phase not in (Phase.RACE, Phase.CLICKED) or seat not in to_act(state):
        return 0
    return state.hand[seat] if state.phase is Phase.RACE else state.clicked


def _chance(
    opened: _Open, course: Sequence[PastPly], number: int, action: Shoot | Click | Pass | None
) -> Chance:
    """`course`: from the ply of that `number` on, which is the action's."""
    seen = opened.view
    card = seen.clicked or seen.card
    own, win = seen.won[seen.seat or 0], seen.options.five_colours_win
    gains: dict[tuple[int, Pattern | None], Prize] = {
        (one.place, one.pattern): prize(own, seen.wheel, card, one, five_colours_win=win)
        for one in plays(seen.wheel, card, in_pair=seen.options.in_pair)
    }
    place = action.place if isinstance(action, Shoot) else CLICK if action == Click() else None
    came = _came(course, seen) if isinstance(action, Shoot) else None
    if came is not None:
        number = next(n for n, ply in enumerate(course, number) if ply.state.declared is came)
    hit = came is not None and came.anchors > 0
    missed = not hit
    if came is None:
        shot = place not in (CLICK, None)
        worth = any(gain > Prize.CLOSED for gain in gains.values())
        missed = place not in {at for at, _pattern in gains} if shot else worth
    elif hit:
        gain, best = gains[came.place, came.pattern], max(gains.values())
        missed = gain < best and (gain is Prize.NOTHING or best is Prize.MATCH)
    tried_ms = None if place is None else course[0].at_ms
    return Chance(number, seen, opened.began_ms, opened.seen_ms, tried_ms, place, missed, hit, came)


def _came(course: Sequence[PastPly], seen: View) -> Declared | None:
    """What the shot with which this course begins led to; None: somebody was quicker."""
    decided = (ply.state for ply in course if ply.state.phase is not seen.phase)
    first: State | None = next(decided, None)
    if first is None or first.phase is not Phase.DECLARE or first.acting != seen.seat:
        return None
    return next((state.declared for state in decided if state.declared is not None), None)
