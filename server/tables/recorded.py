"""The record of a table's match that is over, made of what the match remembers, for all who are
there; and later, out of the journal, for those who sat there.

Laws: nothing of it is made while the match runs, or while others may play its deal. It is made
once, however many at the table ask for it, and kept until the table makes that of another match.
"""

import zlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec
import structlog

from protocol.ids import MatchId
from protocol.refusal import Refusal, RefusalCode
from server.games.registry import GAMES
from server.matches.match import Match
from server.recording.journalled import record_of
from server.recording.records import line
from server.store.journal import Entry, Header, JournalError
from server.tables.record import beginning, read_record
from server.tables.refusals import Impossible

if TYPE_CHECKING:
    from server.net.session import Session
    from server.tables.lobby import Lobby
    from server.tables.table import Table

TellRecord: TypeAlias = Callable[[bytes | Refusal], None]
"""Gets the record's line, packed by zlib; never raises."""


class Recorded:
    """Knows one table."""

    __slots__ = ("_attended", "_kept", "_table")

    def __init__(self, table: "Table") -> None:
        self._table: Final = table
        self._kept: tuple[MatchId, bytes] | None = None
        self._attended: tuple[MatchId | None, list[Session]] = (None, [])

    def match_over(self) -> None:
        """Who is here now may leave before they ask."""
        if (match := self._table.match) is not None:
            self._attended = match.id, self._table.people()

    def for_guest(self, guest: "Session", wanted: str) -> bool:
        """Whether the guest was here when this match ended."""
        match, people = self._attended
        return match == wanted and guest in people

    def has(self, wanted: str) -> bool:
        """Whether this match was the table's newest, or its record is still here."""
        match = self._table.match
        return wanted in (match and match.id, self._kept and self._kept[0])

    def ask(self, wanted: str, answer: TellRecord) -> None:
        """Call `answer` once with the record. Raises Impossible."""
        if self._kept is not None and self._kept[0] == wanted:
            answer(self._kept[1])
            return
        match = self._table.match
        if match is None or match.id != wanted:
            raise Impossible(RefusalCode.NO_SUCH_MATCH)
        if not match.over:
            raise Impossible(RefusalCode.MATCH_RUNNING)
        if match.aborted:
            raise Impossible(RefusalCode.MATCH_ABORTED)
        if self._table.deal_open:
            raise Impossible(RefusalCode.DEAL_OPEN)
        answer(self._made(match))

    def _made(self, match: Match) -> bytes | Refusal:
        try:
            if (packed := _packed(match.header, match.entries())) is not None:
                self._kept = match.id, packed
                return packed
        except Exception:
            # An error of ours: who asked is answered all the same.
            structlog.get_logger().exception("no record", match=match.id)
        return Refusal(RefusalCode.BUSY)


class Past:
    """Records of matches whose table is gone or has gone on, for those who sat there when they
    began: their identity says so. The journal has them as long as it keeps records."""

    __slots__ = ("_asking", "_lobby")

    def __init__(self, lobby: "Lobby") -> None:
        self._lobby: Final = lobby
        self._asking: Final[set[Session]] = set()

    def ask(self, guest: "Session", wanted: str, answer: TellRecord) -> None:
        """Call `answer` once. Raises Impossible."""
        if guest in self._asking:
            raise Impossible(RefusalCode.BUSY)
        self._asking.add(guest)
        self._lobby.runner.tasks.spawn(self._find(guest, wanted, answer))

    async def _find(self, guest: "Session", wanted: str, answer: TellRecord) -> None:
        found: bytes | Refusal = Refusal(RefusalCode.NO_SUCH_MATCH)
        try:
            header, entries = await self._lobby.runner.journal.load(MatchId(wanted))
            table = read_record(header.table)
            if any(guest.identity == chair.identity != b"" for chair in table.chairs):
                if table.deal in await self._lobby.runner.journal.deals():
                    found = Refusal(RefusalCode.DEAL_OPEN)
                else:
                    found = _packed(header, entries) or found
        except (JournalError, msgspec.DecodeError):
            pass  # it has no such match, or none that is whole
        except Exception:
            structlog.get_logger().exception("no record", match=wanted)
        finally:
            self._asking.discard(guest)
            answer(found)


def _packed(header: Header, entries: Sequence[Entry]) -> bytes | None:
    """The record's line; None of a match that is not over, or of other rules."""
    game = GAMES.get(header.game)
    if game is None or game.rules.rules_version != header.rules_version:
        return None
    record = record_of(game, header, beginning(header.table), entries)
    return None if record is None else zlib.compress(line(record))
