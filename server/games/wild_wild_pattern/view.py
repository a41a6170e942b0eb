"""What a seat may see: all face-up cards, its own card once the race is on, its own shot."""

from protocol.games.wild_wild_pattern import View
from server.games.wild_wild_pattern.state import READY, State


def view(state: State, seat: int | None) -> View:
    """The view of a seat, or of a spectator (None); see `protocol.games.wild_wild_pattern.View`."""
    own = None if seat is None else state.hand[seat]
    aimed = next((a_try.place for a_try in state.tries if a_try.seat == seat), None)
    return View(
        seat=seat,
        phase=state.phase,
        round=state.round,
        turn=state.turn,
        due_ms=state.due_ms,
        acting=state.acting,
        wheel=state.wheel,
        left=len(state.deck),
        out=bytes(sorted(state.out)),
        targets=state.targets,
        won=state.won[:],
        challenges=state.challenges[:],
        money=state.money[:],
        standing=state.standing[:],
        card=0 if own is None or state.phase is READY else own,
        in_hand=[card != 0 for card in state.hand],
        waiting=[due_ms is not None for due_ms in state.waits],
        done=state.done[:],
        aimed=aimed,
        place=state.place,
        covered=state.covered,
        clicker=state.clicker,
        clicked=state.clicked,
        takes=state.takes[0][1] if state.takes else 0,
        barred=state.barred,
        winner=state.winner,
        ended_by=state.ended_by,
        declared=state.declared,
        idle=state.idle,
        levels=state.levels,
        bank=state.bank,
        outcome=state.result,
        options=state.options,
    )
