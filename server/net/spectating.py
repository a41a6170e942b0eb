"""What somebody who watches a match is shown: every state, or on a slow line the newest.

Law: while the line is slow one state of the match waits, whatever happens in it and for how long;
so no watcher costs more than that, and none is cut for being slow. Seats never come here.
"""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from protocol.from_server import Started, Update
from server.matches.ports import Outbox


class Spectating:
    """Of one watcher. `slow` from its setting until `drained`."""

    __slots__ = ("_send", "_unseen", "_waiting", "slow")

    def __init__(self, send: Outbox) -> None:
        self._send: Final = send
        self._waiting: list[Struct] = []
        self._unseen = 0
        """Events that stand, and are left out of what waits."""
        self.slow = False

    def show(self, message: Struct) -> None:
        """Send what the match says, now or in short."""
        if not self.slow:
            self._send(message)
        elif isinstance(message, Started):
            # Nobody wants to see the end of the match before any more.
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
        """Both in one. What is taken back may be what was never sent."""
        unseen = self._unseen + len(last.events)
        never_sent = min(unseen, newest.taken_back)
        self._unseen = unseen - never_sent
        return replace(
            newest,
            taken_back=last.taken_back + newest.taken_back - never_sent,
            skipped=last.skipped + 1,
        )

    def drained(self, match: str) -> None:
        """The line takes more again: send what waits, if it is of the match that is watched now."""
        self.slow = False
        waiting = self._waiting.copy()
        self._forget()
        for message in waiting:
            if getattr(message, "match", "") == match:
                self._send(message)

    def _forget(self) -> None:
        self._waiting.clear()
        self._unseen = 0
