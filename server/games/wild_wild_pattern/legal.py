"""Who may do what in Wild Wild Pattern, and why not.

The order of `legal_actions`: places ascending, then a Click!; patterns as in `PATTERNS`; uses as
`uses` gives them; a Pass comes last.
"""

from collections.abc import Sequence
from typing import Final

from protocol.games.wild_wild_pattern import (
    Action,
    Click,
    Declare,
    Lay,
    Pass,
    Phase,
    Ready,
    Refused,
    Shoot,
    Take,
    Use,
)
from protocol.games.wild_wild_pattern.cards import colour_of
from protocol.games.wild_wild_pattern.pattern import PATTERNS, PLACES
from protocol.ids import Seat
from protocol.refusal import Refusal, RefusalCode
from server.games.wild_wild_pattern.challenges import uses
from server.games.wild_wild_pattern.state import State

_SHOTS: Final = tuple(Shoot(place) for place in range(PLACES))
_ANSWERS: Final = tuple(Shoot(place, clicked=True) for place in range(PLACES))
_TAKES: Final = tuple(Take(place) for place in range(PLACES))
_LAYS: Final = tuple(Lay(place) for place in range(PLACES))
_DECLARATIONS: Final = tuple(map(Declare, PATTERNS))


def to_act(state: State) -> Sequence[Seat]:
    """Everybody at once while one gets ready, races or answers a Click!; else one seat."""
    match state.phase:
        case Phase.READY:
            return [Seat(seat) for seat in state.in_match() if not state.done[seat]]
        case Phase.RACE:
            return [Seat(seat) for seat in state.in_match() if _why_no_race(state, seat) is None]
        case Phase.CLICKED:
            return [Seat(seat) for seat in state.in_match() if _why_no_answer(state, seat) is None]
        case _:
            return () if state.acting is None else (Seat(state.acting),)


def legal_actions(state: State, seat: Seat) -> Sequence[Action]:
    """Every legal action once; empty when the seat is not to act."""
    if seat not in to_act(state):
        return ()
    match state.phase:
        case Phase.READY:
            return (Ready(),)
        case Phase.RACE:
            return (*_SHOTS, Click(), *((Pass(),) if state.unhurried else ()))
        case Phase.CLICKED:
            return (*_ANSWERS, Pass())
        case Phase.DECLARE:
            return (*_DECLARATIONS, Pass())
        case Phase.TAKE:
            return [take for take in _TAKES if _refuse_take(state, take) is None]
        case Phase.CHALLENGE:
            return (*uses(state, seat), Pass())
        case _:
            return [_LAYS[place] for place in places_to_lay(state, state.hand[seat])]


def places_to_lay(state: State, card: int) -> list[int]:
    """A gap if there is one, else a card of the same colour if there is one, else any place
    (rules: A turn, 6)."""
    gaps = [place for place in range(PLACES) if not state.wheel[place]]
    if gaps:
        return gaps
    colour = colour_of(card)
    same = [place for place in range(PLACES) if colour_of(state.wheel[place]) == colour]
    return same or list(range(PLACES))


# Why not -----------------------------------------------------------------------------------------


def refuse(state: State, seat: Seat, action: Action) -> Refusal | None:
    """Why the action is impossible, or None."""
    if state.phase is Phase.OVER:
        return Refusal(RefusalCode.MATCH_OVER)
    if not state.standing[seat]:
        return Refusal(Refused.ELIMINATED)
    if state.phase not in _phases(action):
        return Refusal(Refused.WRONG_PHASE, {"phase": state.phase.value})
    if (refusal := _refuse_now(state, seat)) is not None:
        return refusal
    match action:
        case Pass():
            hurried = state.phase is Phase.RACE and not state.unhurried
            return Refusal(Refused.ONLY_IN_PRACTICE) if hurried else None
        case Declare(pattern=pattern):
            return None if pattern.is_well_formed else Refusal(Refused.NO_OBJECT)
        case Take():
            return _refuse_take(state, action)
        case Use():
            return _refuse_use(state, seat, action)
        case Lay():
            return _refuse_lay(state, seat, action)
        case _:
            return None


def _phases(action: Action) -> tuple[Phase, ...]:
    """When it may be possible at all."""
    if isinstance(action, Shoot):
        return (Phase.CLICKED,) if action.clicked else (Phase.RACE,)
    return _PHASES[type(action)]


_PHASES: Final[dict[type, tuple[Phase, ...]]] = {
    Ready: (Phase.READY,),
    Click: (Phase.RACE,),
    Declare: (Phase.DECLARE,),
    Take: (Phase.TAKE,),
    Use: (Phase.CHALLENGE,),
    Lay: (Phase.LAY,),
    Pass: (Phase.RACE, Phase.CLICKED, Phase.DECLARE, Phase.CHALLENGE),
}


def _refuse_now(state: State, seat: int) -> Refusal | None:
    """Why this seat may do nothing in this phase."""
    match state.phase:
        case Phase.READY:
            return Refusal(Refused.ALREADY_READY) if state.done[seat] else None
        case Phase.RACE:
            code = _why_no_race(state, seat)
        case Phase.CLICKED:
            code = _why_no_answer(state, seat)
        case _ if state.acting is not None and seat != state.acting:
            return Refusal(RefusalCode.NOT_YOUR_TURN, {"seat": state.acting})
        case _:
            return None
    return None if code is None else Refusal(code)


def _why_no_race(state: State, seat: int) -> Refused | None:
    return _why_no_try(state, seat) or (None if state.hand[seat] else Refused.NO_CARD)


def _why_no_answer(state: State, seat: int) -> Refused | None:
    return Refused.OWN_CLICK if seat == state.clicker else _why_no_try(state, seat)


def _why_no_try(state: State, seat: int) -> Refused | None:
    if state.done[seat]:
        return Refused.ALREADY_PASSED
    has_tried = any(a_try.seat == seat for a_try in state.tries)
    return Refused.ALREADY_SHOT if has_tried else None


def _refuse_take(state: State, take: Take) -> Refusal | None:
    if not state.wheel[take.place]:
        return Refusal(Refused.GAP_THERE, {"place": take.place})
    if take.place == state.barred:
        return Refusal(Refused.BARRED, {"place": take.place})
    return None


def _refuse_use(state: State, seat: int, use: Use) -> Refusal | None:
    if use.challenge not in state.challenges[seat]:
        return Refusal(Refused.NOT_YOUR_CHALLENGE, {"card": use.challenge})
    if use not in uses(state, seat):
        return Refusal(Refused.CANNOT_DO_THAT, {"card": use.challenge})
    return None


def _refuse_lay(state: State, seat: int, lay: Lay) -> Refusal | None:
    if lay.place in places_to_lay(state, state.hand[seat]):
        return None
    has_gaps = 0 in state.wheel
    code = Refused.FILL_A_GAP if has_gaps else Refused.SAME_COLOUR_FIRST
    return Refusal(code, {"place": lay.place})
