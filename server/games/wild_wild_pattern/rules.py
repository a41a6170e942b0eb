"""Who may do what in Wild Wild Pattern, and why not; what it does, and what the clock does.

The order of `legal_actions`: places ascending, then a Click!; patterns as in `PATTERNS`; uses as
`uses` gives them; a Pass comes last.
"""

from collections.abc import Sequence
from typing import Final, assert_never

from protocol.errors import Refusal, RefusalCode
from protocol.games.wild_wild_pattern import (
    Action,
    Click,
    Declare,
    Event,
    Lay,
    Pass,
    Passed,
    Phase,
    Ready,
    Refused,
    Shoot,
    Take,
    Use,
)
from protocol.games.wild_wild_pattern.cards import PATTERNS, PLACES, places_to_lay, places_to_take
from protocol.ids import Seat
from server.games.contract import Addressed, Moment
from server.games.wild_wild_pattern import race
from server.games.wild_wild_pattern.challenges import uses
from server.games.wild_wild_pattern.race import (
    TOGETHER,
    challenge,
    conclude,
    declare,
    lay,
    may_act,
    plain_prize,
    take,
    why_not_now,
)
from server.games.wild_wild_pattern.state import (
    CLICK,
    State,
    Told,
    to_all,
)

_SHOTS: Final = tuple(Shoot(place) for place in range(PLACES))
_ANSWERS: Final = tuple(Shoot(place, clicked=True) for place in range(PLACES))
_DECLARATIONS: Final = tuple(map(Declare, PATTERNS))
_ALWAYS: Final[dict[Phase, tuple[Action, ...]]] = {
    Phase.READY: (Ready(),),
    Phase.RACE: (*_SHOTS, Click()),
    Phase.CLICKED: (*_ANSWERS, Pass()),
    Phase.DECLARE: (*_DECLARATIONS, Pass()),
}
"""What is legal in a phase, whatever lies on the table."""


def legal_actions(state: State, seat: Seat) -> Sequence[Action]:
    """Every legal action once; empty when the seat is not to act."""
    if not may_act(state, seat):
        return ()
    phase = state.phase
    if phase is Phase.TAKE:
        return [Take(place) for place in places_to_take(state.wheel, state.barred)]
    if phase is Phase.CHALLENGE:
        return (*uses(state, seat), Pass())
    if phase is Phase.LAY:
        return [Lay(place) for place in places_to_lay(state.wheel, state.hand[seat])]
    actions = _ALWAYS[phase]
    return (*actions, Pass()) if phase is Phase.RACE and state.options.practises else actions


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
            hurried = state.phase is Phase.RACE and not state.options.practises
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
    if state.phase in TOGETHER:
        code = why_not_now(state, seat)
        return None if code is None else Refusal(code)
    if state.acting is not None and seat != state.acting:
        return Refusal(RefusalCode.NOT_YOUR_TURN, {"seat": state.acting})
    return None


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


# What it does -------------------------------------------------------------------------------------


def apply(state: State, seat: Seat, action: Action, at: Moment) -> list[Addressed[Event]]:
    """Change the state in place. Only called after `refuse` said None."""
    state.hold = ()
    state.measured = at.lags_ms or (0,) * state.seats
    return _act(state, seat, action, at)


def _act(state: State, seat: Seat, action: Action, at: Moment) -> Told:
    now_ms = at.at_ms
    match action:
        case Ready():
            return race.get_ready(state, seat, now_ms)
        case Shoot(place=place):
            return race.attempt(state, seat, place, at)
        case Click():
            return race.attempt(state, seat, CLICK, at)
        case Declare(pattern=pattern):
            return declare(state, seat, pattern, now_ms)
        case Take():
            return take(state, seat, action, now_ms)
        case Use():
            return challenge(state, seat, action, now_ms)
        case Lay():
            return lay(state, seat, action, now_ms)
        case Pass():
            return _pass(state, seat, now_ms)
        case _:
            assert_never(action)


def _pass(state: State, seat: Seat, now_ms: int) -> Told:
    if state.phase is Phase.DECLARE:
        return declare(state, seat, None, now_ms)
    if state.phase is Phase.CHALLENGE:
        return to_all(Passed(seat)) + conclude(state, now_ms)
    return race.give_way(state, seat, now_ms)


# The clock ---------------------------------------------------------------------------------------


def deadline(state: State) -> int | None:
    """When the clock does something next: a race is decided, a card replaced, or a phase ends."""
    due = [due_ms for due_ms in state.waits if due_ms is not None]
    if (decided_ms := race.decision_ms(state)) is not None:
        due.append(decided_ms)
    elif state.due_ms is not None:
        due.append(state.due_ms)
    return min(due, default=None)


def tick(state: State, now_ms: int) -> list[Addressed[Event]]:
    """One of these things, in this order."""
    state.hold = ()
    if race.first_try(state) is not None and race.decision_ms(state) == now_ms:
        return race.decide(state, now_ms)
    if now_ms in state.waits:
        return race.end_wait(state, state.waits.index(now_ms), now_ms)
    return _time_is_up(state, now_ms)


def _time_is_up(state: State, now_ms: int) -> Told:
    if state.phase is Phase.READY:
        return race.look(state, now_ms)
    if state.phase is Phase.RACE or state.phase is Phase.CLICKED:
        return race.decide(state, now_ms)
    return _choose(state, now_ms)


def _choose(state: State, now_ms: int) -> Told:
    """For a seat that does not: nothing is declared or used, a plain prize is taken, and a card is
    laid on the lowest place."""
    assert state.acting is not None
    seat = Seat(state.acting)
    if state.phase is Phase.DECLARE:
        return declare(state, seat, None, now_ms, late=True)
    if state.phase is Phase.TAKE:
        return take(state, seat, plain_prize(state, seat), now_ms, late=True)
    offered = legal_actions(state, seat)
    wish = Pass() if state.phase is Phase.CHALLENGE else offered[0]
    return _act(state, seat, wish, Moment(now_ms))
