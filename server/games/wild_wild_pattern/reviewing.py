"""Which cards a seat could shoot with in a match that is over, and what it did with each.

Law: what is told of a card is what its seat was sent by the time that it acted, or could no more;
and what all were told of its shot.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from protocol.games.wild_wild_pattern import Click, Declared, Pass, PlayedInPair, Shoot, View
from protocol.games.wild_wild_pattern.bank import plays
from protocol.ids import Seat
from server.games.contract import Chance, Passed
from server.games.wild_wild_pattern.legal import to_act
from server.games.wild_wild_pattern.state import CLICK, CLICKED, DECLARE, RACE, State
from server.games.wild_wild_pattern.view import view


class _Open(NamedTuple):
    """A card with which the seat may shoot now. `key`: the same during one chance."""

    key: tuple[Any, ...]
    began_ms: int
    seen_ms: int
    view: View


def chances(plies: Sequence[Passed], seat: Seat) -> Iterator[Chance]:
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
            opened = _Open(key, began_ms, ply.at_ms, view(state, seat))


def _card(state: State, seat: Seat) -> int:
    """With which the seat may shoot; 0: it may not."""
    if state.phase not in (RACE, CLICKED) or seat not in to_act(state):
        return 0
    return state.hand[seat] if state.phase is RACE else state.clicked


def _chance(
    opened: _Open, course: Sequence[Passed], number: int, action: Shoot | Click | Pass | None
) -> Chance:
    """`course`: from the ply of that `number` on, which is the action's."""
    seen = opened.view
    card = seen.clicked or seen.card
    in_pair = seen.options.played_in_pair is PlayedInPair.REQUIRED
    right = {play.place for play in plays(seen.wheel, card, in_pair=in_pair)}
    place = action.place if isinstance(action, Shoot) else CLICK if action == Click() else None
    came = _came(course, seen) if isinstance(action, Shoot) else None
    hit = came is not None and came.anchors > 0
    missed = bool(right) if place in (CLICK, None) else place not in right
    missed = missed if came is None else not hit
    tried_ms = None if place is None else course[0].at_ms
    return Chance(number, seen, opened.began_ms, opened.seen_ms, tried_ms, place, missed, hit, came)


def _came(course: Sequence[Passed], seen: View) -> Declared | None:
    """What the shot with which this course begins led to; None: somebody was quicker."""
    decided = (ply.state for ply in course if ply.state.phase is not seen.phase)
    first: State | None = next(decided, None)
    if first is None or first.phase is not DECLARE or first.acting != seen.seat:
        return None
    return next((state.declared for state in decided if state.declared is not None), None)
