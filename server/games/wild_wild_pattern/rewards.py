"""What a declaration brings: cards of the Wheel, or a card for each of the others.

Rules: A turn, 3.
"""

from protocol.games.wild_wild_pattern import (
    DecidedBy,
    Declared,
    PlayedInPair,
    WentOut,
    Won,
)
from protocol.games.wild_wild_pattern.pattern import (
    MIN_ANCHORS,
    Fault,
    Pairs,
    Pattern,
    judged,
)
from server.games.wild_wild_pattern.addressing import Told, to_all
from server.games.wild_wild_pattern.challenges import give
from server.games.wild_wild_pattern.scoring import end_match
from server.games.wild_wild_pattern.state import State
from server.games.wild_wild_pattern.turn_end import claim, let_take


def declare(
    state: State, seat: int, pattern: Pattern | None, now_ms: int, *, late: bool = False
) -> Told:
    """None is no declaration, which is a wrong one; `late`: there is none because of the time."""
    found = None if pattern is None else _judge(state, pattern)
    state.declared = _declared(state, seat, pattern, found, late=late)
    told = to_all(state.declared)
    if pattern is None or not isinstance(found, Pairs):
        return told + _miss(state, seat, now_ms)
    if found.is_wild:
        end_match(state, [seat], DecidedBy.WILD_PATTERN)
        return told
    state.winner = seat
    more = len(found.anchors) > MIN_ANCHORS
    reward = _suit_reward if pattern.has_suit else _colour_reward
    return told + reward(state, seat, more, now_ms)


def _declared(
    state: State, seat: int, pattern: Pattern | None, found: Pairs | Fault | None, *, late: bool
) -> Declared:
    assert state.place is not None
    right = found if isinstance(found, Pairs) else None
    return Declared(
        seat,
        pattern,
        len(right.anchors) if right else 0,
        wild=right is not None and right.is_wild,
        fault=found if isinstance(found, Fault) else None,
        late=late,
        wheel=state.wheel,
        place=state.place,
        covered=state.covered,
    )


def _judge(state: State, pattern: Pattern) -> Pairs | Fault:
    assert state.place is not None
    in_pair = state.options.played_in_pair is PlayedInPair.REQUIRED
    return judged(state.wheel, state.place, state.covered, pattern, in_pair=in_pair)


def _suit_reward(state: State, seat: int, more: bool, now_ms: int) -> Told:
    """The covered card; where the pattern repeats twice or more, the played one as well."""
    assert state.place is not None
    covered, state.covered = state.covered, 0
    give(state, seat, covered)
    told = to_all(Won(seat, covered))
    if more:
        played = state.wheel[state.place]
        give(state, seat, played)
        state.put(state.place, 0)
        told += to_all(Won(seat, played, state.place))
    return told + claim(state, now_ms)


def _colour_reward(state: State, seat: int, more: bool, now_ms: int) -> Told:
    """Any card but the played one; where the pattern repeats twice or more, any two."""
    covered, state.covered = state.covered, 0
    state.discard(covered)
    state.barred = None if more else state.place
    return to_all(WentOut(covered)) + let_take(state, [(seat, 1 + more)], now_ms)


def _miss(state: State, seat: int, now_ms: int) -> Told:
    """The played card leaves the game, the covered one is on the Wheel again, and each of the
    others takes a card, from the right on; the clicker as one of them."""
    assert state.place is not None
    played = state.wheel[state.place]
    state.put(state.place, state.covered)
    state.covered = 0
    state.discard(played)
    takes = [(other, 1) for other in state.from_the_right_of(seat)]
    return to_all(WentOut(played)) + let_take(state, takes, now_ms)
