"""Where to go, as people type or paste it: HOST[:PORT][,HOST…][/CODE], or the line that `host`
shows."""

import ipaddress
import re
from typing import Final, NamedTuple

from clocktowers_tui.net.errors import Fault, LinkError
from protocol.ids import DEFAULT_PORT
from protocol.text import clean

MOST_ADDRESSES: Final = 9
"""Of one server; further ones that are typed are not read."""
_MAX_HOST: Final = 253  # what a domain name may have
_COMMAND: Final = r"^.*?\bjoin\s+|\s+--watch$"
"""What stands around the address in the line that `host` shows."""
_TABLE: Final = r"\s--table[\s=]+(\S+)"
_SCHEME: Final = r"(?i)^(?:https?|tcp|clocktowers)://"
_INVITATION: Final = r"(?i)ct:(?!\d{1,5}(/|$))"
"""A host may be called `ct`, too: then a port follows."""


class Address(NamedTuple):
    host: str
    port: int

    def __str__(self) -> str:
        if self == HOUSE:
            return self.host
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


HOUSE: Final = Address("this server", DEFAULT_PORT)
"""The server whose guest the player is (`net.house`); nobody can type it."""


def parse_address(text: str) -> Address:
    """`HOST`, `HOST:PORT`, `[IPV6]`, `[IPV6]:PORT` or a bare IPv6 address.

    Raises LinkError BAD_ADDRESS for everything else.
    """
    typed = text.strip()
    host, port = _split(typed)
    numeric = port.isascii() and port.isdigit() and len(port) <= 5
    if not (_is_host(host) and numeric and 1 <= int(port) <= 65535):
        raise LinkError(Fault.BAD_ADDRESS, address=clean(text)[:60])
    return Address(host, int(port))


def parse_place(text: str) -> tuple[list[Address], str]:
    """The addresses of one server, and the code of a table or "". Understands `HOST[:PORT]/CODE`,
    several hosts with commas, a `http://` before it, and a whole line `clocktowers join HOST[:PORT]
    --table CODE`. Raises LinkError."""
    typed = text.strip()
    named = re.search(_TABLE, typed)
    typed = re.sub(_SCHEME, "", _bare(typed))
    server, _slash, code = typed.partition("/")
    found = dict.fromkeys(map(parse_address, server.split(",")[:MOST_ADDRESSES]))
    return [*found], as_code(named[1] if named else code.strip("/"))


def pasted_invitation(text: str) -> str:
    """The invitation in a text, or in a whole line `clocktowers join ct:…`; "" = it has none."""
    typed = _bare(text.strip())
    return typed if re.match(_INVITATION, typed) else ""


def as_code(typed: str) -> str:
    """A table's code as servers write it."""
    return typed.strip().upper()[:40]


def _bare(typed: str) -> str:
    """Without what stands around it in a line that was pasted."""
    return re.sub(_COMMAND, "", re.sub(_TABLE, "", typed))


def _is_host(host: str) -> bool:
    if ":" in host:
        try:
            return bool(ipaddress.IPv6Address(host))
        except ValueError:
            return False
    return 0 < len(host) <= _MAX_HOST and clean(host) == host and not set(host) & set("[]/@ ")


def _split(typed: str) -> tuple[str, str]:
    if typed.startswith("["):
        host, bracket, rest = typed[1:].partition("]")
        return host if bracket and ":" in host else "", _port_of(rest)
    if typed.count(":") > 1:
        return typed, str(DEFAULT_PORT)
    host, _colon, _port = typed.partition(":")
    return host, _port_of(typed[len(host) :])


def _port_of(rest: str) -> str:
    return rest[1:] if rest.startswith(":") else str(DEFAULT_PORT) if not rest else ""
