"""Matches that wait for their player, which Home offers to continue."""

from typing import Any

from msgspec import Struct

from clocktowers_tui.state.store import State
from clocktowers_tui.state.table import Table
from protocol.listing import SeatKind


class Unfinished(Struct, frozen=True, kw_only=True):
    """A match that waits. `people`: the other players, by name; `bots`: how many. `view`: the
    newest, None where it is unknown. `over`: it ended meanwhile and the player has yet to see its
    result."""

    match: str
    game: str
    people: tuple[str, ...] = ()
    bots: int = 0
    view: Any = None
    over: bool = False


def opponents(table: Table) -> tuple[tuple[str, ...], int]:
    """The people at the other seats, by name, and how many bots."""
    seats = [seat for n, seat in enumerate(table.info.seats) if n != table.seat]
    bots = [seat for seat in seats if seat.kind is SeatKind.BOT and not seat.away]
    return tuple(seat.name for seat in seats if seat not in bots and seat.name), len(bots)


def unfinished(state: State) -> tuple[Unfinished, ...]:
    """The best match to continue first; none while the player is at a match."""
    if not state.aside or state.match is None or state.table is None:
        return ()
    match, (people, bots) = state.match, opponents(state.table)
    waits = Unfinished(
        match=match.id,
        game=match.game,
        people=people,
        bots=bots,
        view=match.view,
        over=match.over,
    )
    return (waits,)
