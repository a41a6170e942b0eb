"""What the people of a table and the lobby are told of it, and what its people say to each other.

Laws: the chat is no part of the match, so a journal has it at tables of days alone, and it ends
with the table; what goes out is clean; `n` of its lines has no gaps.
"""

import asyncio
from collections.abc import Iterable, Mapping
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Final

from msgspec import Struct, structs, to_builtins

from protocol.codec import encode
from protocol.errors import RefusalCode
from protocol.from_server import AtTable, ChatHistory, Notice, NoticeCode, Said
from protocol.table import (
    HISTORY_BYTES,
    HISTORY_LINES,
    MAX_CHAT_CHARACTERS,
    MAX_RAW_CHARACTERS,
    TAKEN_AWAY,
    Phrase,
    SeatInfo,
    TableInfo,
)
from protocol.text import clean
from server.tables.access import Impossible
from server.tables.record import keep_aside
from server.tasks import Bucket, latest

if TYPE_CHECKING:
    from server.net.session import Session
    from server.tables.seat import Chair
    from server.tables.table import Table

MOST_NAMED: Final = 100
"""Of more watchers the newest are named, and nobody is told who comes and goes: a list of two
thousand names does not fit a frame, and so many lines are no news."""
_NOBODY: Final[Mapping[str, int]] = {}
MERGE_S: Final = 1.0
"""After watchers who came or went were told, others who do are told together."""
LEAD_S: Final = 0.2
"""After a lead was told, of those that follow the last alone is told."""


class TableNews:
    """Knows one table."""

    __slots__ = ("_leading", "_leads", "_made_at_s", "_merged", "_merging", "_table", "_told")

    def __init__(self, table: "Table") -> None:
        self._table: Final = table
        self._made_at_s: Final = asyncio.get_running_loop().time()
        self._told = True
        self._leading = self._leads = False
        self._merging = False
        self._merged = _NOBODY
        """Name of a watcher → how often they came more than they went."""

    def info(self) -> TableInfo:
        """The table as the lobby lists it."""
        table, terms, deal = self._table, self._table.terms, self._table.deal
        return TableInfo(
            table=table.code,
            game=terms.game_id,
            title=table.title,
            phase=table.phase,
            seats=[self._seat(chair) for chair in table.seating.chairs],
            host=table.host,
            preset=terms.preset,
            options=to_builtins(terms.options),
            watchers=len(table.watchers),
            age_s=int(asyncio.get_running_loop().time() - self._made_at_s),
            matches=table.matches,
            clock=terms.clock,
            seeded=table.seed is not None,
            hints=table.gives_hints,
            hidden=table.access.hidden,
            locked=bool(table.access.lock),
            watchable=table.access.watchable,
            deal=deal.label if deal else "",
            deal_tables=len(deal.tables) if deal else 0,
            deal_done=deal.done if deal else 0,
        )

    def _seat(self, chair: "Chair") -> SeatInfo:
        """At a table of days with the vacation of its owner."""
        table, info = self._table, chair.info()
        if table.days is None:
            return info
        return structs.replace(info, away_until=table.lobby.people.away_until(chair.identity))

    def searched(self) -> str:
        """The text that a search in the lobby looks through, blind to case. A game is found by its
        id with blanks, because players type its title that way."""
        table = self._table
        names = (chair.name for chair in table.seating.chairs)
        game = table.terms.game_id.replace("_", " ")
        return "\n".join((table.title, table.code, game, *names)).casefold()

    def say(self, code: NoticeCode, **params: int | str) -> None:
        """Send a notice to everybody at the table."""
        self.send(Notice(code, {**params}))

    def send(self, message: Struct) -> None:
        """Send the same message to everybody at the table."""
        for listener in self._table.people():
            listener.send(message)

    def watches(self, name: str, more: int) -> None:
        """Tell everybody that a watcher of this name came (1) or went (-1)."""
        self._table.lobby.touched(self._table.code)
        self._merged = {**self._merged, name: self._merged.get(name, 0) + more}
        if not self._merging:
            self._tell_merged()

    def tell(self, guest: "Session") -> None:
        """Tell a watcher who has come what the others are told later."""
        if self._merged:
            guest.send(self._at_table())

    def _tell_merged(self) -> None:
        merged, self._merged = self._merged, _NOBODY
        self._merging = bool(merged)
        if not merged:
            return
        few = len(self._table.watchers) <= MOST_NAMED
        for name, more in merged.items():
            if more and few:
                self.say(
                    NoticeCode.WATCHING if more > 0 else NoticeCode.STOPPED_WATCHING, name=name
                )
        self.tell_soon()
        asyncio.get_running_loop().call_later(MERGE_S, self._tell_merged)

    def leads(self) -> None:
        """Tell the people where the leader looks, or that nobody leads any more."""
        self._leads = True
        if not self._leading:
            self._tell_leads()

    def _tell_leads(self) -> None:
        self._leading, self._leads = self._leads, False
        if self._leading:
            self.tell_soon()
            asyncio.get_running_loop().call_later(LEAD_S, self._tell_leads)

    def touch(self) -> None:
        """Something has changed: tell the lobby, and the people once in this turn of the loop."""
        self._table.lobby.touched(self._table.code)
        self.tell_soon()

    def tell_soon(self) -> None:
        """Something has changed that only the people here are told, once in this turn of the
        loop."""
        if self._told:
            self._told = False
            asyncio.get_running_loop().call_soon(self._tell)

    def _tell(self) -> None:
        if not self._told:
            self.tell_now()

    def tell_now(self) -> None:
        """Tell the people here before they hear anything else."""
        self._told = True
        of_watchers = self._at_table()
        for chair in self._table.seating.chairs:
            # Players of a table that has closed stay on its chairs.
            if chair.guest is not None and chair.guest.table == self._table.code:
                chair.guest.send(structs.replace(of_watchers, seat=chair.number))
        for listener in self._table.watchers:
            listener.send(of_watchers)

    def _at_table(self) -> AtTable:
        """As watchers are told it."""
        watching = [watcher.name for watcher in self._table.watchers[-MOST_NAMED:]]
        leader = self._table.leader
        hushed, asked = self._table.chat.hushed, self._table.playing.asking_back()
        return AtTable(
            info=self.info(), watching=watching, leader=leader, hushed=hushed, asked_back=asked
        )


