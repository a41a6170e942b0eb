"""The journal's contract: what was committed is the match; everything else is a cache of it.

Append-only, one sequence of entries for each match, version 1, 2, 3 … Laws, tested for every store
in `tests/server/store/test_contract.py`: the future of `append` is done only when the entry is
kept; versions have no gaps; a (seat, key) stands once in a match for ever; `load` gives what was
appended; `keep_tokens`, `keep_deal`, `keep_chat`, `keep_said` and `keep_person` replace what was
kept, at once and whole; a match is `current` or asleep until its table has let go of it, whether it
is over or not.
"""

import asyncio
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Protocol, TypeAlias

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


class Entry(Struct, frozen=True, array_like=True, gc=False):
    """An action (msgpack) that `seat` did at match time `at_ms`. `lags_ms`: as in `Moment`.

    The clock's own entries have `seat` None, an empty action, and an empty key or `STILL`. A
    take-back has a seat, a key and an empty action: the entry before it, which is that seat's,
    stands no more.
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


class Journal(Protocol):
    """A store of matches. Every method may raise JournalError."""

    async def begin(self, header: Header, tokens: TokenHashes = NO_TOKENS) -> None:
        """Keep a new match and the tokens of its seats: both or neither. Where an earlier try has
        kept it, nothing changes."""

    def append(self, match: MatchId, version: Version, entry: Entry) -> "asyncio.Future[None]":
        """Keep `entry` as `version`, which is the last version plus 1.

        The future raises Doubled, and JournalError when `version` is not the next.
        """

    async def load(self, match: MatchId) -> tuple[Header, Sequence[Entry]]:
        """Header and all entries; the last entry's version is the number of entries.

        Raises Hurt when what is there is not what was kept.
        """

    async def keep_tokens(self, match: MatchId, seat: Seat, hashes: Sequence[bytes]) -> None:
        """Replace those kept before with the SHA-256 of each token that opens the seat."""

    async def tokens(self, match: MatchId) -> TokenHashes:
        """The hashes that `begin` and `keep_tokens` kept, without the seats that have none."""

    async def finish(self, match: MatchId, outcome: bytes) -> None:
        """The match is over; `outcome` is the game's own as msgpack, empty when aborted."""

    async def current(self) -> Sequence[MatchId]:
        """Matches that have begun, that are not asleep and that nobody has asked to `forget`,
        oldest first."""

    async def sleep(self, asleep: Asleep, chat: bytes) -> None:
        """The match is asleep from now on; `chat`: what its table has beside it."""

    async def wake(self, match: MatchId) -> bytes:
        """The match is `current` again. Returns what was said at its table."""

    async def keep_chat(self, match: MatchId, chat: bytes) -> None:
        """Replace what `wake` returns; the match is awake or asleep as before."""

    async def asleep(self) -> Sequence[Asleep]:
        """Those that are."""

    async def forget(self, match: MatchId) -> None:
        """The match's table has let go of it: it is no longer `current`, and no token opens its
        seats. A store on disk keeps the rest, as a record."""

    async def keep_deal(self, id: str, deal: bytes) -> None:
        """Replace what was kept of a deal that several tables play; b"" = it is over. So, too, of a
        table of days that has not begun, whose id begins with UNBEGUN."""

    async def deals(self) -> Mapping[str, bytes]:
        """What `keep_deal` kept of each that is not over, by id."""

    async def keep_said(self, match: MatchId, seat: Seat, said: bytes) -> None:
        """Replace what was kept of what the seat's player says of the match."""

    async def said(self, match: MatchId) -> Mapping[Seat, bytes]:
        """What `keep_said` kept, as long as the match is."""

    async def keep_person(
        self, identity: bytes, before: bytes, kept: bytes, match: MatchId | None = None
    ) -> bytes | None:
        """Replace what was kept of a person by their identity (`Session.identity`), if that is
        `before`; b"" = nothing. Returns what was kept, None: ask again, since another node writes
        it now. `match`: it follows from this match, which has to be this node's."""

    async def people(self, identities: Sequence[bytes] = ()) -> Mapping[bytes, bytes]:
        """What `keep_person` kept of these, or of all."""

    async def prune(self, keep_days: int, most_bytes: int) -> int:
        """Delete matches begun and left, records older than so many days (0: all), and while the
        store is larger than `most_bytes` the oldest records. Returns how many; what is `current`
        stays."""

    async def probe(self) -> None:
        """Write something that changes nothing; returns once it is kept, as `append` does."""

    def quiet_s(self) -> float:
        """For how long it has answered nothing, though it was asked; 0 = it was not."""

    async def close(self) -> None:
        """Let go of files and threads; what was appended stays kept."""
