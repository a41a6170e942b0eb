"""All connections of one server, and what each may ask for.

It says how many there may be and how much of the loop they may use together; it knows whose words
wait to be written, and has the timer that looks for slow and silent peers.

Laws: an error that is met with one peer closes its connection and reaches no other. After their
share of a turn of the loop the matches are served again, however much is asked at once; requests
that had to wait come first in the next turn, in the order in which they came.
"""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import structlog
from msgspec import Struct

from protocol.errors import GoodbyeCode
from protocol.from_server import Goodbye, Refused
from server.config import Limits
from server.net.callers import Addresses, Banned
from server.tasks import Bucket, few

if TYPE_CHECKING:
    from server.net.session import Session

# What a peer may ask for: each request takes a token from a bucket, and a long one takes its bytes
# from another before anything is unpacked.
#
# Laws: nothing is refused and nothing lost; a request that comes too fast waits, and so does all
# that follows it. The first action after each update takes nothing (`Session`): nobody is held up
# in a game, and a flood of refused actions is still a flood. All other requests also wait for their
# share of the loop (`Peers.spent`).


SHORT_BYTES: Final = 512
"""A frame no longer than this takes nothing from the bucket of bytes: every action is shorter."""


class Allowance(Bucket):
    """Of one peer, a bucket of requests. What is returned: how long the peer must wait, 0 = for a
    later turn of the loop; None = it need not, and has taken what it asked for."""

    __slots__ = ("_bytes", "_peers")

    def __init__(self, peers: "Peers", now_s: float) -> None:
        limits = peers.limits
        super().__init__(limits.commands_s, limits.commands_burst, now_s)
        self._peers: Final = peers
        self._bytes: Bucket | None = None
        """Few peers send a long frame."""

    def wait_to_serve(self, now_s: float) -> float | None:
        """A message."""
        if self._peers.spent():
            return 0.0
        if self.take(now_s):
            return None
        self._peers.hits["commands_s"] += 1
        return self.wait_s()

    def wait_to_unpack(self, length: int, now_s: float) -> float | None:
        """A long frame."""
        more_bytes, limits = length - SHORT_BYTES, self._peers.limits
        if self._bytes is None:
            self._bytes = Bucket(limits.bytes_s, limits.bytes_burst, now_s)
        if self._peers.spent():
            return 0.0
        if self._bytes.take(now_s, more_bytes):
            return None
        self._peers.hits["bytes_s"] += 1
        return self._bytes.wait_s(more_bytes)


SWEEP_S: Final = 1.0
SWEPT_A_TURN: Final = 20
"""Closing one connection takes some fifty microseconds, and thousands may be closed at once."""
SHARE_S: Final = 0.001
"""Of each turn, for requests that no match waits for. A move takes two or three turns, from its
arrival to the words written to the others."""


class Messages(dict[type[Struct], list[int]]):
    """By the type of message: how many there were, and their bytes."""

    def __missing__(self, kind: type[Struct]) -> list[int]:
        self[kind] = [0, 0]
        return self[kind]


class Traffic:
    """What peers have said and were told, counted: it costs each message. `refusals`, `goodbyes`:
    by code."""

    def __init__(self) -> None:
        self.received: Final = Messages()
        self.sent: Final = Messages()
        self.refusals: Final[Counter[str]] = Counter()
        self.goodbyes: Final[Counter[str]] = Counter()

    def heard(self, message: Struct, frame_bytes: int) -> None:
        count = self.received[type(message)]
        count[0] += 1
        count[1] += frame_bytes

    def told(self, message: Struct, frame_bytes: int) -> None:
        count = self.sent[type(message)]
        count[0] += 1
        count[1] += frame_bytes
        if isinstance(message, Refused):
            self.refusals[message.code] += 1
        elif isinstance(message, Goodbye):
            self.goodbyes[message.code] += 1


class Peers:
    """`connected`: every peer whose socket is open, and whether they count for their address.
    `admitted`: the connected peers whose messages are read; to the others only their last message
    is written. `banned`: who may not come in. `hits`: how often a connection has met a limit, by
    the limit's name. `unwritten`: those whose words wait for the end of this turn. `traffic`:
    counted where somebody asks for it."""

    def __init__(self, limits: Limits, traffic: Traffic | None = None) -> None:
        self.limits: Final = limits
        self.traffic: Final = traffic
        self.banned: Final = Banned()
        self.hits: Final[Counter[str]] = Counter()
        self.addresses: Final = Addresses(
            limits.per_address, loopback_counts=limits.loopback_counts
        )
        self.connected: Final[dict[Session, bool]] = {}
        self.admitted: Final[set[Session]] = set()
        self.unwritten: list[Session] = []
        self._share_ends_s: float | None = None
        """Of this turn; None: nobody has asked for any of it."""
        self._waiting: Final[deque[Callable[[], None]]] = deque()

    def arrived(self, peer: "Session") -> Goodbye | None:
        """Count a new connection. Returns the goodbye for a connection too many, or banned."""
        caller = peer.caller
        self.connected[peer] = False
        if len(self.connected) > self.limits.connections:
            self.hits["connections"] += 1
            return Goodbye(GoodbyeCode.FULL)
        if (banned := self.banned.address(caller.address)) is not None:
            return banned
        if not caller.led:
            if not self.addresses.admit(caller.address):
                self.hits["per_address"] += 1
                return Goodbye(GoodbyeCode.ADDRESS_FULL, {"limit": self.limits.per_address})
            self.connected[peer] = True
        self.admitted.add(peer)
        return None

    def gone(self, peer: "Session") -> None:
        """The peer's socket is closed."""
        if self.connected.pop(peer, False):
            self.addresses.release(peer.caller.address)

    # Turns of the loop ----------------------------------------------------------------------------

    def write_all(self) -> None:
        """Called at the end of a turn in which words were queued."""
        queued, self.unwritten = self.unwritten, []
        for peer in queued:
            peer.write()

    def spent(self) -> bool:
        """Whether the share of this turn is spent. The first call in a turn starts its time."""
        now_s = time.perf_counter()
        if self._share_ends_s is None:
            self._share_ends_s = now_s + SHARE_S
            asyncio.get_running_loop().call_soon(self._next_turn)
        return now_s >= self._share_ends_s

    def later(self, serve: Callable[[], None]) -> None:
        """Call `serve`, which never raises, in a later turn."""
        self._waiting.append(serve)

    def _next_turn(self) -> None:
        self._share_ends_s = None
        while self._waiting and not self.spent():
            self._waiting.popleft()()

    # All of them ----------------------------------------------------------------------------------

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
