"""What goes on from the journal: when the server starts, every current match of the journal, where
it was; and later the matches that rest, which the journal has and memory does not.

When a server is nearly full, the least-used of the tables that stand still make room by resting. A
match rests no longer than its table would have stood still; then it cannot go on any more.

Laws: a match that cannot go on stays in the journal as it is, with a word in the log, and harms no
other; nobody is waited for at a match that nobody can come back to. A match and its time stand
still until the first player is back. Where there are more matches than the server takes, the newest
go on and the others rest until a player of theirs is back.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
import structlog

from protocol.errors import RefusalCode
from protocol.ids import MatchId, Seat, TableCode
from protocol.table import Days
from server.matches.replay import read_options
from server.matches.tokens import opened
from server.store.in_database import Journal
from server.store.journal import Asleep, Claimed, Header, Hurt, JournalError
from server.tables.access import Impossible
from server.tables.deals import Deal, Terms
from server.tables.names import Names
from server.tables.presence import rest_s
from server.tables.record import (
    ChairRecord,
    DealRecord,
    KeptMatch,
    TableRecord,
    WaitingRecord,
    playable,
    read_deal,
    read_record,
    take_over_aside,
)
from server.tables.seat import Chair, Seating, SeatState
from server.tables.table import Table
from server.tasks import Timer

if TYPE_CHECKING:
    from server.tables.lobby import Lobby

# Matches that rest: the journal has them, memory does not, and their owners may come back.


FULL: Final = 4 / 5
"""From this share of the tables on, those that stand still make room."""


_NO_TIMER: Final = Timer()
UNKNOWN: Final = b"?"
"""The identity of who is due, where there is none."""
_OLD: Final = 1000
"""So many times to look at matches that have been awake since are kept before they are left out."""


class _Rest(NamedTuple):
    """`matches`: as in the table's record. A match that is asleep has no timer of its own, but may
    have `due_at`, and `due` and `owners`, as in `Asleep`. Of another `due` is unknown."""

    table: TableCode
    timer: Timer
    matches: int
    due_at: int | None = None
    due: bytes = UNKNOWN
    owners: bytes = b""


def owners_of(packed: bytes) -> list[tuple[str, bytes]]:
    """Address (`Session.origin`) and identity of the owner of each seat; ("", b""): of a bot's."""
    return _read_owners(packed) if packed else []


_read_owners: Final = msgspec.msgpack.Decoder(list[tuple[str, bytes]]).decode


