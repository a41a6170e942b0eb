"""What a seat may see: built up from nothing, so that a forgotten field is hidden."""

from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from protocol.games.clocktowers import (
    Choice,
    Completed,
    Draw,
    Drew,
    Event,
    Phase,
    Played,
    Town,
    View,
)
from server.games.clocktowers.rules import legal_actions, preview
from server.games.clocktowers.state import COLOURS, DRAW, OVER, State

_PHASES: Final = (Phase.PLAY, Phase.DRAW, Phase.OVER)
_DRAWS: Final = tuple(
    [Choice(Draw(pile)) for pile in range(3) if open_piles >> pile & 1] for open_piles in range(8)
)
"""All there is to choose when a card is drawn, by `State.open_piles`."""


def view(state: State, seat: int | None) -> View:
    """The view of a seat, or of a spectator (None); see `protocol.games.clocktowers.View`."""
    return public(state) if seat is None else replace(public(state), **own(state, seat))


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
