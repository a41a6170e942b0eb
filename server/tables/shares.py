"""What each address and each identity has of a server: tables, and seats of bots.

A table counts for every owner of a seat, present or expected back. A table that nobody has a seat
at counts for those who had one last, until it closes. Matches that are asleep count by themselves.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from protocol.errors import RefusalCode
from protocol.ids import TableCode
from server.config import Limits
from server.tables.access import Impossible
from server.tables.seat import Seating, SeatState

if TYPE_CHECKING:
    from server.net.session import Session

Owner: TypeAlias = str | bytes
"""An address (`Session.origin`) or an identity."""


class _Share(NamedTuple):
    owners: tuple[Owner, ...]
    bots: int


class Shares:
    """Knows the tables that stand and those whose match rests, and who plays where all sleep."""

    __slots__ = ("_asleep", "_bots", "_limits", "_of", "_tables")

    def __init__(self, limits: Limits) -> None:
        self._limits: Final = limits
        self._of: Final[dict[TableCode, _Share]] = {}
        self._tables: Final[Counter[Owner]] = Counter()
        self._bots: Final[Counter[Owner]] = Counter()
        self._asleep: Final[Counter[Owner]] = Counter()

    def refuse(self, guest: "Session", *, tables: int = 0, bots: int = 0, days: int = 0) -> None:
        """Raises Impossible if so many more were too many for this guest. `days`: matches of
        days."""
        of = self._limits
        asked = (
            (self._tables, tables, RefusalCode.TOO_MANY_OF_YOURS),
            (self._bots, bots, RefusalCode.TOO_MANY_BOTS),
            (self._asleep, days, RefusalCode.TOO_MANY_WAITING),
        )
        of_address = of.tables_per_address, of.bots_per_address, of.waiting_per_address
        of_identity = of.tables_per_identity, of.bots_per_identity, of.waiting_per_identity
        for owner in _known(guest.origin, guest.identity):
            limits = of_address if isinstance(owner, str) else of_identity
            for (counted, more, code), most in zip(asked, limits, strict=True):
                if more and counted[owner] + more > most:
                    raise Impossible(code, limit=most)

    def sleep(self, owners: Iterable[tuple[str, bytes]]) -> None:
        """A match of these owners of seats, by address and identity, is asleep."""
        self._asleep.update(_each(owners))

    def wake(self, owners: Iterable[tuple[str, bytes]]) -> None:
        """It is not any more."""
        for owner in _each(owners):
            self._asleep[owner] -= 1
            if not self._asleep[owner]:
                del self._asleep[owner]

    def plays(self, identity: bytes) -> bool:
        """Whether this person has a seat anywhere."""
        return self._asleep[identity] > 0 or self._tables[identity] > 0

    def most(self, code: TableCode) -> int:
        """How many tables that owner of this table has who has most."""
        return max((self._tables[owner] for owner in self._of[code].owners), default=0)

    def count(self, code: TableCode, seating: Seating) -> None:
        """Somebody came to this table or went from it, or a bot did."""
        before = self._of.get(code)
        owners = tuple(dict.fromkeys(_owners(seating)))
        if before is not None and not (seating.guests() or seating.awaits()):
            owners = before.owners
        bots = sum(chair.state is SeatState.BOT for chair in seating.chairs)
        if (share := _Share(owners, bots)) != before:
            self.drop(code)
            self._of[code] = share
            self._add(share, 1)

    def drop(self, code: TableCode) -> None:
        """The table counts for nobody any more."""
        if (share := self._of.pop(code, None)) is not None:
            self._add(share, -1)

    def _add(self, share: _Share, sign: int) -> None:
        for owner in share.owners:
            for counter, by in ((self._tables, 1), (self._bots, share.bots)):
                counter[owner] += sign * by
                if not counter[owner]:
                    del counter[owner]


def _owners(seating: Seating) -> Iterator[Owner]:
    for chair in seating.chairs:
        yield from _known(chair.origin, chair.identity)


def _each(owners: Iterable[tuple[str, bytes]]) -> set[Owner]:
    return {owner for one in owners for owner in _known(*one)}


def _known(origin: str, identity: bytes) -> Iterator[Owner]:
    if origin:
        yield origin
    if identity:
        yield identity
