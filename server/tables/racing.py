"""Who is measured: everybody who sits at the table of a race, from sitting down on.

So there is an estimate before the match begins. A watcher, and a seat that a bot plays, has none.
"""

from typing import TYPE_CHECKING

from server.matches.lines import Line

if TYPE_CHECKING:
    from server.tables.guest import Guest
    from server.tables.table import Table


def races(guest: "Guest") -> bool:
    """Whether it matters how long this guest's line takes."""
    table = guest.table
    return (
        table is not None and table.rules.rules.races and table.seating.seat_of(guest) is not None
    )


def line_of(table: "Table", guest: "Guest") -> Line | None:
    """For a match at this table: the delay of a guest's line, which is measured now, and goes on
    being measured. None where it plays no part."""
    if not table.rules.rules.races:
        return None
    guest.measure()
    return guest.lag_ms
