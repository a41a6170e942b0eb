"""What the player wants a line for; to wish takes nothing of what it takes to go there."""

from typing import NamedTuple, TypeAlias

from clocktowers_tui.net.address import Address
from clocktowers_tui.net.seats import Seat
from protocol.from_client import CreateTable
from protocol.version import DEFAULT_PORT


class Solo(NamedTuple):
    """Play against bots, on a server for this match alone."""

    table: CreateTable


class Return(NamedTuple):
    """Back to one of `seats.unfinished()`."""

    seat: Seat
    password: str = ""


class Host(NamedTuple):
    """Open a server that others on the network can join, and make a table there; its form begins
    with `game`, "" is the last one."""

    port: int = DEFAULT_PORT
    game: str = ""


class Visit(NamedTuple):
    """Go to somebody's server; with a `table` (its code) straight to it; a seat that waits
    there under the same name comes first."""

    address: Address
    password: str = ""
    table: str = ""
    watch: bool = False


Wish: TypeAlias = Solo | Host | Visit | Return


def again(wish: Wish, seat: Seat | None) -> Wish:
    """What to wish for after the line was lost for good: a seat at somebody's server is lost with
    it, one at a server of one's own is not."""
    if seat is not None and seat.folder:
        return Return(seat)
    match wish:
        case Visit():
            return wish._replace(table="", watch=False)
        case Return(seat=had, password=password) if not had.folder:
            return Visit(had.address, password)
        case _:
            return wish
