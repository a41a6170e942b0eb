"""What the journal has of a table: what it is made from when the server restarts, in the header of
its match, or of a table that has not begun, in the record of its deal; and the record of its match
that is over, for everybody who is there, and later for those who sat there.

The header itself has the game, the options and the number of seats; they are not repeated here. A
new field needs a default, since journals outlive programs.

Laws: nothing of a match's record is made while it runs, or while others may play its deal. It is
made once, however many at the table ask for it, and kept until the table makes that of another
match.
"""

import hmac
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import msgspec
import structlog
from msgspec import Struct
from msgspec.structs import replace

from protocol.codec import encode
from protocol.dealing import record_proof
from protocol.errors import RefusalCode
from protocol.from_server import AskedBack, Said
from protocol.ids import MatchId, Seat, TableCode
from protocol.table import Clock
from server.games.contract import Game
from server.games.registry import GAMES
from server.matches.replay import newest
from server.recording.records import Beginning, Occupant, line, read_said, record_of, with_said
from server.store.journal import Entry, Header, JournalError
from server.tables.access import OPEN, Access, Impossible

if TYPE_CHECKING:
    from server.matches.match import Match
    from server.net.session import Session
    from server.tables.deals import Deal
    from server.tables.lobby import Lobby
    from server.tables.seat import Chair
    from server.tables.table import Table

PersonKey: TypeAlias = bytes
"""The identity; "=" and the key of the name where there is none."""


class ChairRecord(Struct, frozen=True):
    """Who sat there when the match began. `level` "" = a person. `identity`: as in `Session`."""

    name: str
    level: str = ""
    identity: bytes = b""


class TableRecord(Struct, frozen=True, kw_only=True):
    """`matches`: how many have begun at the table, including this one. `seeded`: its host chose the
    seed of the header. `deal`: the id of the deal that other tables play, too, "" = none; `label`:
    what people call it. `began_at`: seconds since 1970, 0 = unknown."""

    code: str
    title: str
    preset: str
    host: int | None
    matches: int
    chairs: list[ChairRecord]
    clock: Clock | None = None
    seeded: bool = False
    hints: bool | None = None
    access: Access = OPEN
    deal: str = ""
    label: str = ""
    began_at: int = 0

    def has_owner(self, identity: bytes, seats: Iterable[int]) -> bool:
        """Whether one of these seats is this person's; b"" is nobody's."""
        return any(self.chairs[seat].identity == identity != b"" for seat in seats)


class DealRecord(Struct, frozen=True, kw_only=True):
    """A deal that several tables play; `header`: of no match, what they are dealt from. `sat` and
    `watched`: as in `Deal`. `waiting`: the tables that have not begun, where nobody sits but
    bots."""

    id: str
    label: str
    header: Header
    preset: str
    clock: Clock | None = None
    hints: bool | None = None
    sat: list[tuple[PersonKey, TableCode]]
    watched: list[tuple[PersonKey, list[TableCode]]]
    waiting: list[TableRecord]


class WaitingRecord(Struct, frozen=True, kw_only=True):
    """A table of days that has not begun; `header`: as in `DealRecord`. Of people, those who show
    an identity sit there. `table.began_at`: when it was noted so."""

    header: Header
    table: TableRecord
    chat: bytes


class KeptMatch(NamedTuple):
    """Everything that the journal has of a match and its table. `origins`: where the owners of its
    seats come from (`Session.origin`), by seat, of one that was asleep."""

    header: Header
    record: TableRecord
    entries: Sequence[Entry]
    tokens: Mapping[Seat, Sequence[bytes]]
    origins: Sequence[str] = ()


read_record: Final = msgspec.msgpack.Decoder(TableRecord).decode
"""Raises msgspec.DecodeError."""
read_deal: Final = msgspec.msgpack.Decoder(DealRecord).decode
"""Raises msgspec.DecodeError."""
read_waiting: Final = msgspec.msgpack.Decoder(WaitingRecord).decode
"""Raises msgspec.DecodeError."""


def table_record(table: "Table") -> bytes:
    """The record for a match that is about to begin at this table."""
    now = _now(table, lambda chair: True)
    began_at = int(table.lobby.runner.wall())
    return encode(replace(now, matches=now.matches + 1, began_at=began_at))


def _now(table: "Table", keeps: "Callable[[Chair], object]") -> TableRecord:
    """With those who sit in the chairs that it keeps."""
    deal, nobody = table.deal, ChairRecord("")
    chairs = [
        ChairRecord(one.name, one.level, one.identity) if keeps(one) else nobody
        for one in table.seating.chairs
    ]
    return TableRecord(
        code=table.code,
        title=table.title,
        preset=table.terms.preset,
        host=table.host,
        matches=table.matches,
        chairs=chairs,
        clock=table.terms.clock,
        seeded=table.seed is not None,
        hints=table.terms.hints,
        access=table.access,
        deal=deal.id if deal else "",
        label=deal.label if deal else "",
    )


