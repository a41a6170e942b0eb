"""Who calls: what the door that let a connection in knows of its other end.

Limits, bans and the log go by this, never by the socket: behind a proxy, or a door in another
process, the socket's other end is not the caller.
"""

import asyncio
from typing import NamedTuple


class Caller(NamedTuple):
    """`address`: an IP address, "" = none is known. `here`: they run on this machine. `secure`:
    nobody on the way can read or change what is said. `identity`: who they have proven to be, as in
    `server.tables.ports.Guest`; b"" = what their `hello` shows is taken."""

    address: str = ""
    here: bool = False
    secure: bool = False
    identity: bytes = b""


def at_other_end(transport: asyncio.BaseTransport) -> Caller:
    """The caller of a socket that they dialled themselves. They run here if both ends have one
    address."""
    peer, own = (transport.get_extra_info(name) for name in ("peername", "sockname"))
    address = str(peer[0]) if peer else ""
    here = bool(own) and str(own[0]) == address
    return Caller(address, here, secure=here)
