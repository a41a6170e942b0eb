"""Who may do what in Wild Wild Pattern, and why not.

The order of `legal_actions`: places ascending, then a Click!; patterns as in `PATTERNS`; uses as
`uses` gives them; a Pass comes last.
"""

from collections.abc import Sequence
from typing import Final

from protocol.errors import Refusal, RefusalCode
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
from protocol.games.wild_wild_pattern.cards import PATTERNS, PLACES, places_to_lay, places_to_take
from protocol.ids import Seat
from server.games.wild_wild_pattern.challenges import uses
from server.games.wild_wild_pattern.state import (
    CHALLENGE,
    CLICKED,
    DECLARE,
    LAY,
    OVER,
    RACE,
    READY,
    TAKE,
    State,
)

_SHOTS: Final = tuple(Shoot(place) for place in range(PLACES))
_ANSWERS: Final = tuple(Shoot(place, clicked=True) for place in range(PLACES))
_TAKES: Final = tuple(Take(place) for place in range(PLACES))
_LAYS: Final = tuple(Lay(place) for place in range(PLACES))
_DECLARATIONS: Final = tuple(map(Declare, PATTERNS))
_TOGETHER: Final = (READY, RACE, CLICKED)
_ALWAYS: Final[dict[Phase, tuple[Action, ...]]] = {
    READY: (Ready(),),
    RACE: (*_SHOTS, Click()),
    CLICKED: (*_ANSWERS, Pass()),
    DECLARE: (*_DECLARATIONS, Pass()),
}
"""What is legal in a phase, whatever lies on the table."""


def to_act(state: State) -> Sequence[Seat]:
    """Everybody at once while one gets ready, races or answers a Click!; else one seat."""
    if state.phase in _TOGETHER:
        return [seat for seat in state.in_match() if _why_not_now(state, seat) is None]
    return () if state.acting is None else (Seat(state.acting),)


def _may_act(state: State, seat: int) -> bool:
    if state.phase in _TOGETHER:
        return state.standing[seat] and _why_not_now(state, seat) is None
    return seat == state.acting


def legal_actions(state: State, seat: Seat) -> Sequence[Action]:
    """Every legal action once; empty when the seat is not to act."""
    if not _may_act(state, seat):
        return ()
    phase = state.phase
    if phase is TAKE:
        return [_TAKES[place] for place in places_to_take(state.wheel, state.barred)]
    if phase is CHALLENGE:
        return (*uses(state, seat), Pass())
    if phase is LAY:
        return [_LAYS[place] for place in places_to_lay(state.wheel, state.hand[seat])]
    actions = _ALWAYS[phase]
    return (*actions, Pass()) if phase is RACE and state.unhurried else actions


# Why not -----------------------------------------------------------------------------------------


def refuse(state: State, seat: Seat, action: Action) -> Refusal | None:
    """Why the action is impossible, or None."""
    if state.phase is OVER:
        return Refusal(RefusalCode.MATCH_OVER)
    if not state.standing[seat]:
        return Refusal(Refused.ELIMINATED)
    if state.phase not in _phases(action):
        return Refusal(Refused.WRONG_PHASE, {"phase": state.phase.value})
    if (refusal := _refuse_now(state, seat)) is not None:
        return refusal
    match action:
        case Pass():
            hurried = state.phase is RACE and not state.unhurried
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
        return (CLICKED,) if action.clicked else (RACE,)
    return _PHASES[type(action)]


_PHASES: Final[dict[type, tuple[Phase, ...]]] = {
    Ready: (READY,),
    Click: (RACE,),
    Declare: (DECLARE,),
    Take: (TAKE,),
    Use: (CHALLENGE,),
    Lay: (LAY,),
    Pass: (RACE, CLICKED, DECLARE, CHALLENGE),
}


def _refuse_now(state: State, seat: int) -> Refusal | None:
    """Why this seat may do nothing in this phase."""
    if state.phase in _TOGETHER:
        code = _why_not_now(state, seat)
        return None if code is None else Refusal(code)
    if state.acting is not None and seat != state.acting:
        return Refusal(RefusalCode.NOT_YOUR_TURN, {"seat": state.acting})
    return None


def _why_not_now(state: State, seat: int) -> Refused | None:
    """The same while all may act at once. A measured hot path."""
    if state.phase is READY:
        return Refused.ALREADY_READY if state.done[seat] else None
    if state.phase is CLICKED and seat == state.clicker:
        return Refused.OWN_CLICK
    if state.done[seat]:
        return Refused.ALREADY_PASSED
    for a_try in state.tries:
        if a_try.seat == seat:
            return Refused.ALREADY_SHOT
    no_card = state.phase is RACE and not state.hand[seat]
    return Refused.NO_CARD if no_card else None


def _refuse_take(state: State, take: Take) -> Refusal | None:
    if take.place in places_to_take(state.wheel, state.barred):
        return None
    code = Refused.BARRED if state.wheel[take.place] else Refused.GAP_THERE
    return Refusal(code, {"place": take.place})


def _refuse_use(state: State, seat: int, use: Use) -> Refusal | None:
    if use.challenge not in state.challenges[seat]:
        return Refusal(Refused.NOT_YOUR_CHALLENGE, {"card": use.challenge})
    if use not in uses(state, seat):
        return Refusal(Refused.CANNOT_DO_THAT, {"card": use.challenge})
    return None


def _refuse_lay(state: State, seat: int, lay: Lay) -> Refusal | None:
    if lay.place in places_to_lay(state.wheel, state.hand[seat]):
        return None
    has_gaps = 0 in state.wheel
    code = Refused.FILL_A_GAP if has_gaps else Refused.SAME_COLOUR_FIRST
    return Refusal(code, {"place": lay.place})
