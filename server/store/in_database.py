"""A journal in a database of any kind, and the thread that writes for it.

It remembers where each match stands that is being played; without that, every entry would first
look for the one before it. Laws: what is remembered is what the database says. When a transaction
is undone, all of it is forgotten, and so is a match that its table has let go of. The epoch in
which this server came to a match is kept until then: a match that another has claimed meanwhile
takes nothing more from here. A server that is not alone (`fenced`) comes to a match by beginning or
claiming it, never by chance.
"""

import asyncio
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from queue import Empty, SimpleQueue
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar, TypeVarTuple

from msgspec import Struct

from protocol.ids import MatchId, Seat, Version
from server.store import statements
from server.store.journal import (
    NO_TOKENS,
    Claimed,
    Doubled,
    Entry,
    Header,
    Hurt,
    JournalError,
    TokenHashes,
)
from server.store.statements import Link, No, SqlConnection, next_link, prune

# A thread that owns a database connection and commits in groups.
#
# Laws: a job's result is told only after the transaction it ran in is kept; jobs run in the order
# they came. What comes in one turn of the loop is handed to the thread together, and what waits
# while one commit is under way goes into the next, so a slow disk costs time, not throughput.
# When a commit fails nobody in its group is told that anything was kept.


A = TypeVar("A")
T = TypeVar("T")

MAX_GROUP: Final = 500
"""Jobs in one transaction; bounds how long the first of them waits."""
GATHER_S: Final = 0.001
"""How long jobs wait for more at most, while each turn of the loop brings more. Where the disk is
fast, commits of one or two moves would cost more time than all else about them."""

Work: TypeAlias = Callable[[SqlConnection, Sequence[A]], Sequence[T | Exception]]
"""Does the same for each of these, so that many of one kind need as few statements as one. Returns
the result of each, or why it is refused. Any error that it raises undoes the whole group."""

REFUSALS: Final = (Claimed, Doubled, Hurt, No)
"""Errors by which a `Single` refuses without harm to the others in its transaction; it must raise
them before it has changed anything."""


class Single(NamedTuple):
    """Statements for one alone: `does` is called with the connection and with `given`."""

    does: Callable[..., Any]
    given: tuple[Any, ...]


def one_by_one(connection: SqlConnection, singles: Sequence[Single]) -> list[Any]:
    """The work of those that share no statement."""
    results = list[Any]()
    for single in singles:
        try:
            results.append(single.does(connection, *single.given))
        except REFUSALS as refusal:
            results.append(refusal)
    return results


class _Job(Struct):
    """`result`: an error is raised to the caller."""

    work: Work[Any, Any]
    asked: Any
    done: asyncio.Future[Any]
    result: Any = None


