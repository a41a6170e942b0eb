"""When the server starts, every match that the journal holds goes on where it was.

Laws: a match that cannot go on stays in the journal as it is, with a word in the log, and harms no
other; nobody is waited for at a match that nobody can come back to. A match and its time stand
still until the first player is back.
"""

from collections.abc import Sequence
from typing import Final

import structlog

from protocol.ids import MatchId, Seat, TableCode
from server.games.registry import GAMES
from server.matches.replay import options_of
from server.store.journal import Journal
from server.tables.lobby import Lobby
from server.tables.names import Names
from server.tables.record import ChairRecord, KeptMatch, read_record
from server.tables.seat import Chair, SeatState
from server.tables.seating import Seating
from server.tables.table import Table


class Restoring:
    """Fills the lobby of a server from its journal; `run` once, before anybody can come."""

    def __init__(self, journal: Journal, lobby: Lobby) -> None:
        self._journal: Final = journal
        self._lobby: Final = lobby

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
                _left_alone(match, "it cannot be restored", exc_info=True)

    async def _kept(self, match: MatchId) -> KeptMatch | None:
        header, entries = await self._journal.load(match)
        game = GAMES.get(header.game)
        if game is None or game.rules.rules_version != header.rules_version:
            return None
        tokens = await self._journal.tokens(match)
        return KeptMatch(header, read_record(header.table), entries, tokens)

    def _restore(self, kept: KeptMatch) -> None:
        table = self._table(kept)
        try:
            table.playing.restore(kept)
        except BaseException:
            for chair in table.seating.chairs:
                chair.end_match()  # so that names of a table that does not exist are free
            raise
        table.presence.after_restart()
        self._lobby.add(table)
        match = table.match
        assert match is not None
        log = structlog.get_logger()
        said = "result is kept" if match.over else "match goes on"
        if match.aborted:
            said = "match is called off: nobody had acted"
        log.info(said, match=match.id, table=table.code, version=match.version)

    def _table(self, kept: KeptMatch) -> Table:
        """The table as it was before the restart, without its match: each owner of a token has
        dropped, and every other owner is gone for good."""
        lobby, header, record = self._lobby, kept.header, kept.record
        return Table(
            house=lobby,
            runner=lobby.runner,
            limits=lobby.limits,
            code=TableCode(record.code),
            game_id=header.game,
            game=GAMES[header.game],
            title=record.title,
            preset=record.preset,
            options=options_of(header),
            clock=record.clock,
            seed=header.seed if record.seeded else None,
            hints_allowed=record.hints,
            seating=Seating(
                [
                    _chair(was, lobby.names, awaited=Seat(seat) in kept.tokens)
                    for seat, was in enumerate(record.chairs)
                ]
            ),
            host=None if record.host is None else Seat(record.host),
            matches=record.matches,
        )


def _chair(was: ChairRecord, names: Names, *, awaited: bool) -> Chair:
    if was.level:
        return Chair(names, SeatState.BOT, was.name, was.level)
    state = SeatState.DROPPED if awaited else SeatState.GIVEN_UP
    return Chair(names, state, was.name, identity=was.identity)


def _left_alone(match: MatchId, why: str, *, exc_info: bool = False) -> None:
    log = structlog.get_logger()
    log.error("match left alone in the journal", match=match, why=why, exc_info=exc_info)
