"""Matches that wait for their player: what Home offers to go on with."""

from typing import Any

from msgspec import Struct

from clocktowers_tui.state.store import State
from protocol.listing import SeatKind


class Unfinished(Struct, frozen=True, kw_only=True):
    """One such match. `people`: the others who play, by name; `bots`: how many. `view`: the newest,
    None where it is not known. `over`: it ended meanwhile and its result is yet to be seen."""

    match: str
    game: str
    people: tuple[str, ...] = ()
    bots: int = 0
    view: Any = None
    over: bool = False


def unfinished(state: State) -> tuple[Unfinished, ...]:
    """The best to go on with first; none while one is at a match."""
    if not state.aside or state.match is None or state.table is None:
        return ()
    seats = [seat for n, seat in enumerate(state.table.info.seats) if n != state.table.seat]
    bots = [seat for seat in seats if seat.kind is SeatKind.BOT and not seat.away]
    match = state.match
    waits = Unfinished(
        match=match.id,
        game=match.game,
        people=tuple(seat.name for seat in seats if seat not in bots and seat.name),
        bots=len(bots),
        view=match.view,
        over=match.over,
    )
    return (waits,)
