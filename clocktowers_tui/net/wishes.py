"""What the player wants a line for; to wish takes nothing of what it takes to go there."""

from typing import NamedTuple, TypeAlias

from clocktowers_tui.net.address import DEFAULT_PORT, Address
from clocktowers_tui.net.seats import Seat
from protocol.from_client import CreateTable


class Solo(NamedTuple):
    """Play against bots, on a server for this match alone."""

    table: CreateTable


class Return(NamedTuple):
    """Back to one of `seats.unfinished()`."""

    seat: Seat
    password: str = ""


class Host(NamedTuple):
    """Open a server that others on the network can join."""

    port: int = DEFAULT_PORT


class Visit(NamedTuple):
    """Go to somebody's server; with a `table` (its code) straight to it."""

    address: Address
    password: str = ""
    table: str = ""
    watch: bool = False


Wish: TypeAlias = Solo | Host | Visit | Return


def again(wish: Wish) -> Wish:
    """What to wish for after the line was lost for good: the seat is lost with it."""
    match wish:
        case Visit():
            return wish._replace(table="", watch=False)
        case Return(seat=seat, password=password):
            return Visit(seat.address, password)
        case _:
            return wish
