"""Counts the connections from each address, so that one neighbour cannot take all the places.

What counts as the same place is an IPv4 address, or an IPv6 /64, which a household gets.

Law: an admitted connection is counted until its socket is closed, however it ends.
"""

from collections import Counter
from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final

IPV6_PREFIX: Final = 64


def without_mapping(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """An IPv4 address that comes as IPv6 is the IPv4 address."""
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return address if mapped is None else mapped


class Addresses:
    """Admits at most `most` connections from each address. From this machine itself it admits any
    number, unless `loopback_counts`: behind an SSH tunnel or a proxy everybody comes from there."""

    __slots__ = ("_counted", "_elsewhere", "_loopback_counts", "_most")

    def __init__(self, most: int, *, loopback_counts: bool) -> None:
        self._most: Final = most
        self._loopback_counts: Final = loopback_counts
        self._counted: Final = Counter[str]()
        self._elsewhere: Mapping[str, int] = {}

    def admit(self, peer: str) -> bool:
        """Count a connection from there and return True, or False if there are too many. The
        caller releases each admitted connection once."""
        if not (origin := self.origin(peer)):
            return True
        if self._counted[origin] + self._elsewhere.get(origin, 0) >= self._most:
            return False
        self._counted[origin] += 1
        return True

    def release(self, peer: str) -> None:
        """The socket of an admitted connection is closed."""
        if not (origin := self.origin(peer)):
            return
        self._counted[origin] -= 1
        if not self._counted[origin]:
            del self._counted[origin]

    def __len__(self) -> int:
        """How many addresses have connections now."""
        return len(self._counted)

    @property
    def counted(self) -> Mapping[str, int]:
        """How many connections each address or block has here."""
        return self._counted

    def hold(self, elsewhere: Mapping[str, int]) -> None:
        """So many connections they have at other servers, which count, too."""
        self._elsewhere = elsewhere

    def origin(self, peer: str) -> str:
        """The address or the block that this peer is counted for; "" if it is not counted."""
        try:
            address = without_mapping(ip_address(peer))
        except ValueError:
            return ""  # a Unix socket, say, has no IP address
        if address.is_loopback and not self._loopback_counts:
            return ""
        if isinstance(address, IPv4Address):
            return str(address)
        return str(IPv6Network((int(address), IPV6_PREFIX), strict=False))
