"""The journal, in a database of any kind, and the thread that writes for it: what was committed is
the match; everything else is a cache of it.

Append-only, one sequence of entries for each match, version 1, 2, 3 … Laws, tested for every store
in `tests/server/store/test_contract.py`: the future of `append` is done only when the entry is
kept; versions have no gaps; a (seat, key) stands once in a match for ever; `load` gives what was
appended; `keep_tokens`, `keep_deal`, `keep_chat`, `keep_said` and `keep_person` replace what was
kept, at once and whole; a match is `current` or asleep until its table has let go of it, whether it
is over or not.

Laws: the result of a job is told only after the transaction it ran in is kept, and jobs run in the
order they came. What comes in one turn of the loop is handed to the thread together, and what waits
while one commit is under way goes into the next, so a slow disk costs time, not throughput. When a
commit fails nobody in its group is told that anything was kept.

The journal remembers where each match stands that is being played; without that, every entry would
first look for the one before it. Laws: what is remembered is what the database says. When a
transaction is undone, all of it is forgotten, and so is a match that its table has let go of. The
epoch in which this server came to a match is kept until then: a match that another has claimed
meanwhile takes nothing more from here. A server that is not alone (`fenced`) comes to a match by
beginning or claiming it, never by chance.
"""

import asyncio
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from operator import attrgetter
from queue import Empty, SimpleQueue
from typing import Any, Final, TypeAlias, TypeVar, TypeVarTuple

from msgspec import Struct

from protocol.ids import MatchId, Seat, Version
from protocol.table import DAY_S
from server.store import statements
from server.store.journal import (
    NO_TOKENS,
    Asleep,
    Claimed,
    Doubled,
    Entry,
    Header,
    Hurt,
    JournalError,
    TokenHashes,
)
from server.store.statements import (
    AT_ONCE,
    DEALS_S,
    NOW,
    Link,
    No,
    SqlConnection,
)

A = TypeVar("A")
T = TypeVar("T")
Ts = TypeVarTuple("Ts")

MAX_GROUP: Final = 500
"""Jobs in one transaction; bounds how long the first of them waits."""
GATHER_S: Final = 0.001
"""How long jobs wait for more at most, while each turn of the loop brings more. Where the disk is
fast, commits of one or two moves would cost more time than all else about them."""

Work: TypeAlias = Callable[[SqlConnection, Sequence[A]], Sequence[T | Exception]]
"""Does the same for each of these, so that many of one kind need as few statements as one. Returns
the result of each, or why it is refused. Any error that it raises undoes the whole group."""

REFUSALS: Final = (Claimed, Doubled, Hurt, No)
"""Errors by which one job of `one_by_one` is refused without harm to the others in its transaction;
it must raise them before it has changed anything."""

Append: TypeAlias = tuple[MatchId, Version, Entry]
"""An entry to be kept, as `Journal.append` is asked to."""
StandRow: TypeAlias = tuple[MatchId, int, int, Link, int]
"""A match, its number in the database, its newest version, the link of that, and its epoch."""


class Stand(Struct):
    """Where a match stands: its number, its newest version, the link of that, and its epoch.
    `keys`: what a database without an index of them remembers of each."""

    number: int
    version: int
    link: Link
    epoch: int
    keys: bytearray = bytearray()


class Job(Struct):
    """`result`: an error is raised to the caller."""

    work: Work[Any, Any]
    asked: Any
    done: asyncio.Future[Any]
    result: Any = None


def one_by_one(connection: SqlConnection, asked: Sequence[tuple[Callable[..., Any], Any]]) -> Any:
    """The work of those that share no statement: functions and what they are given."""
    results = list[Any]()
    for does, given in asked:
        try:
            results.append(does(connection, *given))
        except REFUSALS as refusal:
            results.append(refusal)
    return results


