"""How fast a session is served: each request takes a token from a bucket, and a long one takes its
bytes from another before anything is unpacked.

Laws: nothing is refused and nothing lost; a request that comes too fast waits, and so does all
that follows it. The first action on each version by a seat that is to act passes at once and free:
so nobody is held up in a game, and a flood of refused actions is still a flood. All other requests
also wait for their share of the loop (`turns`).
"""

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from protocol.codec import framed
from protocol.connection import Connection
from protocol.from_client import Act
from protocol.ids import MatchId, Seat
from server.bucket import Bucket
from server.config import Limits
from server.matches.match import Match
from server.net.turns import Turns

if TYPE_CHECKING:
    from server.net.session import Session
    from server.tables.table import Table

SHORT_BYTES: Final = 512
"""A frame no longer than this takes nothing from the bucket of bytes: every action is shorter."""


class Pace:
    """Stands between a connection and the handlers, and holds at most one message.

    `wait_s`: how long the next message must wait, 0 = for a later turn of the loop; None = it need
    not. `held_by`: the limit for which the next message waits that long. `held_since_s`: since when
    messages have been held without a break.
    """

    __slots__ = (
        "_bucket",
        "_bytes",
        "_connection",
        "_free",
        "_held",
        "_turns",
        "held_by",
        "held_since_s",
        "wait_s",
    )

    def __init__(self, connection: Connection, turns: Turns, limits: Limits, now_s: float) -> None:
        self._connection: Final = connection
        self._turns: Final = turns
        self._bucket: Final = Bucket(limits.commands_s, limits.commands_burst, now_s)
        self._bytes: Final = Bucket(limits.bytes_s, limits.bytes_burst, now_s)
        self._held: Struct | None = None
        self._free: tuple[MatchId, int] | None = None
        self.held_by = ""
        self.held_since_s: float | None = None
        self.wait_s: float | None = None

    def next_message(self, guest: "Session", table: "Table | None", now_s: float) -> Struct | None:
        """The next message to serve now, of a guest at that table; None when it must wait, or more
        bytes must come.

        Raises RemoteProtocolError as the connection does.
        """
        if (message := self._held) is None and self._connection.frame_started:
            if not self._may_unpack(now_s):
                return None
            message = self._connection.next_message()
        if message is None:
            self.held_since_s = None
            return None
        if not (isinstance(message, Act) and self.passes_free(guest, table, message)):
            if self._turns.spent():
                self._hold(message, now_s, 0.0)
                return None
            if not self._bucket.take(now_s):
                self._hold(message, now_s, self._bucket.wait_s(), "commands_s")
                return None
        self._held = self.wait_s = None
        return message

    def rest(self) -> bytes:
        """What the peer has said and nobody has served; it is forgotten here."""
        held = b"" if self._held is None else framed(self._held)
        self.forget()
        return held + self._connection.rest()

    def forget(self) -> None:
        """Drop the held message: the connection is over."""
        self._held = self.held_since_s = self.wait_s = None

    def _may_unpack(self, now_s: float) -> bool:
        """Whether the next frame is short, or its bytes are taken from the bucket."""
        more_bytes = self._connection.frame_bytes - SHORT_BYTES
        if more_bytes <= 0:
            return True
        if self._turns.spent():
            self._hold(None, now_s, 0.0)
            return False
        if not self._bytes.take(now_s, more_bytes):
            self._hold(None, now_s, self._bytes.wait_s(more_bytes), "bytes_s")
            return False
        return True

    def _hold(self, message: Struct | None, now_s: float, wait_s: float, by: str = "") -> None:
        self._held = message
        self.held_by = by
        self.wait_s = wait_s
        if self.held_since_s is None:
            self.held_since_s = now_s

    def passes_free(self, guest: "Session", table: "Table | None", act: Act) -> bool:
        """Whether the guest's seat is to act, and this is its first action on this version: only
        one does. Where actions are simultaneous the seat may not know the newest version."""
        if table is None or (match := table.match) is None:
            return False
        return self.passes(match, table.seating.seat_of(guest), act)

    def passes(self, match: Match, seat: Seat | None, act: Act) -> bool:
        """`passes_free` of the guest in this seat. A measured hot path."""
        version = match.version
        if self._free == (match.id, version):
            return False
        if act.version != version and match.rules.refuses_stale:
            return False
        if seat not in match.to_act():
            return False
        self._free = (match.id, version)
        return True
