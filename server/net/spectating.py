"""What a watcher of a match on a slow line is shown: the newest state, when the line takes more.

Law: while the line is slow, one state of the match waits, whatever happens and for how long: what
a match sends neither fills the memory nor cuts a slow watcher. Chat, notices and news of the table
do not come through here; they are queued as for a player, and cut a watcher who reads too little.
"""

from msgspec import Struct
from msgspec.structs import replace

from protocol.changes import News
from protocol.from_server import Started, Update


class Unshown:
    """What a watcher has not been shown, of one match."""

    __slots__ = ("_events", "waiting")

    def __init__(self) -> None:
        self.waiting: list[Struct] = []
        self._events = 0
        """Those that stand, and that the waiting update leaves out."""

    def add(self, message: Struct) -> None:
        """This message of the match waits, and may replace the one before it."""
        if isinstance(message, News):
            message = message.whole()
        last = self.waiting[-1] if self.waiting else None
        if isinstance(message, Started):
            # A new match begins: the end of the one before is of no interest now.
            self._clear()
        elif isinstance(message, Update) and isinstance(last, Update):
            self.waiting.pop()
            message = self._in_place_of(last, message)
        self.waiting.append(message)

    def _in_place_of(self, last: Update, newest: Update) -> Update:
        """One update that says what both say. Events taken back may never have been sent."""
        unseen = self._events + len(last.events)
        never_sent = min(unseen, newest.taken_back)
        self._events = unseen - never_sent
        return replace(
            newest,
            taken_back=last.taken_back + newest.taken_back - never_sent,
            skipped=last.skipped + 1,
        )

    def take(self, match: str) -> list[Struct]:
        """What waits, if it belongs to the `match` that is watched now; nothing waits any more."""
        waiting = [one for one in self.waiting if getattr(one, "match", "") == match]
        self._clear()
        return waiting

    def _clear(self) -> None:
        self.waiting.clear()
        self._events = 0
