"""A thread that owns a database connection and commits in groups.

Laws: a job's result is told only after the transaction it ran in is kept; jobs run in the order
they came. What comes in one turn of the loop is handed to the thread together, and what waits while
one commit is under way goes into the next, so a slow disk costs time, not throughput. When a commit
fails nobody in its group is told that anything was kept.
"""

import asyncio
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import groupby
from queue import Empty, SimpleQueue
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from msgspec import Struct

from server.store.journal import Claimed, Doubled, Hurt, JournalError
from server.store.migrating import SqlConnection
from server.store.statements import No

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

    # In the thread --------------------------------------------------------------------------------

    def _run(self) -> None:
        goes_on = True
        while goes_on:
            group, goes_on = self._waiting()
            if group:
                self._commit(group)
                with suppress(RuntimeError):  # a loop that has ended needs no answer
                    group[0].done.get_loop().call_soon_threadsafe(_tell, group)
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


def _tell(jobs: Sequence[_Job]) -> None:
    """Answer in one call into the loop."""
    for job in jobs:
        if job.done.done():
            continue  # the caller was cancelled
        if isinstance(job.result, Exception):
            job.done.set_exception(job.result)
        else:
            job.done.set_result(job.result)
