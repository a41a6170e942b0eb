"""A table's chat: the newest lines, and how much each guest may say.

Laws: the chat is no part of the match, so no journal has it, and it ends with the table; what goes
out is clean; `n` has no gaps.
"""

import asyncio
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Final

from protocol.chat import (
    HISTORY_BYTES,
    HISTORY_LINES,
    MAX_CHAT_CHARACTERS,
    MAX_RAW_CHARACTERS,
    Phrase,
)
from protocol.codec import encode
from protocol.from_server import ChatHistory, Said
from protocol.refusal import RefusalCode
from protocol.text import clean
from server.bucket import Bucket, latest
from server.tables.refusals import Impossible

if TYPE_CHECKING:
    from server.net.session import Session
    from server.tables.table import Table

_PHRASES: Final = frozenset(Phrase)

_SPEAKERS: Final = 256
"""How many guests' buckets are kept, the latest speakers'; far more than a table holds at once."""


class Chat:
    """Knows one table."""

    __slots__ = ("_buckets", "_bytes", "_lines", "_n", "_table")

    def __init__(self, table: "Table") -> None:
        self._table: Final = table
        self._lines: Final[list[tuple[Said, int]]] = []
        """The newest lines, each with the bytes that it takes."""
        self._bytes = 0
        self._n = 0
        # By name, so that another connection of the same player does not start with a full bucket.
        self._buckets: Final[dict[str, Bucket]] = {}

    def say(self, guest: "Session", text: str, phrase: str) -> None:
        """Tell everybody at the table, including the guest. Raises Impossible."""
        if not phrase and len(text) > MAX_RAW_CHARACTERS:
            raise Impossible(RefusalCode.TOO_LONG, limit=MAX_CHAT_CHARACTERS)
        self._take(guest.name)  # before the work of cleaning
        text, phrase = ("", _known(phrase)) if phrase else (_fit(text), "")
        self._n += 1
        seat = self._table.seating.seat_of(guest)
        said = Said(n=self._n, name=guest.name, seat=seat, text=text, phrase=phrase)
        self._keep(said)
        self._table.news.send(said)

    def tell(self, guest: "Session") -> None:
        """Send what was said lately to a guest who has just come or come back."""
        if self._lines:
            guest.send(ChatHistory([said for said, _bytes in self._lines]))

    def _take(self, name: str) -> None:
        now_s = asyncio.get_running_loop().time()
        limits = self._table.lobby.limits
        new = partial(Bucket, limits.chat_s, limits.chat_burst, now_s)
        bucket = latest(self._buckets, name, _SPEAKERS, new)
        if not bucket.take(now_s):
            raise Impossible(RefusalCode.TOO_FAST, wait_s=ceil(bucket.wait_s()))

    def _keep(self, said: Said) -> None:
        size = len(encode(said))
        self._lines.append((said, size))
        self._bytes += size
        while len(self._lines) > HISTORY_LINES or self._bytes > HISTORY_BYTES:
            self._bytes -= self._lines.pop(0)[1]


def _known(phrase: str) -> str:
    if phrase not in _PHRASES:
        raise Impossible(RefusalCode.NO_SUCH_PHRASE, phrase=clean(phrase))
    return phrase


def _fit(text: str) -> str:
    cleaned = clean(text)
    if len(cleaned) > MAX_CHAT_CHARACTERS:
        raise Impossible(RefusalCode.TOO_LONG, limit=MAX_CHAT_CHARACTERS)
    if not cleaned:
        raise Impossible(RefusalCode.NOTHING_SAID)
    return cleaned
