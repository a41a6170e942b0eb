"""What a seat may see: all face-up cards, its own card once the race is on, its own shot."""

from typing import Any

from msgspec.structs import replace

from protocol.games.wild_wild_pattern import View
from server.games.wild_wild_pattern.state import READY, State


def view(state: State, seat: int | None) -> View:
    """The view of a seat, or of a spectator (None); see `protocol.games.wild_wild_pattern.View`."""
    return public(state) if seat is None else replace(public(state), **own(state, seat))


def own(state: State, seat: int) -> dict[str, Any]:
    """What a seat's view has in place of a spectator's."""
    return {
        "seat": seat,
        "card": 0 if state.phase is READY else state.hand[seat],
        "aimed": next((a_try.place for a_try in state.tries if a_try.seat == seat), None),
    }


def public(state: State) -> View:
    """What everybody may see."""
    return View(
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
        in_hand=[card != 0 for card in state.hand],
        waiting=[due_ms is not None for due_ms in state.waits],
        done=state.done[:],
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
