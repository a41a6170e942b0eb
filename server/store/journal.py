"""What a journal keeps of a match, and why it may fail to."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias

from msgspec import Struct

from protocol.ids import Key, MatchId, Seat, Version


class Header(Struct, frozen=True, kw_only=True):
    """The data that a match is rebuilt from, beside its entries. `options`: the game's, as msgpack.
    `table`: the data that the table rebuilds itself from."""

    match: MatchId
    game: str
    rules_version: int
    options: bytes
    seats: int
    seed: bytes
    table: bytes = b""


TokenHashes: TypeAlias = Mapping[Seat, Sequence[bytes]]
"""The SHA-256 of each token that opens a seat."""

NO_TOKENS: Final[TokenHashes] = MappingProxyType({})

BOT_KEY_BYTES: Final = 17
"""A bot's keys are longer than those that a client may send (`protocol.from_client.ActionKey`), so
that the journal tells who acted."""


UNBEGUN: Final = "unbegun "
"""Of a table's id in `keep_deal`, which no deal's has; its code follows."""
STILL: Final = Key(b"still")
"""Of an entry of the clock at which nothing happens: the match begins to stand still then."""
GONE: Final = b"gone"
"""Begins the key of an entry of the clock by which a seat loses, since its player has left; the
seat follows, in a byte."""


class Entry(Struct, frozen=True, array_like=True, gc=False):
    """An action (msgpack) that `seat` did at match time `at_ms`. `lags_ms`: as in `Moment`.

    The clock's own entries have `seat` None, an empty action, and an empty key, `STILL`, or one
    that begins with `GONE`. A take-back has a seat, a key and an empty action: the entry before it,
    which is that seat's, stands no more.
    """

    seat: Seat | None
    key: Key
    at_ms: int
    action: bytes
    lags_ms: tuple[int, ...] = ()

    @property
    def by_bot(self) -> bool:
        """Whether a bot acted; unknown, and False, of what an older server kept."""
        return len(self.key) == BOT_KEY_BYTES

    @property
    def takes_back(self) -> bool:
        return self.seat is not None and not self.action


class Asleep(Struct, frozen=True, array_like=True, gc=False):
    """A match of days that nobody is at, so that the journal alone has it. `table`: its code;
    `matches`: how many have begun there. `due_at`: when something happens to it though nobody
    comes, in seconds since 1970, None = nothing does. `due`: whose turn it is, by identity, b"" =
    nobody's, since it is over. `owners`: of its seats, as `server.tables.restoring.owners_of` reads
    them."""

    match: MatchId
    table: str
    matches: int
    due_at: int | None = None
    due: bytes = b""
    owners: bytes = b""


class JournalError(Exception):
    """The store failed; whether the entry was kept is unknown, so nobody may be answered."""


class Unanswered(JournalError):
    """The store has said nothing for seconds, and was given up."""


class Hurt(JournalError):
    """What the store has of a match is not what was kept; the text says what is known."""


class Claimed(JournalError):
    """Another node has claimed the match since, or those of a deal: it takes nothing more from
    here."""

    def __init__(self, what: str) -> None:
        super().__init__(f"another node plays {what} now")


class Doubled(Exception):
    """This seat has used this key before; `version` is the result of that."""

    def __init__(self, version: Version) -> None:
        super().__init__(f"already journalled as version {version}")
        self.version = version
