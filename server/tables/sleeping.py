"""Matches of days, which wait for weeks: the server has a table only while somebody is at it, or a
bot is to act.

Laws: a match that sleeps is in the journal, and memory has some numbers of it. It wakes when a
player comes back to it, or when the days of the seat to act are over; to the players it is as if it
had stood all the time. One that fails harms no other. A match that is over sleeps, too, until its
players have seen how it ended, `RESULT_S` at most; one where the others wait, until nobody has
acted for `FORGOTTEN_S`. A table of days that has not begun stands in memory, and the journal has it
among the deals: what changes there is kept at the next look.
"""

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from math import ceil
from typing import Final

import msgspec
import structlog
from msgspec.structs import replace

from protocol.codec import encode
from protocol.from_server import DueMatch
from protocol.ids import MatchId, TableCode
from protocol.table import DAY_S, Late
from server.matches.match import Match
from server.store.in_database import Journal
from server.store.journal import UNBEGUN, Asleep, Claimed, Hurt, JournalError
from server.tables.access import Impossible
from server.tables.lobby import Lobby
from server.tables.presence import UNBEGUN_S
from server.tables.record import WaitingRecord, aside_of, read_record, read_waiting, waiting_record
from server.tables.restoring import UNKNOWN, Restoring, left_alone
from server.tables.seat import SeatState
from server.tables.table import Table
from server.tables.telling import Telling

LOOK_S: Final = 5.0
WAKES: Final = 20
"""So many wake at each look: after a long stop of the server many are late, and some seconds more
make no difference to them."""
RESULT_S: Final = 30 * DAY_S
FORGOTTEN_S: Final = 365 * DAY_S


