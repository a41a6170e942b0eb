"""Who may come to a table: who finds it, what is refused, and whom the host or the operator of the
server has sent away.

Laws: what is refused has changed nothing. A kick holds the person, however their name is spelt and
by however many connections they come. It holds nobody else behind the same address.
"""

import re
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from protocol.errors import Param, Refusal, RefusalCode
from protocol.from_server import LeftTable, NoticeCode, TableGone
from protocol.ids import Seat
from protocol.table import TablePhase
from protocol.text import clean, name_key
from server.matches.match import WhenKept, nobody_waits
from server.tables.names import keys

if TYPE_CHECKING:
    from server.net.session import Session
    from server.tables.table import Table

# Refusals as exceptions, so that a handler reads as what happens when all is well.


class Impossible(Exception):
    """A valid request that cannot be fulfilled now; the match has not changed. The session
    answers it."""

    def __init__(self, code: RefusalCode, **params: Param) -> None:
        super().__init__(code)
        self.refusal = Refusal(code, params)


class Access(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`hidden`: only those who know its code find it. `lock`: the argon2id hash of its password, ""
    = it has none. `watchable`: people who do not play may watch."""

    hidden: bool = False
    lock: str = ""
    watchable: bool = True


OPEN: Final = Access()


# Whom the host of a table, or the operator of the server, has sent away from it.
#
# Law: a kick holds the person, however their name is spelt and by however many connections they
# come. It holds nobody else behind the same address.


_NUMBER: Final = re.compile(r" \d+$")
_NOBODY: Final[frozenset[Any]] = frozenset()
"""One for all: an empty set takes 216 bytes, and every table has three."""


class Kicked:
    """Of one table, for as long as it stands."""

    __slots__ = ("_guests", "_identities", "_looks", "_table")

    def __init__(self, table: "Table") -> None:
        self._table: Final = table
        self._guests: frozenset[Session] = _NOBODY
        self._identities: frozenset[bytes] = _NOBODY
        self._looks: frozenset[str] = _NOBODY

    def refuse(self, guest: "Session") -> None:
        """Raises Impossible for somebody who was sent away."""
        if self._is_sent_away(guest):
            raise Impossible(RefusalCode.KICKED, table=self._table.code)

    def kick(self, host: "Session", name: str, answer: WhenKept) -> None:
        """Send the person of that name away for as long as the table stands, with all their
        connections; `answer` as for `leave`. Raises Impossible."""
        gone = self._named(name)
        if gone is host:
            raise Impossible(RefusalCode.NOT_YOURSELF)
        away = self._send_away(gone, NoticeCode.KICKED, answer, by=host)
        for guest in away:
            guest.send(LeftTable(self._table.code, TableGone.KICKED))

    def expel(self, gone: "Session | Seat") -> None:
        """The operator of the server sends a person of this table away, or the absent owner of a
        seat, for as long as the table stands. Those who are here have lost the table silently."""
        self._send_away(gone, NoticeCode.EXPELLED, nobody_waits, by=None)

    def _send_away(
        self, gone: "Session | Seat", how: NoticeCode, answer: WhenKept, *, by: "Session | None"
    ) -> list["Session"]:
        """Send somebody away wherever they are at this table. Returns those who were here."""
        whose = self._table.seating.chairs[gone] if isinstance(gone, int) else gone
        identity = whose.identity
        if by is not None and by.identity == identity:
            identity = b""  # of two connections of the same person one stays
        self._add(whose.name, identity, None if isinstance(gone, int) else gone)
        if isinstance(gone, int):
            self._send_away_absent(Seat(gone), how, answer)
            away = list["Session"]()
        else:
            self._table.go(gone, how, answer)
            away = [gone]
        for other in [one for one in self._table.people() if identity and one.identity == identity]:
            self._add(other.name, identity, other)
            self._table.go(other, how, nobody_waits)
            away.append(other)
        for seat in self._table.seating.owned_by(identity):
            if self._table.seating.chairs[seat].awaited:
                self._send_away_absent(seat, how, nobody_waits)
        self._table.presence.close_if_deserted()
        return away

    def _named(self, name: str) -> "Session | Seat":
        """The person of that name who is here, or the seat of an absent owner of that name."""
        key = name_key(clean(name))
        for guest in self._table.people():
            if name_key(guest.name) == key:
                return guest
        for seat, chair in enumerate(self._table.seating.chairs):
            if chair.awaited and name_key(chair.name) == key:
                return Seat(seat)
        raise Impossible(RefusalCode.NOBODY_OF_THAT_NAME, name=clean(name))

    def _send_away_absent(self, seat: Seat, how: NoticeCode, answer: WhenKept) -> None:
        table, chair = self._table, self._table.seating.chairs[seat]
        table.news.say(how, name=chair.name, seat=seat)
        assert table.match is not None  # a seat is held only for the owner of a token
        table.match.give_up(seat, answer)
        if table.phase is not TablePhase.PLAYING:
            table.presence.free(seat)
        elif chair.bot is None:
            table.playing.give_to_bot(seat, for_good=True)
        else:
            chair.give_up(chair.bot)
        table.presence.update_standstill()

    def _add(self, name: str, identity: bytes, guest: "Session | None" = None) -> None:
        """Hold this person, who may be here as `guest`. `identity`: as in `Session`."""
        self._looks |= keys(name)
        if identity:
            self._identities |= {identity}
        if guest is not None:
            self._guests |= {guest}

    def _is_sent_away(self, guest: "Session") -> bool:
        """Whether the guest was sent away, or cannot be told from somebody who was."""
        if guest in self._guests or guest.identity in self._identities:
            return True
        looks = keys(guest.name)
        if not guest.identity:  # without one, the same wish for a name gets a number and is held
            looks |= keys(_NUMBER.sub("", guest.name))
        return not looks.isdisjoint(self._looks)
