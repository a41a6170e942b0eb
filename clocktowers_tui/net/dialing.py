"""Opening a connection, with the operating system's reasons sorted into ours."""

import asyncio
import socket
import sys
from typing import Final

from clocktowers_tui.net import house
from clocktowers_tui.net.address import HOUSE, Address
from clocktowers_tui.net.errors import Fault, LinkError

_NO_RACE: Final = (3, 12) <= sys.version_info < (3, 13, 1)
HEAD_START_S: Final = None if _NO_RACE else 0.25
"""Of each address of a host before the next; None: the next is tried only when it has failed. The
race fails in these Pythons when tasks begin at once, as Textual has them begin."""


async def dial(
    address: Address, limit_bytes: int
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to `address`; the caller sets the time limit. Raises LinkError."""
    if address == HOUSE:
        return await house.dial(limit_bytes)
    host, port = address
    try:
        return await asyncio.open_connection(
            host, port, limit=limit_bytes, happy_eyeballs_delay=HEAD_START_S
        )
    except (socket.gaierror, UnicodeError):
        raise LinkError(Fault.UNKNOWN_HOST, host=host) from None
    except ConnectionRefusedError:
        raise LinkError(Fault.CLOSED_PORT, address=str(address)) from None
    except OSError as error:
        # A host with several addresses: asyncio joins their errors into one that has no number.
        refused = error.errno is None and "refused" in str(error).lower()
        fault = Fault.CLOSED_PORT if refused else Fault.UNREACHABLE
        raise LinkError(fault, address=str(address)) from None
