"""Opening a TCP connection, with the operating system's reasons sorted into ours."""

import asyncio
import socket
from ipaddress import ip_address

from clocktowers_tui.net.address import Address
from clocktowers_tui.net.errors import Fault, LinkError


async def dial(
    address: Address, limit_bytes: int
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to `address`; the caller sets the time limit. Raises LinkError."""
    host, port = address
    # Only a name can have several addresses; Python 3.13.0 fails in its race between them.
    delay_s = None if _is_number(host) else 0.25
    try:
        return await asyncio.open_connection(
            host, port, limit=limit_bytes, happy_eyeballs_delay=delay_s
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


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
