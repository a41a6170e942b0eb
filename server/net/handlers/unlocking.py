"""What waits for a table's password to be hashed: making a table with one, and coming to it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from protocol.from_client import CreateTable, Join, Watch
from protocol.from_server import Done
from protocol.refusal import Refusal
from server.tables.refusals import Impossible
from server.tables.table import Table

if TYPE_CHECKING:
    from server.net.session import Session


def opens(session: "Session", table: Table, seat: int | None) -> bool:
    """Whether the guest may come to this table without its password: an owner of a seat may, and
    those whom somebody invited to it."""
    invited = session.came_by is not None and session.came_by.table == table.code
    at_it = session.table == table.code or session.opened == table.code
    return not table.access.lock or invited or at_it or table.own_seat(session, seat) is not None


async def unlock(session: "Session", table: Table, message: Join | Watch) -> None:
    """Serve the request again if its password opens the table."""
    refusal = await session.server.admission.locks.refusal(
        message.password, table.access.lock, *session.counted, private=session.caller.secure
    )
    if refusal is None:
        session.opened = table.code
        session.serve_again(replace(message, password=""))
    else:
        session.refuse(message.id, refusal)


async def make_locked(
    session: "Session", message: CreateTable, make: Callable[[str], Done]
) -> None:
    """Make a table whose password has this hash."""
    lock = await session.server.admission.locks.made(
        message.password, *session.counted, private=session.caller.secure
    )
    if isinstance(lock, Refusal):
        session.refuse(message.id, lock)
        return

    def made() -> None:
        try:
            session.send(make(lock))
        except Impossible as impossible:
            session.is_impossible(message, impossible.refusal)

    session.if_here(made)
