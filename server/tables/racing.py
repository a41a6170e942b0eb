"""Who is measured: everybody who sits at the table of a race, from sitting down on.

So there is an estimate before the match begins. A watcher, and a seat that a bot plays, has none.
"""

from typing import TYPE_CHECKING

from server.matches.lines import Line

if TYPE_CHECKING:
    from server.tables.guest import Guest


def races(guest: "Guest") -> bool:
    """Whether it matters how long this guest's line takes."""
    table = guest.table
    return (
        table is not None and table.rules.rules.races and table.seating.seat_of(guest) is not None
    )


def start_measuring(guest: "Guest") -> None:
    """Ask for a first figure now, where it matters; the session repeats the question."""
    if races(guest):
        guest.measure()


def line_of(guest: "Guest") -> Line | None:
    """How late this guest's messages are, for a match; None where it plays no part."""
    return guest.lag_ms if races(guest) else None