class Resting:
    """Of one lobby."""

    __slots__ = ("_dues", "_lobby", "_matches", "codes")

    def __init__(self, lobby: "Lobby") -> None:
        self._lobby: Final = lobby
        self._matches: Final[dict[MatchId, _Rest]] = {}
        self.codes: Final[dict[TableCode, MatchId]] = {}
        """The tables of these matches: no other table gets one of these codes."""
        self._dues: Final[list[tuple[float, MatchId]]] = []
        """A heap: when to look at those that are asleep."""

    def __contains__(self, match: str) -> bool:
        return match in self._matches

    def __len__(self) -> int:
        return len(self._matches)

    @property
    def crowded(self) -> bool:
        """Whether so many tables are in use that those that stand still make room."""
        return len(self._lobby.tables) >= self._lobby.limits.tables * FULL

    def make_room(self) -> None:
        """Where the server is nearly full, let a table that stands still rest: the one where people
        have acted least; of equals that of an owner with most tables, and of these the one that
        stands still for the longest time."""
        if not self.crowded:
            return
        still = [table for table in self._lobby.tables.values() if table.presence.may_rest()]
        if not still:
            return
        most = self._lobby.shares.most
        table = min(still, key=lambda one: (one.playing.acted, -most(one.code)))
        match, for_s = table.match, table.presence.left_s
        if match is None or match.over:
            table.presence.close()
        else:
            self.put_to_rest(table)
            self.add(match.id, table.code, table.matches, for_s)

    def put_to_rest(self, table: "Table") -> None:
        """The journal alone has its match from now on."""
        table.watchers.clear()
        table.playing.put_to_rest()
        table.presence.end_without_match()
        del self._lobby.tables[table.code]
        self._lobby.touched(table.code)

    def add(self, match: MatchId, table: TableCode, matches: int, for_s: float) -> None:
        """Let the match rest for so long at most."""
        timer = Timer()
        self._matches[match] = _Rest(table, timer, matches)
        self.codes[table] = match
        timer.start(for_s, lambda: self.end(match))

    def lay(self, asleep: Asleep) -> None:
        """This match rests as long as it takes."""
        match, table, due_at = asleep.match, TableCode(asleep.table), asleep.due_at
        self._matches[match] = _Rest(
            table, _NO_TIMER, asleep.matches, due_at, asleep.due, asleep.owners
        )
        self._lobby.shares.sleep(owners_of(asleep.owners))
        self.codes[table] = match
        self._lobby.touched(table)
        if due_at is not None:
            self.look_at(match, due_at)

    def look_at(self, match: MatchId, at_s: float) -> None:
        """Something may happen then to this match."""
        heappush(self._dues, (at_s, match))
        if len(self._dues) > 2 * len(self._matches) + _OLD:
            known = self._matches.items()
            self._dues[:] = [(rest.due_at, id) for id, rest in known if rest.due_at is not None]
            heapify(self._dues)

    def asleep_at(self, table: str) -> MatchId | None:
        """The match of the table with this code, in capitals or not, if it is asleep."""
        match = self.codes.get(TableCode(table.upper()))
        return match if match and self._matches[match].timer is _NO_TIMER else None

    def due(self, now_s: float) -> Iterator[MatchId]:
        """The matches to which something happens now, some more than once."""
        while self._dues and self._dues[0][0] <= now_s:
            _at_s, match = heappop(self._dues)
            due_at = self._matches[match].due_at if match in self._matches else None
            if due_at is not None and due_at <= now_s:
                yield match

    def that_wait_for(self, identity: bytes) -> list[MatchId]:
        return [match for match, rest in self._matches.items() if rest.due == identity]

    def told(self, match: str) -> tuple[bytes, int | None] | None:
        """Of a match that rests whose turn it is, and until when; None: it does not rest, or nobody
        has looked yet."""
        rest = self._matches.get(MatchId(match))
        return None if rest is None or rest.due_at == 0 else (rest.due, rest.due_at)

    def matches(self, table: TableCode) -> int:
        """How many have begun at this table, the one that rests included; 0 = none rests."""
        match = self.codes.get(table)
        return 0 if match is None else self._matches[match].matches

    def remove(self, match: MatchId) -> list[tuple[str, bytes]]:
        """The match goes on, or is over. Returns the owners of its seats if it was asleep."""
        rest = self._matches.pop(match)
        rest.timer.stop()
        self.codes.pop(rest.table, None)
        self._lobby.touched(rest.table)
        owners = owners_of(rest.owners)
        self._lobby.shares.wake(owners)
        return owners

    def close(self, table: TableCode) -> bool:
        """End the match of this table. Returns whether there is one."""
        if (match := self.codes.get(table)) is not None:
            self.end(match)
        return match is not None

    def end(self, match: MatchId) -> None:
        """Nobody came back to this match in time."""
        table = self._matches[match].table
        self.remove(match)
        self._lobby.shares.drop(table)
        self._lobby.runner.end_rest(match)
        self._lobby.deals.changed(table)

    def stop(self) -> None:
        """The server stops: the journal keeps them all for the next start."""
        for rest in self._matches.values():
            rest.timer.stop()


_OTHER_RULES: Final = "its rules are not those of this program"
_NOT_AT_ALL: Final[Mapping[MatchId, float]] = {}
AT_ONCE: Final = 20
"""Matches that are loaded together, which the journal answers in one group."""


