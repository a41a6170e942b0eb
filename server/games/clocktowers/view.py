"""What a seat may see: built up from nothing, so that a forgotten field is hidden."""

from typing import Any, Final

from msgspec.structs import replace

from protocol.games.clocktowers import Phase, Town, View
from server.games.clocktowers.legal import legal_actions
from server.games.clocktowers.rules import preview
from server.games.clocktowers.state import COLOURS, OVER, State

_PHASES: Final = (Phase.PLAY, Phase.DRAW, Phase.OVER)


def view(state: State, seat: int | None) -> View:
    """The view of a seat, or of a spectator (None); see `protocol.games.clocktowers.View`."""
    return public(state) if seat is None else replace(public(state), **own(state, seat))


def own(state: State, seat: int) -> dict[str, Any]:
    """What a seat's view has in place of a spectator's."""
    legal = legal_actions(state, seat)
    return {
        "seat": seat,
        "hand": bytes(state.hands[seat]),
        "discards": state.discards[seat],
        "legal": [preview(state, seat, action) for action in legal] if legal else [],
    }


def public(state: State) -> View:
    """What everybody may see. A measured hot path: made with every action."""
    over = state.phase == OVER
    ladder = state.ladder
    return View(
        turn=None if over else state.turn,
        phase=_PHASES[state.phase],
        hands=bytes(map(len, state.hands)),
        piles=bytes(
            [cards[-left] if left else 0 for cards, left in zip(state.piles, state.left)]  # noqa: B905
        ),
        left=bytes(state.left),
        towns=[Town(towers[:], worth) for towers, worth in zip(state.towers, state.worth)],  # noqa: B905
        ladder=[bytes(ladder[row : row + COLOURS]) for row in range(0, len(ladder), COLOURS)],
        points=bytes(state.points),
        thrown=bytes(map(len, state.discards)),
        known=state.known[:],
        shown=state.discards[:] if over else [],
        removed=b"".join(state.deal.removed) if over else b"",
        count_clock_mice=state.count_clock_mice,
    )


def opened(state: State) -> View:
    """What a watcher saw if all hands lay open: every card is known."""
    return replace(public(state), known=[bytes(sorted(hand)) for hand in state.hands])
