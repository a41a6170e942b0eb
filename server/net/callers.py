"""Who calls: what a door knows of them, how many come from where, who is banned, who makes room.

Limits, bans and the log go by this, never by the socket: behind a proxy, or a door in another
process, the socket's other end is not the caller.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, NamedTuple, TypeAlias

from protocol.errors import GoodbyeCode
from protocol.from_server import Goodbye
from server.logs.marks import identity_mark
from server.store.lists import Ban, Block


class Caller(NamedTuple):
    """`address`: an IP address, "" = none is known. `here`: they run on this machine. `encrypted`:
    nobody on the way can read or change what is said. `identity`: who they have proven to be, as in
    `Session`; b"" = what their `hello` shows is taken. `since_s`: when they came, on the loop's
    clock; 0 = now. `proxied`: a trusted proxy has told us of them. `led`: through how many other
    nodes they come, of which the first counts them."""

    address: str = ""
    here: bool = False
    encrypted: bool = False
    identity: bytes = b""
    since_s: float = 0.0
    proxied: bool = False
    led: int = 0

    @property
    def secure(self) -> bool:
        """Whether nobody else can listen: nothing is in between, or it is encrypted."""
        return self.here or self.encrypted


# Counts the connections from each address, so that one neighbour cannot take all the places.
#
# What counts as the same place is an IPv4 address, or an IPv6 /64, which a household gets.
#
# Law: an admitted connection is counted until its socket is closed, however it ends.


IPV6_PREFIX: Final = 64


def without_mapping(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """An IPv4 address that comes as IPv6 is the IPv4 address."""
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return address if mapped is None else mapped


class Addresses:
    """Admits at most `most` connections from each address. From this machine itself it admits any
    number, unless `loopback_counts`: behind an SSH tunnel or a proxy everybody comes from there."""

    __slots__ = ("_counted", "_loopback_counts", "_most")

    def __init__(self, most: int, *, loopback_counts: bool) -> None:
        self._most: Final = most
        self._loopback_counts: Final = loopback_counts
        self._counted: Final = Counter[str]()

    def admit(self, peer: str) -> bool:
        """Count a connection from there and return True, or False if there are too many. The
        caller releases each admitted connection once."""
        if not (origin := self.origin(peer)):
            return True
        if self._counted[origin] >= self._most:
            return False
        self._counted[origin] += 1
        return True

    def count(self, peer: str) -> int:
        """How many are admitted from there."""
        return self._counted[self.origin(peer)]

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


# Who may not come in: the bans in force, found by address and by identity.
#
# A connection costs a look-up for each length of block that is banned, not for each ban.


_Length: TypeAlias = tuple[int, int]
"""4 or 6, and how many bits of the address are left out."""


class Banned:
    """`now_s`: seconds since 1970."""

    __slots__ = ("_blocks", "_now_s", "_people")

    def __init__(self, bans: Iterable[Ban] = (), now_s: Callable[[], float] = time.time) -> None:
        self._now_s: Final = now_s
        self.replace(bans)

    def replace(self, bans: Iterable[Ban]) -> None:
        """These bans are in force from now on, and no others; in any thread."""
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
        """Those in force, people first."""
        bans = [*self._people.values()]
        for blocks in self._blocks.values():
            bans += blocks.values()
        return [ban for ban in bans if ban.in_force(self._now_s())]

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
            if ban is not None and ban.in_force(self._now_s()):
                return _goodbye(ban)
        return None

    def identity(self, identity: bytes) -> Goodbye | None:
        """The goodbye for a banned person. `identity`: as in `Session`."""
        if not (identity and self._people):
            return None
        for known_as in (identity.hex(), identity_mark(identity)):
            if (ban := self._people.get(known_as)) is not None and ban.in_force(self._now_s()):
                return _goodbye(ban)
        return None


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


# Places of callers who are on their way in: how many there are, and who makes room for the next.
#
# Laws: everybody gets a place. Where their address has its share already, the first of their own
# makes room; where all places are taken, the first of the address that has most. So a crowd keeps
# out nobody but itself. A place is given back once, however often its caller ends.


class Places:
    """`most` in all, `per_address` for each address; `loopback_counts`: as in `Addresses`."""

    def __init__(self, most: int, per_address: int, *, loopback_counts: bool) -> None:
        self._most: Final = most
        self._per_address: Final = per_address
        self._origin: Final = Addresses(per_address, loopback_counts=loopback_counts).origin
        self._taken: Final[dict[str, dict[TakenPlace, None]]] = {}
        """By the address for which they are counted, each with the first first; "" = those that are
        not counted, who have no share."""
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def full(self) -> bool:
        return self._count >= self._most

    def full_for(self, address: str) -> bool:
        """Whether that address has its share."""
        return self._has_share(self._origin(address))

    def _has_share(self, origin: str) -> bool:
        return bool(origin) and len(self._taken.get(origin, ())) >= self._per_address

    def take(self, address: str, make_room: Callable[[], object]) -> "TakenPlace":
        """`make_room` is called where another caller gets this place, which is given back then."""
        origin = self._origin(address)
        if self._has_share(origin):
            _first(self._taken[origin]).leave()
        elif self.full:
            _first(max(self._taken.values(), key=len)).leave()
        place = TakenPlace(self, origin, make_room)
        self._taken.setdefault(origin, {})[place] = None
        self._count += 1
        return place

    def empty(self) -> None:
        """Everybody makes room."""
        for place in [place for those in self._taken.values() for place in those]:
            place.leave()

    def free(self, place: "TakenPlace") -> None:
        if not self.has(place):
            return
        del self._taken[place.origin][place]
        self._count -= 1
        if not self._taken[place.origin]:
            del self._taken[place.origin]

    def has(self, place: "TakenPlace") -> bool:
        return place in self._taken.get(place.origin, ())


def _first(places: "dict[TakenPlace, None]") -> "TakenPlace":
    return next(iter(places))


class TakenPlace:
    """One of them. `origin`: the address for which it is counted."""

    __slots__ = ("_among", "_make_room", "origin")

    def __init__(self, among: Places, origin: str, make_room: Callable[[], object]) -> None:
        self._among: Final = among
        self.origin: Final = origin
        self._make_room: Final = make_room

    @property
    def taken(self) -> bool:
        return self._among.has(self)

    def give_back(self) -> None:
        """Any number of times."""
        self._among.free(self)

    def leave(self) -> None:
        """Give it back for somebody else."""
        self.give_back()
        self._make_room()