# A table's chat: the newest lines, and how much each guest may say.


_PHRASES: Final = frozenset(Phrase)

_SPEAKERS: Final = 256
"""How many buckets are kept, the latest speakers'; far more than a table needs at once."""
_WATCHERS: Final = ("watchers", "")
"""Of all together: a crowd of them silences no player."""


class Chat:
    """Knows one table."""

    __slots__ = ("_buckets", "_bytes", "_lines", "_n", "_table", "hushed")

    def __init__(self, table: "Table") -> None:
        self._table: Final = table
        self._lines: Final[list[tuple[Said, int]]] = []
        """The newest lines, each with the bytes that it takes."""
        self._bytes = 0
        self._n = 0
        self.hushed = False
        """Whether those who watch may say nothing."""
        # By name, so that another connection of the same player does not start with a full bucket;
        # and by the place that limits count a guest for, as names are many.
        self._buckets: Final[dict[tuple[str, str], Bucket]] = {}

    def say(self, guest: "Session", text: str, phrase: str) -> None:
        """Tell everybody at the table, including the guest. Raises Impossible."""
        if not phrase and len(text) > MAX_RAW_CHARACTERS:
            raise Impossible(RefusalCode.TOO_LONG, limit=MAX_CHAT_CHARACTERS)
        seat = self._table.seating.seat_of(guest)
        if seat is None and self.hushed:
            raise Impossible(RefusalCode.WATCHERS_HUSHED)
        self._take(guest, seat is None)  # before the work of cleaning
        if phrase and phrase not in _PHRASES:
            raise Impossible(RefusalCode.NO_SUCH_PHRASE, phrase=clean(phrase))
        text = "" if phrase else _fit(text)
        self._n += 1
        said = Said(n=self._n, name=guest.name, seat=seat, text=text, phrase=phrase)
        self._keep(said)
        keep_aside(self._table)
        self._table.news.send(said)

    def tell(self, guest: "Session") -> None:
        """Send what was said lately to a guest who has just come or come back."""
        if self._lines:
            guest.send(ChatHistory(self.lines))

    def unsay(self, n: int) -> None:
        """Tell everybody that this line is not to be read any more. Raises Impossible."""
        for at, (said, size) in enumerate(self._lines):
            if said.n == n and said.phrase != TAKEN_AWAY:
                gone = structs.replace(said, text="", phrase=TAKEN_AWAY)
                self._lines[at] = gone, size
                keep_aside(self._table)
                self._table.news.send(gone)
                return
        raise Impossible(RefusalCode.NO_SUCH_LINE, n=n)

    def _take(self, guest: "Session", watches: bool) -> None:
        now_s, limits = asyncio.get_running_loop().time(), self._table.lobby.limits
        together = limits.chat_together_s, limits.chat_together_burst
        counted = {("name", guest.name): (limits.chat_s, limits.chat_burst)}
        if guest.origin:
            counted["origin", guest.origin] = together
        if watches:
            counted[_WATCHERS] = together
        taken: list[Bucket] = []
        for key, (rate_s, burst) in counted.items():
            bucket = latest(self._buckets, key, _SPEAKERS, partial(Bucket, rate_s, burst, now_s))
            if not bucket.take(now_s):
                for other in taken:  # a line that nobody hears counts for nobody
                    other.put_back()
                raise Impossible(RefusalCode.TOO_FAST, wait_s=ceil(bucket.wait_s()))
            taken.append(bucket)

    @property
    def lines(self) -> list[Said]:
        """The newest."""
        return [said for said, _bytes in self._lines]

    def restore(self, lines: Iterable[Said], *, hushed: bool) -> None:
        """Of a table that slept."""
        self.hushed = hushed
        for said in lines:
            self._keep(said)
            self._n = said.n

    def _keep(self, said: Said) -> None:
        size = len(encode(said))
        self._lines.append((said, size))
        self._bytes += size
        while len(self._lines) > HISTORY_LINES or self._bytes > HISTORY_BYTES:
            self._bytes -= self._lines.pop(0)[1]


def _fit(text: str) -> str:
    cleaned = clean(text)
    if len(cleaned) > MAX_CHAT_CHARACTERS:
        raise Impossible(RefusalCode.TOO_LONG, limit=MAX_CHAT_CHARACTERS)
    if not cleaned:
        raise Impossible(RefusalCode.NOTHING_SAID)
    return cleaned
