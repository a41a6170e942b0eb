"""How fast one session is served: a bucket of tokens for all that it asks.

Laws: nothing is refused and nothing lost; what comes too fast waits, with all that follows it. The
action that a match waits for passes at once and free, the first on each version: so nobody is held
up in a game, and a flood of refused actions is a flood. All else also waits for its share of the
loop.
"""

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from protocol.connection import Connection
from protocol.from_client import Act
from protocol.ids import MatchId
from server.bucket import Bucket
from server.config import Limits
from server.net.turns import Turns

if TYPE_CHECKING:
    from server.tables.guest import Guest


class Pace:
    """Between a connection and who serves its messages.

    `wait_s`: for so long the message that is next must wait, 0 = for a later turn of the loop;
    None = none waits. `held_since_s`: since when one has waited or another, without a break.
    """

    __slots__ = ("_bucket", "_connection", "_free", "_held", "_turns", "held_since_s", "wait_s")

    def __init__(self, connection: Connection, turns: Turns, limits: Limits, now_s: float) -> None:
        self._connection: Final = connection
        self._turns: Final = turns
        self._bucket: Final = Bucket(limits.commands_s, limits.commands_burst, now_s)
        self._held: Struct | None = None
        self._free: tuple[MatchId, int] | None = None
        self.held_since_s: float | None = None
        self.wait_s: float | None = None

    def next_message(self, guest: "Guest", now_s: float) -> Struct | None:
        """The next message that may be served now. None: one is held, or more bytes must come.

        Raises RemoteProtocolError as the connection does.
        """
        message = self._held or self._connection.next_message()
        if message is None:
            self.held_since_s = None
            return None
        if not (isinstance(message, Act) and self._is_due(guest, message)):
            if self._turns.spent():
                self._hold(message, now_s, 0.0)
                return None
            if not self._bucket.take(now_s):
                self._hold(message, now_s, self._bucket.wait_s())
                return None
        self._held = self.wait_s = None
        return message

    def forget(self) -> None:
        """The connection is over: nothing is served any more."""
        self._held = self.held_since_s = self.wait_s = None

    def _hold(self, message: Struct, now_s: float, wait_s: float) -> None:
        self._held = message
        self.wait_s = wait_s
        if self.held_since_s is None:
            self.held_since_s = now_s

    def _is_due(self, guest: "Guest", act: Act) -> bool:
        """Whether it is the action of a seat that is to act, and the first on this version; where
        actions are simultaneous a seat may not know the newest one."""
        table = guest.table
        if table is None or (match := table.match) is None:
            return False
        version = match.version
        if self._free == (match.id, version):
            return False
        if act.version != version and match.rules.refuses_stale:
            return False
        if table.seating.seat_of(guest) not in match.to_act():
            return False
        self._free = (match.id, version)
        return True
