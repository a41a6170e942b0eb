"""The server whose guest this player is: its door has started this client for them.

A closed client knows one server only, as `HOUSE`, and reaches it through a Unix socket, where it
first says for whom. Matches against bots, lessons and practice are played at tables of that server.
"""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from clocktowers_tui.net import address, errors, trust, wishes

if TYPE_CHECKING:  # read where there is a house
    from protocol.guests import House

_told: "House | None" = None


def move_in(house: "House | None") -> None:
    """From now on this process is a guest's; None: a player's own program."""
    global _told
    _told = house


def is_guest() -> bool:
    return _told is not None


def told() -> "House | None":
    """What the door has said; None: this is a player's own program."""
    return _told


def ticket() -> "trust.Ticket":
    """What the guest shows at each line."""
    if _told is None:
        return trust.Ticket()
    return trust.Ticket(_told.password, invitation=_told.invitation)


def lobby() -> "wishes.Visit":
    """The wish to be in the lobby of the house."""
    return wishes.Visit(address.HOUSE, ticket())


async def dial() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to the house. Raises LinkError."""
    from protocol.guests import introduction, reachable

    if _told is None:
        raise errors.LinkError(errors.Fault.BAD_ADDRESS, address=str(address.HOUSE))
    try:
        with reachable(Path(_told.socket)) as path:
            streams = await asyncio.open_unix_connection(path)
    except OSError:
        raise errors.LinkError(errors.Fault.CLOSED_PORT, address=str(address.HOUSE)) from None
    streams[1].write(introduction(_told.address, _told.identity))
    return streams
