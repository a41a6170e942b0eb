"""What a peer may ask for: each request takes a token from a bucket, and a long one takes its bytes
from another before anything is unpacked.

Laws: nothing is refused and nothing lost; a request that comes too fast waits, and so does all
that follows it. The first action on each version by a seat that is to act takes nothing
(`Session`): so nobody is held up in a game, and a flood of refused actions is still a flood. All
other requests also wait for their share of the loop (`Peers.spent`).
"""

from typing import Final

from msgspec import Struct

from server.net.peers import Peers
from server.timing import Bucket

SHORT_BYTES: Final = 512
"""A frame no longer than this takes nothing from the bucket of bytes: every action is shorter."""


class Allowance:
    """Of one peer. Time is an argument.

    `held`: the message that must wait. `wait_s`: how long the next one must, 0 = for a later turn
    of the loop; None = it need not. `held_since_s`: since when messages wait without a break.
    """

    __slots__ = ("_bytes", "_peers", "_requests", "held", "held_since_s", "wait_s")

    def __init__(self, peers: Peers, now_s: float) -> None:
        limits = peers.limits
        self._peers: Final = peers
        self._requests: Final = Bucket(limits.commands_s, limits.commands_burst, now_s)
        self._bytes: Final = Bucket(limits.bytes_s, limits.bytes_burst, now_s)
        self.held: Struct | None = None
        self.held_since_s: float | None = None
        self.wait_s: float | None = None

    def takes(self, message: Struct, now_s: float) -> bool:
        """Whether a message may be served now; else it is held."""
        if self._peers.spent():
            self._hold(message, now_s, 0.0)
            return False
        if not self._requests.take(now_s):
            self._hold(message, now_s, self._requests.wait_s(), "commands_s")
            return False
        return True

    def takes_bytes(self, length: int, now_s: float) -> bool:
        """Whether a long frame may be unpacked now."""
        more_bytes = length - SHORT_BYTES
        if self._peers.spent():
            self._hold(None, now_s, 0.0)
            return False
        if not self._bytes.take(now_s, more_bytes):
            self._hold(None, now_s, self._bytes.wait_s(more_bytes), "bytes_s")
            return False
        return True

    def _hold(self, message: Struct | None, now_s: float, wait_s: float, limit: str = "") -> None:
        self.held, self.wait_s = message, wait_s
        if wait_s:
            self._peers.hits[limit] += 1
        if self.held_since_s is None:
            self.held_since_s = now_s

    def forget(self) -> None:
        """Drop what is held: the connection is over, or another server serves it."""
        self.held = self.held_since_s = self.wait_s = None
