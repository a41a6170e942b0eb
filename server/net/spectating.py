"""What a watcher of a match is sent: every state, or on a slow line only the newest.

Law: while the line is slow, one state of the match waits, whatever happens and for how long: what
a match sends neither fills the memory nor cuts a slow watcher. Chat, notices and news of the table
do not come through here; they are queued as for a player, and cut a watcher who reads too little.
"""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from protocol.from_server import Started, Update
from server.matches.fanout import Outbox


class Spectating:
    """The messages for a watcher. The session sets `slow`; `drained` resets it."""

    __slots__ = ("_send", "_unseen", "_waiting", "slow")

    def __init__(self, send: Outbox) -> None:
        self._send: Final = send
        self._waiting: list[Struct] = []
        self._unseen = 0
        """Events that stand, and that the waiting update leaves out."""
        self.slow = False

    def show(self, message: Struct) -> None:
        """Send this message of the match, or let it wait and replace the one before it."""
        if not self.slow:
            self._send(message)
        elif isinstance(message, Started):
            # A new match begins: the end of the one before is of no interest now.
            self._forget()
            self._waiting.append(message)
        elif (
            isinstance(message, Update)
            and self._waiting
            and isinstance(last := self._waiting[-1], Update)
        ):
            self._waiting[-1] = self._in_place_of(last, message)
        else:
            self._waiting.append(message)

    def _in_place_of(self, last: Update, newest: Update) -> Update:
        """One update that says what both say. Events taken back may never have been sent."""
        unseen = self._unseen + len(last.events)
        never_sent = min(unseen, newest.taken_back)
        self._unseen = unseen - never_sent
        return replace(
            newest,
            taken_back=last.taken_back + newest.taken_back - never_sent,
            skipped=last.skipped + 1,
        )

    def drained(self, match: str) -> None:
        """The line takes more again: send what waits, if it belongs to the `match` watched now."""
        self.slow = False
        waiting = self._waiting.copy()
        self._forget()
        for message in waiting:
            if getattr(message, "match", "") == match:
                self._send(message)

    def _forget(self) -> None:
        self._waiting.clear()
        self._unseen = 0
