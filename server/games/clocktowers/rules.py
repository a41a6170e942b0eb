"""The rules of Clocktowers: who may do what and why not, what an action does, and who wins."""

from bisect import insort
from collections.abc import Sequence
from typing import Final

from protocol.errors import Refusal, RefusalCode
from protocol.games import Switch
from protocol.games.clocktowers import (
    ANIMALS,
    BOX,
    CODES,
    FIRST_CLOCK,
    FIRST_ROOF,
    STOREYS,
    Action,
    Choice,
    Completed,
    DecidedBy,
    Discard,
    Discarded,
    Draw,
    Drew,
    Event,
    Outcome,
    Phase,
    Pile,
    Play,
    Played,
    Refused,
    YouDiscarded,
    tower_points,
)
from protocol.ids import Seat
from server.games.clocktowers.state import (
    DRAW,
    NOBODY,
    OVER,
    PLAY,
    TURNS,
    State,
    after_discard,
    after_draw,
    after_play,
    certain,
)
from server.games.contract import Addressed, Moment

# Who may do what in Clocktowers, and why not.
#
# Actions are interned in tables: there are 887 of them. The order of `legal_actions`: plays, by
# card byte ascending, each card first on a new tower, then on towers ascending; then discards, by
# card byte; or draws, by pile.


_ACTORS: Final[tuple[tuple[Seat, ...], ...]] = (*((Seat(seat),) for seat in range(4)), ())
_NEW: Final = tuple(Play(card, None) for card in range(len(CODES)))
_PLAYS: Final = tuple(
    tuple(Play(card, tower) for tower in range(BOX)) for card in range(len(CODES))
)
_DISCARDS: Final = tuple(Discard(card) for card in range(len(CODES)))
_DRAWS: Final = tuple(
    tuple(Draw(pile) for pile in range(3) if open_piles >> pile & 1) for open_piles in range(8)
)


def to_act(state: State) -> Sequence[Seat]:
    """The one seat whose turn it is; none when the match is over."""
    return _ACTORS[state.turn]


def legal_actions(state: State, seat: int) -> Sequence[Action]:
    """Every legal action once, in the module's order (rules: A turn). A measured hot loop."""
    if seat != state.turn:
        return ()
    if state.phase == DRAW:
        return _DRAWS[state.open_piles]
    actions: list[Action] = []
    discards: list[Action] = []
    last = 0
    bare = state.bare[seat]
    for card in state.hands[seat]:
        if card == last:
            continue
        last = card
        discards.append(_DISCARDS[card])
        row = _PLAYS[card]
        if card < FIRST_ROOF:
            if card < FIRST_CLOCK:
                actions.append(_NEW[card])
            for tower in bare:
                actions.append(row[tower])
        else:
            fits = state.ladder[state.rows[seat] + card - FIRST_ROOF]
            heights = state.heights[seat]
            for tower in state.clocked[seat]:
                if fits >> heights[tower] & 1:
                    actions.append(row[tower])
    actions += discards
    return actions


def refuse(state: State, seat: int, action: Action) -> Refusal | None:
    """Why the action is impossible, or None. Looks at that action alone."""
    if state.phase == OVER:
        return Refusal(RefusalCode.MATCH_OVER)
    if seat != state.turn:
        return Refusal(RefusalCode.NOT_YOUR_TURN)
    drawing = state.phase == DRAW
    if isinstance(action, Draw) != drawing:
        return Refusal(Refused.WRONG_PHASE, {"phase": Phase.DRAW if drawing else Phase.PLAY})
    if isinstance(action, Draw):
        if not 0 <= action.pile <= Pile.ROOF or not state.left[action.pile]:
            return Refusal(Refused.PILE_EMPTY, {"pile": action.pile})
        return None
    if action.card not in state.hands[seat]:
        return Refusal(Refused.NOT_IN_HAND, {"card": action.card})
    if isinstance(action, Discard):
        return None
    return _refuse_play(state, seat, action.card, action.tower)


def _refuse_play(state: State, seat: int, card: int, tower: int | None) -> Refusal | None:
    """Rules: A turn, Floor and Clock; which tower takes which card."""
    if tower is None:
        if card < FIRST_CLOCK:
            return None
        return Refusal(Refused.NEEDS_TOWER, {"card": card})
    towers = len(state.towers[seat])
    if not 0 <= tower < towers:
        return Refusal(Refused.NO_SUCH_TOWER, {"tower": tower, "towers": towers})
    if state.worth[seat][tower]:
        return Refusal(Refused.TOWER_COMPLETE, {"tower": tower})
    has_clock = tower in state.clocked[seat]
    if card >= FIRST_ROOF:
        if not has_clock:
            return Refusal(Refused.NO_CLOCK, {"tower": tower})
        return _refuse_height(state, seat, card, tower)
    if has_clock:
        return Refusal(Refused.HAS_CLOCK, {"tower": tower, "card": card})
    return None


