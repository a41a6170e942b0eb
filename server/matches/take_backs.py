"""Whether a seat may take back the newest action of a match, and why not.

Law: only the newest entry of the journal is ever taken back. Any later entry rules that out, also
another seat's take-back.
"""

from typing import Final

from protocol.ids import Seat
from protocol.refusal import Refusal, RefusalCode
from server.store.journal import Entry

MAX_TAKE_BACKS: Final = 100
"""Per seat and match: each costs two entries of the journal and a replay of it."""


class TakeBacks:
    """`note` must be called for every entry, in order. `owner`: the seat that may take back now,
    or None."""

    __slots__ = ("_last", "_made", "_spent", "owner")

    def __init__(self) -> None:
        self.owner: Seat | None = None
        self._last: Seat | None = None
        self._made: tuple[Seat, ...] = ()  # a set of one seat takes 216 bytes
        self._spent: dict[Seat, int] = {}

    def note(self, entry: Entry, revocable: Seat | None) -> None:
        """Take in an entry; `revocable` is what the rules say of the state after it."""
        self.owner = None
        if entry.seat is None:
            return
        self._last = entry.seat
        if entry.takes_back:
            self._made = tuple(seat for seat in self._made if seat != entry.seat)
            self._spent[entry.seat] = self._spent.get(entry.seat, 0) + 1
        elif revocable is not None:
            self.owner = revocable
            if revocable not in self._made:
                self._made += (revocable,)

    def refuse(self, seat: Seat) -> Refusal | None:
        """Why this seat may not take back now, or None."""
        if self.owner == seat:
            if self._spent.get(seat, 0) < MAX_TAKE_BACKS:
                return None
            return Refusal(RefusalCode.TOO_MANY_TAKE_BACKS, {"limit": MAX_TAKE_BACKS})
        if self.owner is not None:
            return Refusal(RefusalCode.NOT_YOURS)
        if self._last is None or seat not in self._made:
            return Refusal(RefusalCode.NOTHING_TO_TAKE_BACK)
        return Refusal(RefusalCode.TOO_LATE, {"seat": self._last})
