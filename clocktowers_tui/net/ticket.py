"""What the player shows to come in."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from clocktowers_tui.net.errors import LinkError, TurnedAway
from protocol.errors import GoodbyeCode, Param


class Ticket(NamedTuple):
    """`in_clear`: the player lets the password go where others can read it on its way.
    `invitation`: the secret of one, b"" = none; it never goes there. `moved`: what the server gave
    that led the player to another of its machines, which stands for both."""

    password: str = ""
    in_clear: bool = False
    invitation: bytes = b""
    moved: str = ""

    def __repr__(self) -> str:
        """A crash shows every variable."""
        return "Ticket(…)"


NO_TICKET: Final = Ticket()


def is_private(line: Any) -> bool:
    """Whether nobody can read what goes over this transport: it is encrypted, or does not leave
    this machine."""
    if line.get_extra_info("ssl_object") is not None:
        return True
    peer, own = (line.get_extra_info(name) for name in ("peername", "sockname"))
    return not isinstance(peer, tuple) or (bool(own) and peer[0] == own[0])


class PasswordAsked(TurnedAway):
    """The server wants a password that it was not shown. `in_clear`: whether the line can be read
    by others, and whether the server takes a password there nevertheless; None: it cannot be
    read."""

    def __init__(self, in_clear: bool | None, params: Mapping[str, Param]) -> None:
        super().__init__(GoodbyeCode.PASSWORD, params)
        self.in_clear = in_clear


def asks_password(error: LinkError | None) -> bool:
    """Whether a password, or another, might help."""
    if isinstance(error, PasswordAsked):
        return error.in_clear is not False
    return isinstance(error, TurnedAway) and error.code == GoodbyeCode.PASSWORD