def _refuse_height(state: State, seat: int, roof: int, tower: int) -> Refusal | None:
    """Rules: A turn, Roof; The ladder of heights."""
    fits = state.ladder[state.rows[seat] + roof - FIRST_ROOF]
    height = state.heights[seat][tower]
    if fits >> height & 1:
        return None
    heights = [step for step in range(fits.bit_length()) if fits >> step & 1]
    return Refusal(
        Refused.WRONG_HEIGHT, {"tower": tower, "card": roof, "height": height, "heights": heights}
    )


# Who wins (rules: Ties).


def outcome(state: State) -> Outcome | None:
    """The result, or None while the match runs."""
    if state.phase != OVER:
        return None
    scores, late = tuple(state.points), state.late
    winners, decided_by = _winners(state)
    if late is not None:
        decided_by = DecidedBy.LEFT if state.gone else DecidedBy.TIME
    return Outcome(scores=scores, winners=tuple(winners), decided_by=decided_by, late=late)


def lose(state: State, seat: Seat, gone: bool) -> None:
    """The match is over, and this seat has not won it."""
    state.late, state.gone, state.turn, state.phase = seat, gone, NOBODY, OVER


def _winners(state: State) -> tuple[list[int], DecidedBy]:
    """Most points; then a mouse, then a cat on a topmost floor card; then shared (rules: Ties)."""
    level = [seat for seat in range(state.seats) if seat != state.late]
    best = max([state.points[seat] for seat in level])
    level = [seat for seat in level if state.points[seat] == best]
    if len(level) == 1:
        return level, DecidedBy.POINTS
    for animal, step in (("m", DecidedBy.MOUSE), ("c", DecidedBy.CAT)):
        level = [seat for seat in level if _has_on_top(state, seat, animal)] or level
        if len(level) == 1:
            return level, step
    return level, DecidedBy.SHARED


def _has_on_top(state: State, seat: int, animal: str) -> bool:
    """Whether the topmost floor card of a complete tower shows the animal (rules: Ties).

    A clock is not a floor: that card is third from the top, below clock and roof.
    """
    return any(
        worth and ANIMALS[tower[-3]] == animal
        for tower, worth in zip(state.towers[seat], state.worth[seat], strict=True)
    )


_BYTES: Final = tuple(bytes((card,)) for card in range(len(CODES)))

# A discard's two events are the same few over and over; making them is half its cost.
_DISCARDED: Final[tuple[Addressed[Event], ...]] = tuple(
    Addressed(None, Discarded(seat)) for seat in range(4)
)
_YOU_DISCARDED: Final[tuple[tuple[Addressed[Event], ...], ...]] = tuple(
    tuple(Addressed(Seat(seat), YouDiscarded(card)) for card in range(len(CODES)))
    for seat in range(4)
)


def apply(state: State, seat: int, action: Action, at: Moment) -> list[Addressed[Event]]:
    """Change the state in place; the action was not refused. Time plays no part."""
    advance(state, seat, action, at)
    return _told(state, seat, action)


def advance(state: State, seat: int, action: Action, at: Moment) -> None:
    """`apply` without its events. A measured hot path of every search."""
    if type(action) is Play:
        _play(state, seat, action.card, action.tower)
    elif isinstance(action, Draw):
        _draw(state, seat, action.pile)
    else:
        _discard(state, seat, action.card)


def _play(state: State, seat: int, card: int, tower: int | None) -> None:
    """Rules: A turn, Floor, Clock and Roof."""
    state.hands[seat].remove(card)
    if state.memory is not None:
        _remember(state, seat, after_play(state.memory[seat], card))
    heights = state.heights[seat]
    if tower is None:
        state.bare[seat].append(len(heights))
        heights.append(STOREYS[card])
        state.towers[seat].append(_BYTES[card])
        state.worth[seat] += b"\0"
    else:
        state.towers[seat][tower] += _BYTES[card]
        if card < FIRST_CLOCK:
            heights[tower] += STOREYS[card]
        elif card < FIRST_ROOF:
            state.bare[seat].remove(tower)
            insort(state.clocked[seat], tower)
        else:
            _complete(state, seat, card, tower)
    _end_card(state, seat)