class Writer:
    """For one loop. Jobs of one work that wait next to each other are done together. `begin`: the
    statement that begins a transaction. `one_statement`: every work but `one_by_one` is one
    statement, which needs no transaction around it. `undone` is called when a transaction is."""

    def __init__(
        self,
        connection: SqlConnection,
        begin: str,
        undone: Callable[[], None],
        *,
        one_statement: bool,
    ) -> None:
        self._connection = connection
        self._begin = begin
        self._undone = undone
        self._one_statement = one_statement
        self._closed = False
        self._gathered: list[_Job] = []
        self._unanswered = 0
        self.quiet_since_s: float | None = None
        """On the loop's clock; None: it has answered all that it was asked."""
        self._gathers_until_s = 0.0
        self._groups: SimpleQueue[list[_Job] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def do(self, work: Work[A, T], asked: A) -> asyncio.Future[T]:
        """The result of `work` for `asked`, once it is kept; or a refusal, or why nothing was kept,
        as a JournalError."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        if self._closed:
            done.set_exception(JournalError("the journal is closed"))
            return done
        if not self._gathered:
            self._gathers_until_s = loop.time() + GATHER_S
            loop.call_soon(self._hand_over, loop, 0)
        self._gathered.append(_Job(work, asked, done))
        return done

    def _hand_over(self, loop: asyncio.AbstractEventLoop, before: int) -> None:
        """Hand the jobs to the thread, unless a turn of the loop has brought more of them."""
        if before < len(self._gathered) and loop.time() < self._gathers_until_s:
            loop.call_soon(self._hand_over, loop, len(self._gathered))
        else:
            self._put()

    def _put(self) -> None:
        gathered, self._gathered = self._gathered, []
        if gathered:
            if not self._unanswered:
                self.quiet_since_s = gathered[0].done.get_loop().time()
            self._unanswered += len(gathered)
            self._groups.put(gathered)

    def close(self) -> None:
        """Finish what was asked for, and let go of the database; `ended` waits for that."""
        if not self._closed:
            self._closed = True
            self._put()
            self._groups.put(None)

    def ended(self) -> None:
        """Block until all is done that `close` asks for."""
        self._thread.join()

    def _tell(self, jobs: Sequence[_Job]) -> None:
        """Answer in one call into the loop."""
        self._unanswered -= len(jobs)
        self.quiet_since_s = jobs[0].done.get_loop().time() if self._unanswered else None
        for job in jobs:
            if job.done.done():
                continue  # the caller was cancelled
            if isinstance(job.result, Exception):
                job.done.set_exception(job.result)
            else:
                job.done.set_result(job.result)

    # In the thread --------------------------------------------------------------------------------

    def _run(self) -> None:
        goes_on = True
        while goes_on:
            group, goes_on = self._waiting()
            if group:
                self._commit(group)
                with suppress(RuntimeError):  # a loop that has ended needs no answer
                    group[0].done.get_loop().call_soon_threadsafe(self._tell, group)
        # What was told is kept already; a disk that fails now has nothing left to lose.
        with suppress(Exception):
            self._connection.close()

    def _waiting(self) -> tuple[list[_Job], bool]:
        """The jobs that wait by now, once there are any, and whether the end is not among them."""
        jobs = list[_Job]()
        while len(jobs) < MAX_GROUP:
            try:
                group = self._groups.get(block=not jobs)
            except Empty:
                break
            if group is None:
                return jobs, False
            jobs += group
        return jobs, True

    def _commit(self, group: Sequence[_Job]) -> None:
        bare = self._one_statement and all(job.work is not one_by_one for job in group)
        try:
            if not bare:
                self._connection.execute(self._begin)
            for work, some in groupby(group, _work):
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
            self._undone()
            why = _failed(error)
            for job in group:
                job.result = why


def _work(job: _Job) -> Work[Any, Any]:
    return job.work


def _failed(error: Exception) -> Exception:
    """`error`, of whichever driver it is, as the journal's own."""
    if isinstance(error, Doubled | JournalError):
        return error
    failed = JournalError(f"the database failed: {error}")
    failed.__cause__ = error
    return failed


Ts = TypeVarTuple("Ts")

Append: TypeAlias = tuple[MatchId, Version, Entry]
"""An entry to be kept, as `Journal.append` is asked to."""
StandRow: TypeAlias = tuple[MatchId, int, int, Link, int]
"""A match, its number in the database, its newest version, the link of that, and its epoch."""


class Stand(Struct):
    """Where a match stands: its number, its newest version, the link of that, and its epoch.
    `keys`: for a database that has no index of them."""

    number: int
    version: int
    link: Link
    epoch: int
    keys: bytearray | None = None


class NewEntry(NamedTuple):
    """An entry that follows what its match has, and its link."""

    stand: Stand
    version: Version
    entry: Entry
    link: Link


class DatabaseJournal:
    """`server.store.journal.Journal` in a database, whose shape is the newest. A database is a
    subclass, which says what differs."""

    begin_statement = "BEGIN"
    one_statement = False
    """Whether `_write`, and what replaces `one_by_one`, is one statement each."""
    entry_tables: Sequence[str] = ("entry",)
    fenced = False
    """Whether other servers write to the database, too."""

    def __init__(self, connection: SqlConnection) -> None:
        self._stands: Final[dict[MatchId, Stand]] = {}
        self._epochs: Final[dict[MatchId, int]] = {}
        """In which this server came to each match."""
        self._writer: Final = Writer(
            connection, self.begin_statement, self._stands.clear, one_statement=self.one_statement
        )

    def _do(self, does: Callable[[SqlConnection, *Ts], T], *given: *Ts) -> asyncio.Future[T]:
        """The result of these statements, in a transaction that others may share."""
        return self._writer.do(one_by_one, Single(does, given))

    async def begin(self, header: Header, tokens: TokenHashes = NO_TOKENS) -> None:
        await self._do(self._begin, header, tokens)

    def append(self, match: MatchId, version: Version, entry: Entry) -> asyncio.Future[None]:
        return self._writer.do(self._append, (match, version, entry))

    async def load(self, match: MatchId) -> tuple[Header, Sequence[Entry]]:
        return await self._do(statements.load, match)

    async def finish(self, match: MatchId, outcome: bytes) -> None:
        await self._do(statements.finish, match, outcome)

    async def keep_tokens(self, match: MatchId, seat: Seat, hashes: Sequence[bytes]) -> None:
        await self._do(statements.keep_tokens, match, seat, hashes)

    async def tokens(self, match: MatchId) -> TokenHashes:
        return await self._do(statements.tokens, match)

    async def held(self) -> Sequence[MatchId]:
        return await self._do(statements.held)

    async def forget(self, match: MatchId) -> None:
        await self._do(self._forget, match)

    async def keep_deal(self, id: str, deal: bytes) -> None:
        await self._do(statements.keep_deal, id, deal)

    async def deals(self) -> Mapping[str, bytes]:
        return await self._writer.do(_deals, None)

    async def prune(self, keep_days: int, most_bytes: int) -> int:
        pruned, size = 0, self._used_bytes
        while some := await self._do(prune, self.entry_tables, keep_days, most_bytes, size):
            pruned += some
        return pruned

    async def probe(self) -> None:
        await self._do(self._probe)

    def quiet_s(self) -> float:
        since_s = self._writer.quiet_since_s
        return 0.0 if since_s is None else asyncio.get_running_loop().time() - since_s

    async def close(self) -> None:
        self._writer.close()
        await asyncio.to_thread(self._writer.ended)

    # What differs between databases; all that follows runs in the writer's thread -----------------

    def _newest(self, connection: SqlConnection, matches: Collection[MatchId]) -> list[StandRow]:
        """Of these matches those that are there."""
        raise NotImplementedError

    def _write(self, connection: SqlConnection, rows: Sequence[NewEntry]) -> Collection[int]:
        """Write these, one a match, and return the numbers of the matches that have taken theirs. A
        match takes none whose version is not the next, none of another epoch, and no (seat, key)
        twice."""
        raise NotImplementedError

    def _probe(self, connection: SqlConnection) -> None:
        """Write something that changes nothing."""
        raise NotImplementedError

    def _used_bytes(self, connection: SqlConnection) -> int:
        """How large the journal is, without room that is free again."""
        raise NotImplementedError

    # What they do alike ---------------------------------------------------------------------------

    def _begin(self, connection: SqlConnection, header: Header, tokens: TokenHashes) -> None:
        number, link = statements.begin(connection, header, tokens)
        epoch = self._epochs.setdefault(header.match, 0)
        self._stands[header.match] = Stand(number, 0, link, epoch, bytearray())

    def _forget(self, connection: SqlConnection, match: MatchId) -> None:
        self._stands.pop(match, None)
        self._epochs.pop(match, None)
        statements.forget(connection, match)

    def _append(
        self, connection: SqlConnection, appends: Sequence[Append]
    ) -> list[JournalError | Doubled | None]:
        """Keep these; says of each why not. A measured hot path."""
        results: list[JournalError | Doubled | None] = []
        for some in _one_a_match(appends):
            if unknown := [match for match, _, _ in some if match not in self._stands]:
                self._come_to(connection, unknown)
            rows = [self._following(*one) for one in some]
            kept = self._write(connection, [row for row in rows if row is not None])
            for one, row in zip(some, rows, strict=True):
                if row is not None and row.stand.number in kept:
                    row.stand.version, row.stand.link = row.version, row.link
                    results.append(None)
                else:
                    results.append(self._refusal(connection, *one))
        return results

    def _come_to(self, connection: SqlConnection, matches: Collection[MatchId]) -> None:
        for match, number, version, link, epoch in self._newest(connection, matches):
            if not self.fenced or match in self._epochs:
                epoch = self._epochs.setdefault(match, epoch)
                self._stands[match] = Stand(number, version, link, epoch)

    def _following(self, match: MatchId, version: Version, entry: Entry) -> NewEntry | None:
        """None: it does not follow what is there."""
        stand = self._stands.get(match)
        if stand is None or stand.version != version - 1:
            return None
        return NewEntry(stand, version, entry, next_link(stand.link, entry))

    def _refusal(
        self, connection: SqlConnection, match: MatchId, version: Version, entry: Entry
    ) -> JournalError | Doubled:
        """Why the match has not taken it."""
        self._stands.pop(match, None)
        if not (found := self._newest(connection, [match])):
            return statements.unknown(match)
        ((_, number, _, _, epoch),) = found
        if self._epochs.get(match, None if self.fenced else epoch) != epoch:
            return Claimed(match)
        first = entry.seat is not None and statements.find(
            connection, number, entry.seat, entry.key
        )
        return Doubled(first) if first else statements.No(f"{match} takes no version {version}")


def _deals(connection: SqlConnection, asked: Sequence[None]) -> list[Mapping[str, bytes]]:
    return [statements.deals(connection)] * len(asked)


def _one_a_match(appends: Sequence[Append]) -> Iterator[list[Append]]:
    """The same in runs, none of which has two of a match."""
    run, seen = list[Append](), set[MatchId]()
    for one in appends:
        if one[0] in seen:
            yield run
            run, seen = [], set()
        run.append(one)
        seen.add(one[0])
    yield run
