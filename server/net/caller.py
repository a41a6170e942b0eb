"""Who calls: what a door knows of them, how many come from where, who is banned, who makes room.

Limits, bans and the log go by this, never by the socket: behind a proxy, or a door in another
process, the socket's other end is not the caller.
"""

from typing import NamedTuple


class Caller(NamedTuple):
    """`address`: an IP address, "" = none is known. `here`: they run on this machine. `encrypted`:
    nobody on the way can read or change what is said. `identity`: who they have proven to be, as in
    `Session`; b"" = what their `hello` shows is taken. `since_s`: when they came, on the loop's
    clock; 0 = now. `proxied`: a trusted proxy has told us of them. `led`: another node, which they
    have dialled, has let them in and counts them."""

    address: str = ""
    here: bool = False
    encrypted: bool = False
    identity: bytes = b""
    since_s: float = 0.0
    proxied: bool = False
    led: bool = False

    @property
    def secure(self) -> bool:
        """Whether nobody else can listen: nothing is in between, or it is encrypted."""
        return self.here or self.encrypted
