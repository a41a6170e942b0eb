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
from server.tables.record import ChairRecord, TableRecord, read_record
from server.tables.seat import Chair, SeatState
from server.tables.seating import Seating
from server.tables.starter import MatchStarter


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
        table.seating = Seating(
            [
                self._chair(was, table.phase, may_come_back=Seat(seat) in kept.tokens)
                for seat, was in enumerate(record.chairs)
            ]
        )
        self._lobby.add(table)
        self._starter.go_on(table, match)
        table.absence.after_restart()
        log = structlog.get_logger()
        said = "result is kept" if match.over else "match goes on"
        log.info(said, match=header.match, table=table.code, version=match.version)

    def _chair(self, was: ChairRecord, phase: TablePhase, *, may_come_back: bool) -> Chair:
        """The seat as it is after a restart, when nobody is connected."""
        if was.level:
            return Chair(self._names, SeatState.BOT, was.name, was.level)
        if may_come_back:
            return Chair(self._names, SeatState.DROPPED, was.name)
        if phase is TablePhase.PLAYING:
            return Chair(self._names, SeatState.GIVEN_UP, was.name)
        return Chair(self._names)


def _seat(number: int | None) -> Seat | None:
    return None if number is None else Seat(number)


def _left_alone(match: MatchId, why: str, *, exc_info: bool = False) -> None:
    log = structlog.get_logger()
    log.error("match left alone in the journal", match=match, why=why, exc_info=exc_info)