class Sleeping:
    """Of one lobby."""

    def __init__(
        self, journal: Journal, lobby: Lobby, restoring: Restoring, telling: Telling
    ) -> None:
        self._journal: Final = journal
        self._lobby: Final = lobby
        self._restoring: Final = restoring
        self._telling: Final = telling
        self._unbegun: Final[dict[str, tuple[WaitingRecord, bool]]] = {}
        """Tables that have not begun, by code, as the journal has them, but for the time; and
        whether somebody was there then."""

    async def begin(self) -> None:
        """Take over from the journal those that sleep. Raises JournalError."""
        for asleep in await self._journal.asleep():
            self._lobby.resting.lay(asleep)
        self.have_unbegun(await self._journal.deals())

    def have_unbegun(self, kept: Mapping[str, bytes]) -> None:
        """Take over the tables that have not begun which the journal has (`keep_deal`), and let go
        of those that another node has now."""
        for code in [one for one in self._unbegun if UNBEGUN + one not in kept]:
            del self._unbegun[code]
            if (table := self._lobby.tables.get(TableCode(code))) and not _begun(table):
                self._lobby.lose_table(table.code)
        for id, packed in kept.items():
            if id.startswith(UNBEGUN) and id.removeprefix(UNBEGUN) not in self._unbegun:
                with suppress(msgspec.DecodeError):  # a newer program's: it stays there
                    self._restore_unbegun(read_waiting(packed))

    def _restore_unbegun(self, record: WaitingRecord) -> None:
        noted = replace(record, table=replace(record.table, began_at=0))
        left_s = record.table.began_at + UNBEGUN_S - self._lobby.runner.wall()
        if left_s <= 0 or self._restoring.restore_unbegun(record, left_s):
            self._unbegun[record.table.code] = noted, False

    async def attend(self, every_s: float = LOOK_S) -> None:
        """Let matches sleep and wake, for ever."""
        while True:
            await self.look()
            await asyncio.sleep(every_s)

    async def look(self) -> None:
        """Let sleep what can, wake what is due, keep what has not begun, and tell who is away."""
        await self.keep_unbegun()
        for table in [one for one in self._lobby.tables.values() if one.days is not None]:
            if (match := table.match) is not None:
                await self._try(match.id, self._let_sleep(table, match))
        resting, now_s = self._lobby.resting, self._lobby.runner.wall()
        for due in dict.fromkeys(islice(resting.due(now_s), WAKES)):
            await self._try(due, self._wake(due))
        self._telling.look()

    async def keep_unbegun(self) -> None:
        """Tell the journal what has changed at tables that have not begun."""
        try:
            await self._keep_unbegun()
        except Claimed:
            pass  # `have_unbegun` lets go of the table
        except JournalError as error:
            structlog.get_logger().error("journal failed", error=str(error))

    async def _keep_unbegun(self) -> None:
        now = dict[str, tuple[WaitingRecord, bool]]()
        for table in self._lobby.tables.values():
            waits = table.days is not None and not _begun(table)
            if waits and (record := waiting_record(table)):
                now[table.code] = record, bool(table.people())
        kept, at = self._unbegun, int(self._lobby.runner.wall())
        for code, (record, there) in now.items():
            if kept.get(code) != (record, there):
                noted = replace(record, table=replace(record.table, began_at=at))
                await self._journal.keep_deal(UNBEGUN + code, encode(noted))
                kept[code] = record, there
        for code in kept.keys() - now:
            await self._journal.keep_deal(UNBEGUN + code, b"")
            kept.pop(code, None)  # `have_unbegun` may have been quicker

    async def _try(self, match: MatchId, doing: Awaitable[object]) -> None:
        """What the journal cannot do now is tried again; what cannot be read, at the next start."""
        try:
            await doing
        except Hurt as hurt:
            left_alone(match, str(hurt))
        except JournalError as error:
            structlog.get_logger().error("journal failed", match=match, error=str(error))
            self._lobby.resting.look_at(match, self._lobby.runner.wall() + LOOK_S)
        except Exception:
            left_alone(match, "it can neither sleep nor wake", exc_info=True)

    async def _wake(self, due: MatchId) -> None:
        if await self._restoring.wake_due(due):
            self._close_forgotten(due)
        else:  # nobody could play on, and now its days are over, too
            self._lobby.resting.end(due)

    def _close_forgotten(self, match: MatchId) -> None:
        """A table for which nobody has come in so long."""
        with suppress(Impossible):
            table = self._lobby.find_match(match)
            if not table.people() and table.match is not None:
                acted_s = self._lobby.runner.wall() - _acted_at(table.match)
                if acted_s >= (RESULT_S if table.match.over else FORGOTTEN_S):
                    table.presence.close()

    async def _let_sleep(self, table: Table, match: Match) -> None:
        """Where somebody comes while the journal writes, the match is awake."""
        _give_back(table, match)
        await self._telling.note(table, match, _told(table, match)[1])
        table.presence.close_if_deserted()
        lobby, version, code = self._lobby, match.version, TableCode(table.code)
        if not _may_sleep(table, match):
            return
        asleep, aside = _asleep(table, match), aside_of(table)
        await self._journal.sleep(asleep, aside)
        stands = lobby.tables.get(code) is table and table.match is match
        same = (match.version, aside_of(table)) == (version, aside)
        if stands and same and _may_sleep(table, match):
            lobby.resting.put_to_rest(table)
            lobby.shares.drop(code)
            lobby.resting.lay(asleep)
        elif stands:
            await self._journal.wake(match.id)

    async def take_vacation(self, identity: bytes, days: int) -> None:
        """What sleeps here until an action of theirs is due gets a new deadline. Raises Impossible
        and JournalError."""
        await self._lobby.people.take_off(identity, days)
        await self._tell_days_off(identity)

    async def read_people(self, changed: Sequence[bytes]) -> None:
        """Other nodes have changed what is kept of these people, or () = of any. Raises
        JournalError."""
        people = self._lobby.people
        before = {who: people.of(who).away for who in changed or people.known}
        await people.read(changed)
        for who in changed or [*people.known]:
            if people.of(who).away != before.get(who, []):
                await self._tell_days_off(who)

    async def _tell_days_off(self, identity: bytes) -> None:
        lobby = self._lobby
        for table in [one for one in lobby.tables.values() if one.seating.owned_by(identity)]:
            table.news.touch()
        for match in lobby.resting.that_wait_for(identity):
            await self._try(match, self._restoring.wake_due(match))

    def waiting(self, who: bytes, matches: Sequence[str]) -> list[DueMatch]:
        """Of these matches, by id or by the code of a table that may have begun one, those that are
        played here: whether this person's action is due, and how long they have. While a bot plays
        for them, nothing is."""
        found, lobby = list[DueMatch](), self._lobby
        for match in matches:
            told = lobby.resting.told(lobby.resting.asleep_at(match) or match)
            if told is None:
                table = lobby.tables.get(TableCode(match)) or lobby.with_match(match)
                if table is None:
                    continue
                told = _told(table, table.match, who) if table.match else (UNKNOWN, None)
            found.append(self.due(who, match, *told))
        return found

    def due(self, who: bytes, match: str, due: bytes, due_at: int | None) -> DueMatch:
        """`due`, `due_at`: as in `Asleep`."""
        left_s = None if due_at is None else max(0, due_at - ceil(self._lobby.runner.wall()))
        return DueMatch(match, due == who != b"", left_s, over=not due)