def waiting_record(table: "Table") -> WaitingRecord | None:
    """As it is now; None where nobody could come back to it."""
    if not any(one.identity for one in table.seating.chairs):
        return None
    header = table.terms.header(table.seed or b"")
    now = replace(_now(table, lambda chair: chair.level or chair.identity), matches=0)
    return WaitingRecord(header=header, table=now, chat=aside_of(table))


class _Aside(Struct, frozen=True, array_like=True):
    """What is at a table of days beside its match: the newest lines of the chat, what the host has
    done to keep order (`marks`: the identities and names of those who were sent away), and who asks
    for a move back."""

    lines: list[Said]
    hushed: bool
    marks: list[Any]
    asked_back: AskedBack | None = None


def aside_of(table: "Table") -> bytes:
    """For `take_over_aside`."""
    chat, marks = table.chat, [one for one in table.presence.marks if isinstance(one, bytes | str)]
    return encode(_Aside(chat.lines, chat.hushed, marks, table.asked_back))


def take_over_aside(table: "Table", kept: bytes) -> None:
    """At a table that slept; b"" = nothing was kept."""
    if kept:
        aside = msgspec.msgpack.decode(kept, type=_Aside)
        table.chat.restore(aside.lines, hushed=aside.hushed)
        table.presence.marks = frozenset(aside.marks)
        table.asked_back = aside.asked_back


def keep_aside(table: "Table") -> None:
    """Of a match of days, whose friends may come tomorrow."""
    match, runner = table.match, table.lobby.runner
    if table.days is not None and match is not None and match.begun:
        runner.tasks.spawn(_kept(runner.journal.keep_chat(match.id, aside_of(table))))


async def _kept(aside: Awaitable[None]) -> None:
    try:
        await aside
    except JournalError as error:
        structlog.get_logger().error("journal failed", error=str(error))


def deal_record(deal: "Deal", tables: "Iterable[Table]") -> bytes:
    """The record of a deal that is open. `tables`: of the deal, those that have not begun."""
    terms = deal.terms
    return encode(
        DealRecord(
            id=deal.id,
            label=deal.label,
            header=terms.header(deal.seed),
            preset=terms.preset,
            clock=terms.clock,
            hints=terms.hints,
            sat=[*deal.sat.items()],
            watched=[(person, sorted(codes)) for person, codes in deal.watched.items()],
            waiting=[replace(_now(one, lambda chair: chair.level), host=None) for one in tables],
        )
    )


def playable(header: Header) -> Game | None:
    """The game of this match; None where this program has none of these rules."""
    game = GAMES.get(header.game)
    return game if game and game.rules.rules_version == header.rules_version else None


def place_in(table: bytes) -> tuple[str, str]:
    """The table's code, and the id of the deal that other tables play, too, "" = none; both "" if
    it cannot be read. `table`: as in `Header`."""
    try:
        record = read_record(table)
    except msgspec.DecodeError:
        return "", ""
    return record.code, record.deal


def code_in(table: bytes) -> str:
    """As in `place_in`."""
    return place_in(table)[0]


def beginning(table: bytes) -> Beginning:
    """`table`: as in `Header`."""
    try:
        record = read_record(table)
    except msgspec.DecodeError:
        return Beginning([])
    sat = [
        Occupant(one.name, "bot", one.level) if one.level else Occupant(one.name, "human")
        for one in record.chairs
    ]
    return Beginning(sat, record.began_at)


# The record of a table's match that is over, for everybody who is there, and later, out of the
# journal, for those who sat there.
#
# Laws: nothing of it is made while the match runs, or while others may play its deal. It is made
# once, however many at the table ask for it, and kept until the table makes that of another match.


