"""What a seat may see, and states that fit what it has seen."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from protocol.games.clocktowers import (
    FIRST_CLOCK,
    FIRST_ROOF,
    Choice,
    Completed,
    Dealt,
    Discarded,
    Draw,
    Drew,
    Event,
    Phase,
    Played,
    Town,
    View,
    height_of,
)
from protocol.games.clocktowers.cards import REMOVED_FLOORS, REMOVED_ROOFS, Deal, pool
from server.games.clocktowers.rules import legal_actions, preview
from server.games.clocktowers.state import (
    COLOURS,
    DRAW,
    NOBODY,
    OVER,
    TURNS,
    Hands,
    State,
    after_discard,
    after_draw,
    after_play,
    begin,
    fresh,
)

_PHASES: Final = (Phase.PLAY, Phase.DRAW, Phase.OVER)
_DRAWS: Final = tuple(
    [Choice(Draw(pile)) for pile in range(3) if open_piles >> pile & 1] for open_piles in range(8)
)
"""All there is to choose when a card is drawn, by `State.open_piles`."""


def own(state: State, seat: int) -> dict[str, Any]:
    """What a seat's view has in place of a spectator's."""
    return {
        "seat": seat,
        "hand": bytes(state.hands[seat]),
        "discards": state.discards[seat],
        "legal": _choices(state, seat),
    }


def _choices(state: State, seat: int) -> list[Choice]:
    if seat != state.turn:
        return []
    if state.phase == DRAW:
        return _DRAWS[state.open_piles]
    return [preview(state, seat, action) for action in legal_actions(state, seat)]


def public(state: State) -> View:
    """What everybody may see. A measured hot path: made with every action."""
    over = state.phase == OVER
    return View(
        turn=None if over else state.turn,
        phase=_PHASES[state.phase],
        hands=bytes(map(len, state.hands)),
        piles=_piles(state),
        left=bytes(state.left),
        towns=_towns(state),
        ladder=_ladder(state),
        points=bytes(state.points),
        thrown=bytes(map(len, state.discards)),
        known=state.known[:],
        shown=state.discards[:] if over else [],
        removed=b"".join(state.deal.removed) if over else b"",
        count_clock_mice=state.count_clock_mice,
    )


def touched(state: State, told: Sequence[Event]) -> dict[str, Any] | None:
    """What a spectator may see changed; None where the match has ended and shows everything."""
    if state.phase == OVER:
        return None
    fields: dict[str, Any] = {
        "turn": state.turn,
        "phase": _PHASES[state.phase],
        "hands": bytes(map(len, state.hands)),
    }
    if state.known:
        fields["known"] = state.known[:]
    for event in told:
        kind = type(event)
        if kind is Drew:
            fields["piles"], fields["left"] = _piles(state), bytes(state.left)
        elif kind is Played:
            fields["towns"] = _towns(state)
        elif kind is Completed:
            fields["ladder"], fields["points"] = _ladder(state), bytes(state.points)
        else:
            fields["thrown"] = bytes(map(len, state.discards))
    return fields


def _piles(state: State) -> bytes:
    return bytes(
        [cards[-left] if left else 0 for cards, left in zip(state.piles, state.left)]  # noqa: B905
    )


def _towns(state: State) -> list[Town]:
    return [Town(towers[:], worth) for towers, worth in zip(state.towers, state.worth)]  # noqa: B905


def _ladder(state: State) -> list[bytes]:
    ladder = state.ladder
    return [bytes(ladder[row : row + COLOURS]) for row in range(0, len(ladder), COLOURS)]


def opened(state: State) -> View:
    """What a watcher saw if all hands lay open: every card is known, discards too."""
    hands = [bytes(sorted(hand)) for hand in state.hands]
    return replace(public(state), known=hands, shown=state.discards[:])


# Imagine a whole state that fits everything a seat has been sent; bots search through it.
#
# What the seat knows for certain is copied. What it cannot know is drawn: each opponent's hand from
# the hands that fit the public events, the discards that go with it, and the order of the unseen
# cards in the piles and among the removed cards.


class Known(NamedTuple):
    """What a seat can work out from all it was sent; the same for every state it imagines."""

    view: View
    dealt: Dealt
    drawn: list[list[int]]
    memory: list[Hands]


def determinize(view: View, own_events: Sequence[Event], rng: Random) -> State:
    """A state whose view for `view.seat` is `view`; uses `rng.random()` only.

    Raises ValueError for a spectator's view, and for events that do not begin with the deal.
    """
    return imagine(survey(view, own_events), rng)


def survey(view: View, own_events: Sequence[Event]) -> Known:
    """The part of `determinize` that needs no chance; raises the same errors."""
    if view.seat is None:
        raise ValueError("a spectator's view cannot be determinized")
    if not own_events or not isinstance(dealt := own_events[0], Dealt):
        raise ValueError("the events of a seat begin with the deal")
    return Known(view, dealt, *_public(own_events, len(view.hands)))


def imagine(known: Known, rng: Random) -> State:
    """One of the states that fit."""
    view, dealt, drawn, memory = known
    state = fresh(dealt.options, _imagine_deal(view, dealt.first_seat, drawn, rng))
    _take_over_table(state, view)
    _imagine_hands(state, view, memory, rng)
    if state.memory is not None:
        state.memory = memory[:]
        state.known = view.known[:]
    return state


def _public(events: Iterable[Event], seats: int) -> tuple[list[list[int]], list[Hands]]:
    """The cards drawn from each pile in order, and by seat the hands that fit."""
    drawn: list[list[int]] = [[], [], []]
    memory = [begin() for _ in range(seats)]
    for event in events:
        if isinstance(event, Drew):
            drawn[event.pile].append(event.card)
            memory[event.seat] = after_draw(memory[event.seat], event.card)
        elif isinstance(event, Played):
            memory[event.seat] = after_play(memory[event.seat], event.card)
        elif isinstance(event, Discarded):
            memory[event.seat] = after_discard(memory[event.seat])
    return drawn, memory


def _imagine_deal(view: View, first_seat: int, drawn: list[list[int]], rng: Random) -> Deal:
    """Drawn cards and tops as they were; unseen cards in any order, the removed ones first."""
    seats = len(view.hands)
    gone: list[bytes] = []
    piles: list[bytes] = []
    for pile, taken in enumerate((REMOVED_FLOORS, 0, REMOVED_ROOFS)):
        seen = bytes(drawn[pile])
        if view.piles[pile]:
            seen += view.piles[pile : pile + 1]
        unseen = _less(pool(pile, seats), seen)
        _shuffle(unseen, rng)
        gone.append(bytes(unseen[:taken]))
        piles.append(seen + bytes(unseen[taken:]))
    if view.removed:
        gone = [view.removed[:REMOVED_FLOORS], b"", view.removed[REMOVED_FLOORS:]]
    floors, clocks, roofs = piles
    return Deal(
        seats=seats,
        first_seat=first_seat,
        piles=(floors, clocks, roofs),
        removed=(gone[0], gone[2]),
    )


def _take_over_table(state: State, view: View) -> None:
    """Everything that lies open."""
    state.turn = NOBODY if view.turn is None else view.turn
    state.phase = _PHASES.index(view.phase)
    state.left = list(view.left)
    state.open_piles = sum(1 << pile for pile, left in enumerate(view.left) if left)
    state.ladder = list(b"".join(view.ladder))
    state.points = list(view.points)
    state.turns_left = TURNS - sum(view.thrown)
    for seat, town in enumerate(view.towns):
        state.towers[seat] = town.towers[:]
        state.heights[seat] = [*map(height_of, town.towers)]
        state.worth[seat] = town.points
        state.turns_left -= sum(map(len, town.towers))
        for index, tower in enumerate(town.towers):
            if tower[-1] < FIRST_CLOCK:
                state.bare[seat].append(index)
            elif tower[-1] < FIRST_ROOF:
                state.clocked[seat].append(index)


def _imagine_hands(state: State, view: View, memory: list[Hands], rng: Random) -> None:
    """The seat's own hand and discards as they are; for the others a possible hand, or as shown."""
    for seat, hands in enumerate(memory):
        if seat == view.seat:
            hand, discards = view.hand, view.discards
        elif view.shown:
            hand, discards = b"", view.shown[seat]
        else:
            possible = list(hands.items())
            hand, discards = possible[int(rng.random() * len(possible))]
        state.hands[seat] = list(hand)
        state.discards[seat] = discards


def _less(cards: bytes, seen: bytes) -> list[int]:
    rest = list(cards)
    for card in seen:
        rest.remove(card)
    return rest


def _shuffle(cards: list[int], rng: Random) -> None:
    for last in range(len(cards) - 1, 0, -1):
        other = int(rng.random() * (last + 1))
        cards[last], cards[other] = cards[other], cards[last]