class Restoring:
    """Fills the lobby of a server from its journal; `run` once, before anybody can come."""

    def __init__(self, journal: Journal, lobby: "Lobby") -> None:
        self._journal: Final = journal
        self._lobby: Final = lobby
        self._records: Mapping[str, DealRecord] = {}
        """Deals as the journal had them, by id."""
        self._stood_s: Mapping[MatchId, float] = {}
        """For how long matches have stood still at another server."""

    async def run(
        self,
        matches: Sequence[MatchId],
        *,
        alone: bool = False,
        stood_s: Mapping[MatchId, float] = _NOT_AT_ALL,
    ) -> list[MatchId]:
        """`matches`: as the journal has them, the oldest first. `alone`: no other server has this
        journal, so that a deal that nobody has begun belongs here, too. `stood_s`: for how long
        matches have stood still at another server. Returns those that the journal could not
        give."""
        deals, unread, self._stood_s = self._lobby.deals, list[MatchId](), stood_s
        self._records = await self._known_deals()
        with deals.restoring():
            for record in self._records.values() if alone else ():
                self._restore_deal(record)
            newest = tuple(reversed(matches))
            for first in range(0, len(newest), AT_ONCE):
                unread += await self._restore_some(newest[first : first + AT_ONCE])
            for record in self._records.values():
                if record.id in deals.by_id:
                    self._restore_waiting(record)
        return unread

    async def _restore_some(self, matches: Sequence[MatchId]) -> list[MatchId]:
        unread = list[MatchId]()
        loading = (self._kept(match) for match in matches)
        found = await asyncio.gather(*loading, return_exceptions=True)
        for match, kept in zip(matches, found, strict=True):
            try:
                if isinstance(kept, BaseException):
                    raise kept
                if kept is None:
                    left_alone(match, _OTHER_RULES)
                elif kept.record.deal and not kept.tokens:
                    # Nobody comes back to it, but others may still play its deal: if it is over,
                    # it counts there.
                    self._restore(kept)
                    self._lobby.tables[TableCode(kept.record.code)].presence.close()
                elif not kept.tokens or self._has_gone_on(kept.record):
                    # Nobody can come back to it, or its table has a later match.
                    await self._journal.forget(match)
                elif self._lobby.resting.crowded:
                    self._let_rest(match, kept)
                else:
                    self._restore(kept, chat=await self._awakened(match, kept))
            except Hurt as hurt:
                left_alone(match, str(hurt))
            except JournalError as error:
                left_alone(match, str(error))
                unread.append(match)
            except Exception:
                left_alone(match, "it cannot be restored", exc_info=True)
        return unread

    def _let_rest(self, match: MatchId, kept: KeptMatch) -> None:
        """There is no room for it; one of days is looked at soon."""
        resting, code, number = self._lobby.resting, kept.record.code, kept.record.matches
        if isinstance(kept.record.clock, Days):
            resting.lay(Asleep(match, code, number, due_at=0))
            return
        for_s = rest_s(self._lobby.limits.standstill_s, self._stood_s.get(match, 0.0))
        resting.add(match, TableCode(code), number, for_s)
        self._deal(kept)

    async def wake(self, match: MatchId, token: bytes, identity: bytes) -> None:
        """Let a match that rests go on, if the token opens a seat of it, or a door has proven that
        its owner comes (`identity`, as in `Caller`). Raises Impossible; another node may play
        it now."""
        try:
            kept = await self._kept(match)
            if match not in self._lobby.resting:
                return  # another connection was quicker, or its time is up
            if kept is None:
                raise Impossible(RefusalCode.OTHER_RULES)
            knows = opened(kept.tokens, token) is not None
            if not (knows or kept.record.has_owner(identity, kept.tokens)):
                raise Impossible(RefusalCode.BAD_TOKEN)
            await self._wake(match, kept)
        except JournalError as error:
            if match in self._lobby.resting:
                structlog.get_logger().error("journal failed", match=match, error=str(error))
                raise Impossible(RefusalCode.BUSY) from None

    async def wake_due(self, match: MatchId) -> bool:
        """Let a match go on that is asleep, because something happens to it now. Returns whether
        this program has its rules. Raises JournalError."""
        kept = await self._kept(match)
        if kept is None:
            left_alone(match, _OTHER_RULES)
        elif match in self._lobby.resting:
            with suppress(Impossible):
                await self._wake(match, kept)
        return kept is not None

    async def _wake(self, match: MatchId, kept: KeptMatch) -> None:
        """Raises Impossible, and JournalError."""
        resting = self._lobby.resting
        chat = await self._awakened(match, kept)
        if match not in resting:
            return
        kept = kept._replace(origins=[origin for origin, _identity in resting.remove(match)])
        resting.make_room()
        try:
            self._restore(kept, told=False, chat=chat)
        except Exception:
            left_alone(match, "it cannot be restored", exc_info=True)
            raise Impossible(RefusalCode.NO_SUCH_MATCH) from None

    async def _awakened(self, match: MatchId, kept: KeptMatch) -> bytes:
        """What was said at the table, if it slept. Raises JournalError; a match that another node
        plays now is no longer here then."""
        try:
            return await self._journal.wake(match) if isinstance(kept.record.clock, Days) else b""
        except Claimed:
            self._lobby.lose(match)
            raise

    def _has_gone_on(self, record: TableRecord) -> bool:
        """Whether its table has a later match; an earlier one, which is over, makes way. A node may
        have the two one after the other, from two that were killed."""
        lobby, code = self._lobby, TableCode(record.code)
        table = lobby.tables.get(code)
        matches = lobby.resting.matches(code) if table is None else table.matches
        if matches < record.matches:
            lobby.close(code)
        return matches >= record.matches

    async def _kept(self, match: MatchId) -> KeptMatch | None:
        header, entries = await self._journal.load(match)
        if playable(header) is None:
            return None
        tokens = await self._journal.tokens(match)
        return KeptMatch(header, read_record(header.table), entries, tokens)

    def _restore(self, kept: KeptMatch, *, told: bool = True, chat: bytes = b"") -> None:
        """`told`: those who come back hear that the server was away."""
        table = self._table(kept)
        take_over_aside(table, chat)
        try:
            table.playing.restore(kept)
        except BaseException:
            for chair in table.seating.chairs:
                chair.move("end_match")  # so that names of a table that does not exist are free
            raise
        stood_s = self._stood_s.get(kept.header.match, 0.0)
        table.presence.after_restart(told=told, stood_s=stood_s)
        self._lobby.add(table)
        match = table.match
        assert match is not None
        said = "result is kept" if match.over else "match goes on"
        if match.aborted:
            said = "match is called off: nobody had acted"
        log = structlog.get_logger()
        log.info(said, match=match.id, table=table.code, version=match.version)

    async def _known_deals(self) -> Mapping[str, DealRecord]:
        try:
            kept = await self._journal.deals()
        except JournalError as error:
            structlog.get_logger().error("journal failed", error=str(error))
            return {}  # a deal is what its matches say, then
        return {id: record for id, one in kept.items() if (record := _read(one))}

    def _restore_deal(self, record: DealRecord) -> Deal:
        """The deal, without its tables."""
        terms = _terms(record.header, record)
        deal = Deal(terms, record.id, record.label, record.header.seed)
        deal.sat.update(record.sat)
        deal.watched.update({person: {*codes} for person, codes in record.watched})
        self._lobby.deals.open(deal)
        return deal

    def _restore_waiting(self, record: DealRecord) -> None:
        """Those of its tables that have not begun: their people may come back."""
        lobby = self._lobby
        for table in record.waiting:
            if lobby.keeps(TableCode(table.code)) or len(lobby.tables) >= lobby.limits.tables:
                continue
            stands = self._table(KeptMatch(record.header, table, (), {}))
            stands.presence.await_anybody(lobby.limits.standstill_s)
            lobby.add(stands)
            structlog.get_logger().info("table waits", table=table.code)

    def restore_unbegun(self, record: WaitingRecord, for_s: float) -> bool:
        """A table of days, whose people may come back to it for so long. Returns whether the
        journal need not keep it for a later start."""
        lobby, table, seats = self._lobby, record.table, range(len(record.table.chairs))
        full = len(lobby.tables) >= lobby.limits.tables * FULL
        if lobby.keeps(TableCode(table.code)):
            return True
        if full or not playable(record.header):
            return False
        owned = {Seat(seat): () for seat in seats if table.chairs[seat].identity}
        stands = self._table(KeptMatch(record.header, table, (), owned))
        take_over_aside(stands, record.chat)
        stands.presence.hold_all(for_s)
        lobby.add(stands)
        structlog.get_logger().info("table waits", table=table.code)
        return True

    def _deal(self, kept: KeptMatch) -> Deal | None:
        """What the match was dealt from, if other tables play it, too; with this table."""
        header, record = kept.header, kept.record
        if not record.deal:
            return None
        deals, id, code = self._lobby.deals, record.deal, TableCode(record.code)
        deal = deals.by_id.get(id)
        if deal is None and id in self._records:
            deal = self._restore_deal(self._records[id])
        deal = deal or Deal(_terms(header, record), id, record.label, header.seed)
        deals.open(deal, code)
        for chair in record.chairs:
            if not chair.level:
                deal.knows(code, chair.name, chair.identity)
        return deal

    def _table(self, kept: KeptMatch) -> Table:
        """The table as it was before the restart, without its match: each owner of a token has
        dropped, and every other owner is gone for good."""
        lobby, header, record = self._lobby, kept.header, kept.record
        return Table(
            lobby=lobby,
            code=TableCode(record.code),
            title=record.title,
            terms=_terms(header, record),
            seed=header.seed if record.seeded else None,
            deal=self._deal(kept),
            access=record.access,
            seating=Seating(
                [_chair(Seat(n), was, kept, lobby.names) for n, was in enumerate(record.chairs)]
            ),
            host=None if record.host is None else Seat(record.host),
            matches=record.matches,
        )


def _terms(header: Header, record: TableRecord | DealRecord) -> Terms:
    game, options = header.game, read_options(header.game, header.options)
    return Terms(game, header.seats, record.preset, options, record.clock, record.hints)


def _read(kept: bytes) -> DealRecord | None:
    """None of a deal that this program cannot play; it stays in the journal."""
    try:
        record = read_deal(kept)
    except msgspec.DecodeError:
        return None
    return record if playable(record.header) else None


def _chair(seat: Seat, was: ChairRecord, kept: KeptMatch, names: Names) -> Chair:
    if not was.name:
        return Chair(names, seat)
    if was.level:
        return Chair(names, seat, SeatState.BOT, was.name, was.level)
    if seat not in kept.tokens:
        return Chair(names, seat, SeatState.GIVEN_UP, was.name, left_by=was.identity)
    origin = kept.origins[seat] if kept.origins else ""
    return Chair(names, seat, SeatState.DROPPED, was.name, identity=was.identity, origin=origin)


def left_alone(match: MatchId, why: str, *, exc_info: bool = False) -> None:
    log = structlog.get_logger()
    log.error("match left alone in the journal", match=match, why=why, exc_info=exc_info)