class Recorded:
    """Knows one table."""

    __slots__ = ("_attended", "_kept", "_table")

    def __init__(self, table: "Table") -> None:
        self._table: Final = table
        self._kept: tuple[MatchId, bytes] | None = None
        self._attended: tuple[MatchId, list[Session]] | None = None

    def match_over(self) -> None:
        """Who is here now may leave before they ask."""
        if (match := self._table.match) is not None:
            self._attended = match.id, self._table.people()

    def for_guest(self, guest: "Session", wanted: str) -> bool:
        """Whether the guest was here when this match ended."""
        if self._attended is None:
            return False
        match, people = self._attended
        return match == wanted and guest in people

    def has(self, wanted: str) -> bool:
        """Whether this match was the table's newest, or its record is still here."""
        match = self._table.match
        return wanted in (match and match.id, self._kept and self._kept[0])

    def need_open(self, match: "Match") -> None:
        """Raises Impossible where the record of the table's match is for nobody yet, or never."""
        if not match.over:
            raise Impossible(RefusalCode.MATCH_RUNNING)
        if match.aborted:
            raise Impossible(RefusalCode.MATCH_ABORTED)
        if self._table.deal_open:
            raise Impossible(RefusalCode.DEAL_OPEN)

    def find(self, wanted: str) -> bytes:
        """The record's line, packed by zlib. Raises Impossible."""
        if self._kept is not None and self._kept[0] == wanted:
            return self._kept[1]
        match = self._table.match
        if match is None or match.id != wanted:
            raise Impossible(RefusalCode.NO_SUCH_MATCH)
        self.need_open(match)
        runner = self._table.lobby.runner
        try:
            if (packed := _packed(match.header, match.entries(), runner.record_key)) is not None:
                self._kept = match.id, packed
                return packed
        except Exception:
            # An error of ours: who asked is answered all the same.
            structlog.get_logger().exception("no record", match=match.id)
        raise Impossible(RefusalCode.BUSY)


class Past:
    """Records of matches whose table is gone or has gone on, for those who sat there when they
    began: their identity says so; and for those to whom somebody who has the record has given a
    proof (`record_proof`). The journal has them as long as it keeps records."""

    __slots__ = ("_asking", "_lobby")

    def __init__(self, lobby: "Lobby") -> None:
        self._lobby: Final = lobby
        self._asking: Final[set[Session]] = set()

    async def find(self, guest: "Session", wanted: str, proof: bytes = b"") -> bytes:
        """The record's line, packed by zlib. A guest who shows a proof gets what its players say of
        it, too. Raises Impossible."""
        runner = self._lobby.runner
        async with self._opened(guest, wanted, proof) as (header, entries, _sat, shown):
            said = await runner.journal.said(header.match) if shown else {}
            if (packed := _packed(header, entries, runner.record_key, said)) is None:
                raise Impossible(RefusalCode.NO_SUCH_MATCH)
        return packed

    async def keep_said(self, guest: "Session", wanted: str, said: bytes) -> None:
        """Keep what one who sat there says of a match that is over, in the place of what they said
        before. `said`: as in `Annotate`. Raises Impossible."""
        async with self._opened(guest, wanted) as (header, entries, sat, _shown):
            game = playable(header)
            state = game and newest(game.rules, header, entries).state
            if game is None or game.rules.outcome(state) is None:
                raise Impossible(RefusalCode.NO_SUCH_MATCH)
            if read_said(said, len(entries)) is None:
                raise Impossible(RefusalCode.BAD_COMMENTS)
            try:
                await self._lobby.runner.journal.keep_said(header.match, sat[0], said)
            except JournalError:
                raise Impossible(RefusalCode.BUSY) from None

    @asynccontextmanager
    async def _opened(
        self, guest: "Session", wanted: str, proof: bytes = b""
    ) -> AsyncIterator[tuple[Header, Sequence[Entry], list[Seat], bool]]:
        """What the journal has of a match, the guest's seats, and whether they show a proof: for
        who may have the record. A guest may ask for one at a time. Raises Impossible, also for what
        fails in the block."""
        if guest in self._asking:
            raise Impossible(RefusalCode.BUSY)
        self._asking.add(guest)
        journal = self._lobby.runner.journal
        try:
            header, entries = await journal.load(MatchId(wanted))
            table = read_record(header.table)
            chairs = enumerate(table.chairs)
            sat = [Seat(at) for at, one in chairs if one.identity == guest.identity != b""]
            shown = hmac.compare_digest(proof, record_proof(wanted, header.seed))
            if not sat and not shown:
                raise Impossible(RefusalCode.NO_SUCH_MATCH)
            if table.deal in await journal.deals():
                raise Impossible(RefusalCode.DEAL_OPEN)
            yield header, entries, sat, shown
        except Impossible:
            raise
        except (JournalError, msgspec.DecodeError):  # it has no such match, or none that is whole
            raise Impossible(RefusalCode.NO_SUCH_MATCH) from None
        except Exception:
            structlog.get_logger().exception("no record", match=wanted)
            raise Impossible(RefusalCode.NO_SUCH_MATCH) from None
        finally:
            self._asking.discard(guest)


def _packed(
    header: Header, entries: Sequence[Entry], key: bytes, said: Mapping[Seat, bytes] = {}
) -> bytes | None:
    """The record's line; None of a match that is not over, or of other rules. `key`: as in
    `record_of`. `said`: as in `Annotate`, by seat, what its players say of it."""
    if (game := playable(header)) is None:
        return None
    record = record_of(game, header, beginning(header.table), entries, key)
    return None if record is None else zlib.compress(line(with_said(record, said, len(entries))))
