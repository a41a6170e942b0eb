"""What a door is, and the doors that need no more than a protocol of asyncio: one that is not there
has an answer in the caller's own protocol."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from server.net.caller import Caller

Door: TypeAlias = Callable[[socket.socket, Caller], Awaitable[None]]
"""Owns the accepted socket, of which nothing was read, from the moment it is awaited, and returns
when the caller is inside or has gone. Raises OSError for a caller who has gone."""
Speak: TypeAlias = Callable[[Caller], asyncio.Protocol]
"""The protocol object that talks to this caller, on a socket or inside TLS."""


def speaking(speak: Speak) -> Door:
    """The door behind which callers are spoken to like this."""

    async def let_in(sock: socket.socket, caller: Caller) -> None:
        try:
            protocol = speak(caller)
        except BaseException:
            sock.close()
            raise
        loop = asyncio.get_running_loop()
        await loop.connect_accepted_socket(lambda: protocol, sock)  # which owns it at once

    return let_in
