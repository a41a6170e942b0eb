"""All connections of one server: how many there may be, whose words wait to be written, and the
timer that looks for slow and silent peers.

Law: an error that is met with one peer closes its connection and reaches no other.
"""

import asyncio
from collections import Counter
from typing import Final, Generic, Protocol, TypeVar

import structlog

from protocol.errors import GoodbyeCode
from protocol.from_server import Goodbye
from server.config import Limits
from server.net.addresses import Addresses
from server.net.banned import Banned
from server.net.caller import Caller
from server.net.turns import Turns
from server.tasks import few

SWEEP_S: Final = 1.0
SWEPT_A_TURN: Final = 20
"""Closing one connection takes some fifty microseconds, and thousands may be closed at once."""


class Peer(Protocol):
    """A session, as far as all of them are treated alike."""

    name: str

    def check(self, now_s: float) -> None:
        """Close the connection if the peer was too slow, or silent for too long."""

    def part(self) -> None:
        """Tell the peer that the server stops, and close."""

    def close(self) -> None:
        """Close the connection. Never raises."""


class Line(Protocol):
    """Of a peer."""

    def write(self) -> None:
        """Hand to the transport what is queued. Never raises."""


P = TypeVar("P", bound=Peer)


class Peers(Generic[P]):
    """`turns`: how much of each turn of the loop they may use together. `connected`: every peer
    whose socket is open. `admitted`: the connected peers whose messages are read; to the others
    only their last message is written. `banned`: who may not come in. `hits`: how often a
    connection has met a limit, by the limit's name."""

    def __init__(self, limits: Limits) -> None:
        self.limits: Final = limits
        self.banned: Final = Banned()
        self.turns: Final = Turns()
        self.hits: Final[Counter[str]] = Counter()
        self.addresses: Final = Addresses(
            limits.per_address, loopback_counts=limits.loopback_counts
        )
        self.connected: Final[set[P]] = set()
        self.admitted: Final[set[P]] = set()
        self._addresses_of: Final[dict[P, str]] = {}
        self._unwritten: list[Line] = []

    def arrived(self, peer: P, caller: Caller) -> Goodbye | None:
        """Count a new connection. Returns the goodbye for a connection too many, or banned."""
        self.connected.add(peer)
        if len(self.connected) > self.limits.connections:
            self.hits["connections"] += 1
            return Goodbye(GoodbyeCode.FULL)
        if (banned := self.banned.address(caller.address)) is not None:
            return banned
        if not caller.led:
            if not self.addresses.admit(caller.address):
                self.hits["per_address"] += 1
                return Goodbye(GoodbyeCode.ADDRESS_FULL, {"limit": self.limits.per_address})
            self._addresses_of[peer] = caller.address
        self.admitted.add(peer)
        return None

    def gone(self, peer: P) -> None:
        """The peer's socket is closed."""
        self.connected.discard(peer)
        if (address := self._addresses_of.pop(peer, None)) is not None:
            self.addresses.release(address)

    def write_soon(self, line: Line) -> None:
        """Call the line's `write` at the end of this turn of the loop."""
        if not self._unwritten:
            asyncio.get_running_loop().call_soon(self._write_all)
        self._unwritten.append(line)

    def _write_all(self) -> None:
        queued, self._unwritten = self._unwritten, []
        for line in queued:
            line.write()

    async def sweep(self) -> None:
        """Look after all peers once a second, for ever: one timer, not one a session."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(SWEEP_S)
            now_s = loop.time()
            async for peer in few(self.admitted, SWEPT_A_TURN):
                try:
                    peer.check(now_s)
                except Exception:
                    structlog.get_logger().exception("check failed", name=peer.name)
                    peer.close()

    def part(self) -> None:
        """Tell everybody that the server stops, and close."""
        for peer in list(self.admitted):
            try:
                peer.part()
            except Exception:
                structlog.get_logger().exception("goodbye failed", name=peer.name)
                peer.close()
