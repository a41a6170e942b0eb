"""Who may not come in: the bans that hold now, found by address and by identity.

A connection costs a look-up for each length of block that is banned, not for each ban.
"""

import time
from collections.abc import Callable, Iterable
from ipaddress import ip_address, ip_network
from typing import Final, TypeAlias

from protocol.errors import GoodbyeCode
from protocol.from_server import Goodbye
from server.logs.marks import identity_mark
from server.net.addresses import without_mapping
from server.store.bans import Ban, Block

_Length: TypeAlias = tuple[int, int]
"""4 or 6, and how many bits of the address are left out."""


class Banned:
    """`now_s`: seconds since 1970."""

    __slots__ = ("_blocks", "_now_s", "_people")

    def __init__(self, bans: Iterable[Ban] = (), now_s: Callable[[], float] = time.time) -> None:
        self._now_s: Final = now_s
        self.hold(bans)

    def hold(self, bans: Iterable[Ban]) -> None:
        """Let these bans hold, and no others; in any thread."""
        people: dict[str, Ban] = {}
        all_blocks: dict[_Length, dict[int, Ban]] = {}
        for ban in bans:
            if ban.identity:
                people[ban.identity] = ban
            else:
                block = ip_network(ban.block)
                cut = block.max_prefixlen - block.prefixlen
                first = int(block.network_address) >> cut
                all_blocks.setdefault((block.version, cut), {})[first] = ban
        self._people, self._blocks = people, all_blocks

    def all(self) -> list[Ban]:
        """Those that hold now, people first."""
        bans = [*self._people.values()]
        for blocks in self._blocks.values():
            bans += blocks.values()
        return [ban for ban in bans if self._holds(ban)]

    def address(self, peer: str) -> Goodbye | None:
        """The goodbye for a peer at a banned address."""
        if not self._blocks:
            return None
        try:
            address = without_mapping(ip_address(peer))
        except ValueError:
            return None  # a Unix socket, say, has no IP address
        for (version, cut), blocks in self._blocks.items():
            ban = blocks.get(int(address) >> cut) if version == address.version else None
            if ban is not None and self._holds(ban):
                return _goodbye(ban)
        return None

    def identity(self, identity: bytes) -> Goodbye | None:
        """The goodbye for a banned person. `identity`: as in `Session`."""
        if not (identity and self._people):
            return None
        for known_as in (identity.hex(), identity_mark(identity)):
            if (ban := self._people.get(known_as)) is not None and self._holds(ban):
                return _goodbye(ban)
        return None

    def _holds(self, ban: Ban) -> bool:
        return not ban.until or self._now_s() < ban.until


def _goodbye(ban: Ban) -> Goodbye:
    return Goodbye(GoodbyeCode.BANNED, {"until": ban.until, "reason": ban.reason})


def block_in(text: str) -> Block | None:
    """The address or block that is written there; None for any other text."""
    try:
        block = ip_network(text.strip(), strict=False)
    except ValueError:
        return None
    first = without_mapping(block.network_address)
    if first.version != block.version and block.prefixlen >= 96:
        return ip_network((int(first), block.prefixlen - 96))
    return block