def _complete(state: State, seat: int, roof: int, tower: int) -> None:
    """Rules: A turn, Roof; The ladder of heights; Score."""
    points = tower_points(state.towers[seat][tower], state.count_clock_mice)
    state.clocked[seat].remove(tower)
    worth = state.worth[seat]
    state.worth[seat] = worth[:tower] + bytes((points,)) + worth[tower + 1 :]
    state.points[seat] += points
    state.ladder[state.rows[seat] + roof - FIRST_ROOF] = 2 << state.heights[seat][tower]


def _discard(state: State, seat: int, card: int) -> None:
    """Rules: A turn, Discard."""
    state.hands[seat].remove(card)
    state.discards[seat] += _BYTES[card]
    if state.memory is not None:
        _remember(state, seat, after_discard(state.memory[seat]))
    _end_card(state, seat)


def _draw(state: State, seat: int, pile: int) -> None:
    """Rules: A turn, The draw."""
    left = state.left[pile]
    card = state.piles[pile][-left]
    state.left[pile] = left - 1
    if left == 1:
        state.open_piles ^= 1 << pile
    insort(state.hands[seat], card)
    if state.memory is not None:
        _remember(state, seat, after_draw(state.memory[seat], card))
    state.phase = PLAY
    if not state.draw_first:
        state.turn = (seat + 1) % state.seats


def _end_card(state: State, seat: int) -> None:
    """After the play or discard of a turn (rules: A turn, The draw and Once all are out). Hands run
    out in turn order, so nobody is ever skipped."""
    state.turns_left -= 1
    if state.open_piles and not state.draw_first:
        state.phase = DRAW
    elif state.turns_left:
        state.turn = (seat + 1) % state.seats
        state.phase = DRAW if state.open_piles else PLAY
    else:
        state.phase = OVER
        state.turn = NOBODY


def _remember(state: State, seat: int, hands: dict[bytes, bytes]) -> None:
    assert state.memory is not None
    state.memory[seat] = hands
    state.known[seat] = certain(hands)


# What is told ------------------------------------------------------------------------------------


def _told(state: State, seat: int, action: Action) -> list[Addressed[Event]]:
    """The events of an action, worked out from the state that it has left. Of a discard there are
    two types: only the owner is told the card. The card drawn everybody sees, and the next one."""
    if type(action) is Play:
        return _told_of_play(state, seat, action.card, action.tower)
    if isinstance(action, Draw):
        cards, left = state.piles[action.pile], state.left[action.pile]
        top = cards[-left] if left else 0
        return [Addressed(None, Drew(seat, action.pile, cards[-left - 1], top))]
    return [_DISCARDED[seat], _YOU_DISCARDED[seat][action.card]]


def _told_of_play(state: State, seat: int, card: int, tower: int | None) -> list[Addressed[Event]]:
    heights = state.heights[seat]
    if tower is None:
        tower = len(heights) - 1
    height = heights[tower]
    events: list[Addressed[Event]] = [Addressed(None, Played(seat, card, tower, height))]
    if card >= FIRST_ROOF:
        points = state.worth[seat][tower]
        events.append(Addressed(None, Completed(seat, tower, card, height, points, height + 1)))
    return events


# The same for every seat and state; to make these takes most of a preview's time.
_FOUNDING: Final = tuple(Choice(new, STOREYS[card]) for card, new in enumerate(_NEW))
_DISCARDING: Final = tuple(map(Choice, _DISCARDS))


def preview(state: State, seat: int, action: Action) -> Choice:
    """What a legal action would do; changes nothing."""
    if type(action) is not Play:
        return _DISCARDING[action.card] if isinstance(action, Discard) else Choice(action)
    card, tower = action.card, action.tower
    if tower is None:
        return _FOUNDING[card]
    height = state.heights[seat][tower] + STOREYS[card]
    if card < FIRST_ROOF:
        return Choice(action, height)
    points = tower_points(state.towers[seat][tower] + _BYTES[card], state.count_clock_mice)
    return Choice(action, height, points, height + 1)


# What may be taken back: a play or discard; never a draw, which has shown a card.


def revocable(state: State) -> Seat | None:
    """The seat whose play or discard was the newest action, if the table lets it be taken back."""
    if state.phase == OVER or state.options.take_back == Switch.OFF or not _was_card(state):
        return None
    if state.phase == DRAW and not state.draw_first:
        return Seat(state.turn)
    return Seat((state.turn or state.seats) - 1)


def _was_card(state: State) -> bool:
    """Whether the newest action was a play or discard: there is one a turn, and a draw as long as
    there are cards, after it or before it."""
    if state.open_piles and not state.draw_first:
        return state.phase == DRAW
    played = TURNS - state.turns_left
    drawn = sum(map(len, state.piles)) - sum(state.left)
    return 0 < played >= drawn if state.draw_first else played > drawn
