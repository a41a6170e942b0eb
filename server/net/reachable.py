"""Where others find this server: the addresses that they dial."""

from collections.abc import Sequence
from ipaddress import ip_address
from typing import Final

from protocol.invitation import MOST_ADDRESSES, Place
from protocol.version import DEFAULT_PORT
from server.net.interfaces import lan_addresses
from server.settings import ConfigError

LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
ANYWHERE: Final = ("0.0.0.0", "::")


def dialled(listening: Sequence[tuple[str, int]]) -> list[str]:
    """The addresses that others on the network can dial, of a server that is bound to these."""
    hosts = [host for host, _port in listening]
    if any(host in ANYWHERE for host in hosts):
        return lan_addresses()
    return [host for host in hosts if host not in LOOPBACK]


def places(public: str, listening: Sequence[tuple[str, int]]) -> tuple[Place, ...]:
    """What an invitation names: the `public` setting, and what can be dialled on the network, or
    else on this machine. Raises ConfigError."""
    host, port = listening[0]
    near = [Place(one, port) for one in dialled(listening) or [host]]
    return tuple(dict.fromkeys([*named(public, port), *near]))[:MOST_ADDRESSES]


def named(public: str, port: int = DEFAULT_PORT) -> list[Place]:
    """The places that are written there; where none has a port, this. Raises ConfigError."""
    return [_place(one.strip(), port) for one in public.split(",") if one.strip()]


def _place(text: str, port: int) -> Place:
    try:
        return Place(str(ip_address(text.strip("[]"))), port)
    except ValueError:
        host, _colon, digits = text.rpartition(":") if ":" in text else (text, "", str(port))
    host = host[1:-1] if host.startswith("[") else host
    right = digits.isascii() and digits.isdigit() and 0 < int(digits[:6]) < 65536
    if not right or not host.isascii() or not host.isprintable() or set(host) & set("[]/@ ,"):
        raise ConfigError(f"{text!a} is no address such as games.example or 203.0.113.5:7777")
    return Place(host, int(digits))
