"""When the server starts: every match that the journal holds goes on where it was.

Laws: a match that cannot go on is left in the journal as it is, with a word in the log, and harms
no other; nobody is waited for at a match that nobody can come back to. Until the first player is
back a match stands still, and so does its time.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import structlog

from protocol.ids import MatchId, Seat
from protocol.listing import TablePhase
from server.games.registry import GAMES
from server.store.journal import Entry, Header, Journal
from server.tables.lobby import Lobby
from server.tables.names import Names
from server.tables.record import TableRecord, read_record
from server.tables.seating import Chair
from server.tables.starter import MatchStarter
from server.tables.table import Table


class Kept(NamedTuple):
    """All that the journal has of one match."""

    header: Header
    record: TableRecord
    entries: Sequence[Entry]
    tokens: Mapping[Seat, Sequence[bytes]]


class Restoring:
    """Of one server; `run` once, before anybody can come."""

    def __init__(self, journal: Journal, lobby: Lobby, starter: MatchStarter, names: Names) -> None:
        self._journal: Final = journal
        self._lobby: Final = lobby
        self._starter: Final = starter
        self._names: Final = names

    async def run(self, held: Sequence[MatchId]) -> None:
        """`held`: as the journal has them, the oldest first."""
        for match in reversed(held):
            try:
                if (kept := await self._kept(match)) is None:
                    _left_alone(match, "its rules are not those of this program")
                elif not kept.tokens or kept.record.code in self._lobby.tables:
                    # Nobody can come back to it, or its table has gone on to the next match.
                    await self._journal.forget(match)
                else:
                    self._restore(kept)
            except Exception:
                _left_alone(match, "it cannot be made anew", exc_info=True)

    async def _kept(self, match: MatchId) -> Kept | None:
        header, entries = await self._journal.load(match)
        game = GAMES.get(header.game)
        if game is None or game.rules.rules_version != header.rules_version:
            return None
        tokens = await self._journal.tokens(match)
        return Kept(header, read_record(header.table), entries, tokens)

    def _restore(self, kept: Kept) -> None:
        header, record = kept.header, kept.record
        table = self._lobby.made_anew(record, header)
        match = self._starter.restored(table, header, kept.entries, kept.tokens)
        table.phase = TablePhase.ENDED if match.over else TablePhase.PLAYING
        table.host, table.matches = _seat(record.host), record.matches
        for seat, was in enumerate(record.chairs):
            table.seating.chairs[seat] = Chair(name=was.name, level=was.level)
            if not was.level:
                self._keep_for_owner(table, Seat(seat), Seat(seat) in kept.tokens)
        self._lobby.add(table)
        self._starter.go_on(table, match)
        table.absence.after_restart()
        log = structlog.get_logger()
        said = "result is kept" if match.over else "match goes on"
        log.info(said, match=header.match, table=table.code, version=match.version)

    def _keep_for_owner(self, table: Table, seat: Seat, may_come_back: bool) -> None:
        """Hold the seat; who has left it for good is played on for, while there is a match."""
        chair = table.seating.chairs[seat]
        if may_come_back or table.phase is TablePhase.PLAYING:
            self._names.hold(chair.name)
            chair.dropped, chair.away = may_come_back, not may_come_back
        else:
            table.seating.empty(seat)


def _seat(number: int | None) -> Seat | None:
    return None if number is None else Seat(number)


def _left_alone(match: MatchId, why: str, *, exc_info: bool = False) -> None:
    log = structlog.get_logger()
    log.error("match left alone in the journal", match=match, why=why, exc_info=exc_info)