def _begun(table: Table) -> bool:
    return table.matches > 0 and (table.match is None or table.match.begun)


def _give_back(table: Table, match: Match) -> None:
    """A player who is here and was late in another turn plays again."""
    for chair in table.seating.chairs:
        played_for = chair.state is SeatState.PLAYED_FOR and not chair.handed_over
        if played_for and not match.time_is_up(chair.number):
            table.playing.give_back(chair)


def _may_sleep(table: Table, match: Match) -> bool:
    """Whether nobody is here, and nobody is to act but a person who may come back, for whom no bot
    plays to the end; or the match is over, and somebody may come to see how."""
    if table.days is None or not (match.begun and match.idle) or table.people():
        return False
    if match.over:
        return table.seating.awaits() and not any(one.grace.runs for one in table.seating.chairs)
    waits = table.playing.late is Late.WAIT
    late = not waits and any(map(match.time_is_up, match.to_act()))
    due = [table.seating.chairs[seat] for seat in match.to_act()]
    return not late and all(one.awaited and not one.handed_over for one in due)


def _told(table: Table, match: Match, who: bytes = b"") -> tuple[bytes, int | None]:
    """As `Resting.told`, of a table that stands; of several who may act `who` is due, but not with
    another seat that they have here: nobody knows for which they ask."""
    chairs = [table.seating.chairs[seat] for seat in match.to_act()]
    acts = [one.identity for one in chairs if one.bot is None]
    seats = [one.identity for one in table.seating.chairs].count(who)
    first = who if who in acts else b"".join(acts[:1])
    if table.days is None and acts.count(who) < seats:
        first = b""
    due = b"" if match.over else first or UNKNOWN
    due_ms = match.due_ms()
    if table.days is None or due_ms is None:
        return due, None
    return due, ceil(_began_at(match) + due_ms / 1000)


def _asleep(table: Table, match: Match) -> Asleep:
    due, due_at = _told(table, match)
    if match.over:
        due_at = ceil(table.lobby.runner.wall()) + RESULT_S
    elif due_at is None:
        due_at = ceil(_acted_at(match)) + FORGOTTEN_S
    owners = encode([(one.origin, one.identity) for one in table.seating.chairs])
    return Asleep(match.id, table.code, table.matches, due_at, due, owners)


def _began_at(match: Match) -> int:
    return read_record(match.header.table).began_at


def _acted_at(match: Match) -> float:
    """When somebody acted last, or it began, in seconds since 1970."""
    entries = match.entries()
    return _began_at(match) + (entries[-1].at_ms if entries else 0) / 1000
