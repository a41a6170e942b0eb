"""By what a server is known, so that nobody else can stand in for it."""

import re
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any, Final, NamedTuple

from clocktowers_tui.net.address import Address
from clocktowers_tui.net.errors import LinkError, TurnedAway
from protocol.errors import GoodbyeCode, Param

_PLAIN: Final = "plain"
_CERTIFIED: Final = "certificate"
_HASH: Final = r"[0-9a-f]{64}"


class Trust(NamedTuple):
    """`key`: the SHA-256 of the server's public key (SubjectPublicKeyInfo, DER), or its first bytes
    as an invitation has them. `certified`: an authority vouches for the server's name instead.
    `plain`: nothing proves who it is, and the line is not encrypted. With none of these the server
    is known by what it showed the first time. `afresh`: what was known before does not count."""

    key: bytes = b""
    certified: bool = False
    plain: bool = False
    afresh: bool = False

    @property
    def is_open(self) -> bool:
        """Whether it is still to be found out by what the server is known."""
        return not (self.key or self.certified or self.plain)

    def on_disk(self) -> str:
        """One word; "" for one that is open."""
        return _PLAIN if self.plain else _CERTIFIED if self.certified else self.key.hex()


FIRST_USE: Final = Trust()
PLAIN: Final = Trust(plain=True)
CERTIFIED: Final = Trust(certified=True)


def from_disk(word: str) -> Trust:
    """What `on_disk` wrote; a word that it cannot have written is `FIRST_USE`."""
    if re.fullmatch(_HASH, word):
        return Trust(bytes.fromhex(word))
    return {_PLAIN: PLAIN, _CERTIFIED: CERTIFIED}.get(word, FIRST_USE)


def is_here(address: Address) -> bool:
    """Whether the address is one that only this machine has."""
    try:
        return ip_address(address.host).is_loopback
    except ValueError:
        return address.host.lower().rstrip(".") == "localhost"


def dialled_by_friends(address: Address) -> Address:
    """Where other machines dial it: they cannot dial an address that only this one has."""
    if not is_here(address):
        return address
    from protocol.networks import lan_addresses  # seldom needed

    return Address(next(iter(lan_addresses()), address.host), address.port)


def may_be_certified(address: Address) -> bool:
    """Whether an authority can vouch for it: it has a name that the whole world may know."""
    try:
        ip_address(address.host)
    except ValueError:
        name = address.host.lower().rstrip(".")
        return "." in name and not name.endswith((".local", ".lan", ".internal", ".home.arpa"))
    return False


_FLAG: Final = r"\s--(unencrypted|new-key)(?=\s|$)"


def typed_trust(text: str) -> tuple[str, Trust]:
    """What a player typed, without `--unencrypted` and `--new-key`; and what these mean."""
    flags = {flag[1] for flag in re.finditer(_FLAG, text)}
    return re.sub(_FLAG, "", text), Trust(plain="unencrypted" in flags, afresh="new-key" in flags)


# What the player shows to come in.


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
PASSWORD_VARIABLE: Final = "CLOCKTOWERS_PASSWORD"
"""Where `join` and `replay` find a password: on a command line everybody at the machine could read
it."""


def is_private(line: Any) -> bool:
    """True where this transport is encrypted, or does not leave this machine."""
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
