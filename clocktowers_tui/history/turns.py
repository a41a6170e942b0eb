"""Where the turns of a match begin, read off what was told at each ply. Pure.

A turn is looked at before its first ply, where its player decides.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from clocktowers_tui.games.face import Face
from protocol.ids import Seat


class Turns(NamedTuple):
    """Numbers of plies, ascending. `own`: the turns of one player; in a race, where everybody acts
    at once, what this player has done."""

    starts: tuple[int, ...]
    own: tuple[int, ...]


def turns_of(face: Face, told: Sequence[Sequence[Any]], seats: Sequence[int], own: int) -> Turns:
    """`told`: the events of the deal and of each ply; `seats`: who acted at each ply, -1 = the
    clock; `own`: whose turns are sought, as far as that is a seat."""
    begun = list(_begun(face, told))
    starts = tuple(sorted({ply for ply, _seat in begun}))
    if face.in_turns:
        return Turns(starts, tuple(sorted({ply for ply, seat in begun if seat == own})))
    return Turns(starts, tuple(ply for ply, seat in enumerate(seats) if seat == own))


def _begun(face: Face, told: Sequence[Sequence[Any]]) -> Iterator[tuple[int, int | None]]:
    """Each turn: at which ply it is looked at, and whose it is; None = everybody's."""
    acting: Seat | None = None
    for ply, events in enumerate(told):
        for event in events:
            seat = getattr(event, "seat", None)
            if face.opens_turn(event, acting):
                yield (ply if seat is None else max(0, ply - 1)), seat
            acting = acting if seat is None else seat


def after(plies: Sequence[int], at: int, last: int) -> int:
    """The first of them behind `at`, else the `last` of the match."""
    return next((ply for ply in plies if ply > at), last)


def before(plies: Sequence[int], at: int) -> int:
    """The last of them before `at`, else the deal."""
    return next((ply for ply in reversed(plies) if ply < at), 0)