class Journal:
    """A store of matches, for one loop, in a database whose shape is the newest. A database is a
    subclass, which says what differs. Every method may raise JournalError."""

    begin_statement = "BEGIN"
    """Begins a transaction."""
    one_statement = False
    """Whether every work but `one_by_one` is one statement, which needs no transaction around
    it."""
    entry_tables: Sequence[str] = ("entry",)
    fenced = False
    """Whether other servers write to the database, too."""

    def __init__(self, connection: SqlConnection) -> None:
        self._connection: Final = connection
        self._loop: Final = asyncio.get_running_loop()
        self._stands: Final[dict[MatchId, Stand]] = {}
        self._epochs: Final[dict[MatchId, int]] = {}
        """In which this server came to each match."""
        self._undo: Final[list[tuple[MatchId, int | None]]] = []
        """What these were before the transaction that is under way, the newest change last."""
        self._closed = False
        self._gathered: list[Job] = []
        self._unanswered = 0
        self._quiet_since_s: float | None = None
        """Since when it has given no answer, by the loop's clock; None: it owes none."""
        self._gathers_until_s = 0.0
        self._groups: Final[SimpleQueue[list[Job] | None]] = SimpleQueue()
        self._thread: Final = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    async def begin(self, header: Header, tokens: TokenHashes = NO_TOKENS) -> None:
        """Keep a new match and the tokens of its seats: both or neither. Where an earlier try has
        kept it, nothing changes."""
        await self._do(self._begin, header, tokens)

    def append(self, match: MatchId, version: Version, entry: Entry) -> asyncio.Future[None]:
        """Keep `entry` as `version`, which is the last version plus 1.

        The future raises Doubled, and JournalError when `version` is not the next.
        """
        return self._do_together(self._append, (match, version, entry))

    async def load(self, match: MatchId) -> tuple[Header, Sequence[Entry]]:
        """Header and all entries; the last entry's version is the number of entries.

        Raises Hurt when what is there is not what was kept.
        """
        return await self._do_together(statements.load_all, match)

    async def finish(self, match: MatchId, outcome: bytes) -> None:
        """The match is over; `outcome` is the game's own as msgpack, empty when aborted."""
        await self._do(statements.finish, match, outcome)

    async def keep_tokens(self, match: MatchId, seat: Seat, hashes: Sequence[bytes]) -> None:
        """Replace those kept before with the SHA-256 of each token that opens the seat."""
        await self._do(statements.keep_tokens, match, seat, hashes)

    async def tokens(self, match: MatchId) -> TokenHashes:
        """The hashes that `begin` and `keep_tokens` kept, without the seats that have none."""
        return await self._do_together(statements.tokens, match)

    async def current(self) -> Sequence[MatchId]:
        """Matches that have begun, that are not asleep and that nobody has asked to `forget`,
        oldest first."""
        return await self._do(statements.current)

    async def sleep(self, asleep: Asleep, chat: bytes) -> None:
        """The match is asleep from now on; `chat`: what its table has beside it."""
        await self._do(statements.sleep, asleep, chat)

    async def wake(self, match: MatchId) -> bytes:
        """The match is `current` again. Returns what was said at its table."""
        return await self._do(statements.wake, match)

    async def keep_chat(self, match: MatchId, chat: bytes) -> None:
        """Replace what `wake` returns; the match is awake or asleep as before."""
        await self._do(statements.keep_chat, match, chat)

    async def asleep(self) -> Sequence[Asleep]:
        """Those that are."""
        return await self._do(statements.asleep)

    async def forget(self, match: MatchId) -> None:
        """The match's table has let go of it: it is no longer `current`, and no token opens its
        seats. A store on disk keeps the rest, as a record."""
        await self._do(self._forget, match)

    async def keep_deal(self, id: str, deal: bytes) -> None:
        """Replace what was kept of a deal that several tables play; b"" = it is over. So, too, of a
        table of days that has not begun, whose id begins with UNBEGUN."""
        await self._do(statements.keep_deal, id, deal)

    async def deals(self) -> Mapping[str, bytes]:
        """What `keep_deal` kept of each that is not over, by id."""
        return await self._do(statements.deals)

    async def keep_said(self, match: MatchId, seat: Seat, said: bytes) -> None:
        """Replace what was kept of what the seat's player says of the match."""
        await self._do(statements.keep_said, match, seat, said)

    async def said(self, match: MatchId) -> Mapping[Seat, bytes]:
        """What `keep_said` kept, as long as the match is."""
        return await self._do(statements.said, match)

    async def keep_person(
        self, identity: bytes, before: bytes, kept: bytes, match: MatchId | None = None
    ) -> bytes | None:
        """Replace what was kept of a person by their identity (`Session.identity`), if that is
        `before`; b"" = nothing. Returns what was kept, None: ask again, since another node writes
        it now. `match`: it follows from this match, which has to be this node's."""
        return await self._do(statements.keep_person, identity, before, kept)

    async def people(self, identities: Sequence[bytes] = ()) -> Mapping[bytes, bytes]:
        """What `keep_person` kept of these, or of all."""
        return await self._do(statements.people, identities)

    async def prune(self, keep_days: int, most_bytes: int) -> int:
        """Delete matches begun and left, records older than so many days (0: all), and while the
        store is larger than `most_bytes` the oldest records. Returns how many; what is `current`
        stays."""
        pruned = 0
        while some := await self._do(self._prune, keep_days, most_bytes):
            pruned += some
        return pruned

    async def probe(self) -> None:
        """Write something that changes nothing; returns once it is kept, as `append` does."""
        await self._do(self._probe)

    def quiet_s(self) -> float:
        """For how long it has answered nothing, though it was asked; 0 = it was not."""
        since_s = self._quiet_since_s
        return 0.0 if since_s is None else self._loop.time() - since_s

    async def close(self) -> None:
        """Let go of files and threads; what was appended stays kept."""
        if not self._closed:
            self._closed = True
            self._put()
            self._groups.put(None)
        await asyncio.to_thread(self._thread.join)

    # From the loop to the thread ------------------------------------------------------------------

    def _do(self, does: Callable[[SqlConnection, *Ts], T], *given: *Ts) -> asyncio.Future[T]:
        """The result of these statements, in a transaction that others may share."""
        return self._do_together(one_by_one, (does, given))

    def _do_together(self, work: Work[A, T], asked: A) -> asyncio.Future[T]:
        """The result of `work` for `asked`, once it is kept; or a refusal, or why nothing was kept,
        as a JournalError. Jobs of one work that wait next to each other are done together."""
        done: asyncio.Future[T] = self._loop.create_future()
        if self._closed:
            done.set_exception(JournalError("the journal is closed"))
            return done
        if not self._gathered:
            self._gathers_until_s = self._loop.time() + GATHER_S
            self._loop.call_soon(self._hand_over, 0)
        self._gathered.append(Job(work, asked, done))
        return done

    def _hand_over(self, before: int) -> None:
        """Hand the jobs to the thread, unless a turn of the loop has brought more of them."""
        if before < len(self._gathered) and self._loop.time() < self._gathers_until_s:
            self._loop.call_soon(self._hand_over, len(self._gathered))
        else:
            self._put()

    def _put(self) -> None:
        gathered, self._gathered = self._gathered, []
        if gathered:
            if not self._unanswered:
                self._quiet_since_s = self._loop.time()
            self._unanswered += len(gathered)
            self._groups.put(gathered)

    def _tell(self, jobs: Sequence[Job]) -> None:
        """Answer in one call into the loop."""
        self._unanswered -= len(jobs)
        self._quiet_since_s = self._loop.time() if self._unanswered else None
        for job in jobs:
            if job.done.done():
                continue  # the caller was cancelled
            if isinstance(job.result, Exception):
                job.done.set_exception(job.result)
            else:
                job.done.set_result(job.result)

    # All that follows runs in the thread ----------------------------------------------------------

    def _run(self) -> None:
        goes_on = True
        while goes_on:
            group, goes_on = self._next_group()
            if group:
                self._commit(group)
                with suppress(RuntimeError):  # a loop that has ended needs no answer
                    self._loop.call_soon_threadsafe(self._tell, group)
        # What was told is kept already; a disk that fails now has nothing left to lose.
        with suppress(Exception):
            self._connection.close()

    def _next_group(self) -> tuple[list[Job], bool]:
        """The jobs that wait by now, once there are any, and whether the end is not among them."""
        jobs = list[Job]()
        while len(jobs) < MAX_GROUP:
            try:
                group = self._groups.get(block=not jobs)
            except Empty:
                break
            if group is None:
                return jobs, False
            jobs += group
        return jobs, True

    def _commit(self, group: Sequence[Job]) -> None:
        bare = self.one_statement and all(job.work is not one_by_one for job in group)
        try:
            if not bare:
                self._connection.execute(self.begin_statement)
            for work, some in groupby(group, attrgetter("work")):
                jobs = list(some)
                results = work(self._connection, [job.asked for job in jobs])
                for job, result in zip(jobs, results, strict=True):
                    job.result = result
            if not bare:
                self._connection.execute("COMMIT")
        except Exception as error:
            # It fails where the database has undone it already, or where it never began.
            with suppress(Exception):
                self._connection.execute("ROLLBACK")
            self._stands.clear()
            for match, epoch in reversed(self._undo):
                self._know(match, epoch)
            why = _failed(error)
            for job in group:
                job.result = why
        self._undo.clear()

    def _come(self, match: MatchId, epoch: int | None) -> None:
        """In this epoch, or (None) no more, unless the transaction is undone."""
        self._undo.append((match, self._epochs.get(match)))
        self._know(match, epoch)

    def _know(self, match: MatchId, epoch: int | None) -> None:
        if epoch is None:
            self._epochs.pop(match, None)
        else:
            self._epochs[match] = epoch

    # What differs between databases ---------------------------------------------------------------

    def _newest(self, connection: SqlConnection, matches: Collection[MatchId]) -> list[StandRow]:
        """Of these matches those that are there."""
        raise NotImplementedError

    def _append(
        self, connection: SqlConnection, appends: Sequence[Append]
    ) -> list[JournalError | Doubled | None]:
        """Keep these; says of each why not. A match takes no entry whose version is not the next,
        none of another epoch, and no (seat, key) twice. What it takes, its stand tells."""
        raise NotImplementedError

    def _probe(self, connection: SqlConnection) -> None:
        """Write something that changes nothing."""
        raise NotImplementedError

    def _used_bytes(self, connection: SqlConnection) -> int:
        """How large the journal is, without room that is free again."""
        raise NotImplementedError

    # What they do alike ---------------------------------------------------------------------------

    def _begin(self, connection: SqlConnection, header: Header, tokens: TokenHashes) -> None:
        epoch = self._epochs.get(header.match, 0)
        self._come(header.match, epoch)
        if statements.row(connection, "SELECT 1 FROM match WHERE id = ?", header.match) is None:
            number, link = statements.begin(connection, header, tokens)
            self._stands[header.match] = Stand(number, 0, link, epoch)

    def _forget(self, connection: SqlConnection, match: MatchId) -> None:
        self._stands.pop(match, None)
        self._come(match, None)
        statements.forget(connection, match)

    def _prune(self, connection: SqlConnection, keep_days: int, most_bytes: int) -> int:
        """Delete some of what is to go: matches begun and left, records that are too old, and,
        while the journal is too large, the oldest. Returns how many; 0 = nothing is left to do."""
        connection.execute(f"DELETE FROM deal WHERE kept_at < {NOW} - ?", (DEALS_S,))
        age_s = keep_days * DAY_S or -1
        numbers = connection.execute(
            "SELECT number FROM match WHERE held = 0 "
            f"AND (coalesce(length(outcome), 0) = 0 OR coalesce(ended_at, 0) < {NOW} - ?) LIMIT ?",
            (age_s, AT_ONCE),
        ).fetchall()
        if not numbers and self._used_bytes(connection) > most_bytes:
            oldest = "SELECT number FROM match WHERE held = 0 ORDER BY ended_at, number LIMIT ?"
            numbers = connection.execute(oldest, (AT_ONCE,)).fetchall()
        for table in (*self.entry_tables, "token", "said"):
            connection.executemany(f"DELETE FROM {table} WHERE match = ?", numbers)
        connection.executemany("DELETE FROM match WHERE number = ?", numbers)
        return len(numbers)

    def _come_to(self, connection: SqlConnection, matches: Collection[MatchId]) -> None:
        """Remember where these stand."""
        for match, number, version, link, epoch in self._newest(connection, matches):
            if not self.fenced or match in self._epochs:
                epoch = self._epochs.setdefault(match, epoch)
                self._stands[match] = Stand(number, version, link, epoch)

    def _refusal(
        self, connection: SqlConnection, match: MatchId, version: Version, entry: Entry
    ) -> JournalError | Doubled | None:
        """Why the match does not take it; None: it does."""
        self._stands.pop(match, None)
        if not (found := self._newest(connection, [match])):
            return statements.unknown(match)
        ((_, number, newest, _, epoch),) = found
        if self._epochs.get(match, None if self.fenced else epoch) != epoch:
            return Claimed(match)
        first = entry.seat is not None and statements.find(
            connection, number, entry.seat, entry.key
        )
        if first:
            return Doubled(first)
        return None if version == newest + 1 else No(f"{match} takes no version {version}")


def _failed(error: Exception) -> Exception:
    """`error`, of whichever driver it is, as the journal's own."""
    if isinstance(error, Doubled | JournalError):
        return error
    failed = JournalError(f"the database failed: {error}")
    failed.__cause__ = error
    return failed
