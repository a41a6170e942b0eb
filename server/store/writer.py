"""A thread that owns a database connection and commits in groups.

Laws: a job's result is told only after the transaction it ran in is kept; jobs run in the order
they came. What comes in one turn of the loop is handed to the thread together, and what waits while
one commit is under way goes into the next, so a slow disk costs time, not throughput. When a commit
fails nobody in its group is told that anything was kept.
"""

import asyncio
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import groupby
from queue import Empty, SimpleQueue
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import Struct

from server.store.appending import Append, Appending
from server.store.dialect import Dialect
from server.store.journal import Claimed, Doubled, Hurt, JournalError
from server.store.migrating import Connection
from server.store.statements import No

MAX_GROUP: Final = 500
"""Jobs in one transaction; bounds how long the first of them waits."""
GATHER_S: Final = 0.001
"""How long jobs wait for more at most, while each turn of the loop brings more. Where the disk is
fast, commits of one or two moves would cost more time than all else about them."""

Work: TypeAlias = Callable[[Connection], Any]
AllOf: TypeAlias = Callable[[Connection, Sequence[Any]], Sequence[Any]]
"""Does the same for each of these; returns of each its result, or by which refusal it is none."""


class Shared(NamedTuple):
    """Work that waits next to more of its kind is done with them, in as many statements as one
    alone: so many who come back at once wait for one answer of the database, not each for theirs.
    `asked`: what `all_of` is given of this one."""

    all_of: AllOf
    asked: Any


REFUSALS: Final = (Claimed, Doubled, Hurt, No)
"""Errors by which a job refuses without harm to the others in its transaction; it must raise them
before it has changed anything. Any other error undoes the whole group."""


class _Job(Struct):
    """`error` None: once it has run it is kept, and `result` is what the work returned."""

    work: Work | Append | Shared
    done: asyncio.Future[Any]
    result: Any = None
    error: Exception | None = None


class Writer:
    """Appends that wait next to each other go to the database together, and so does what is
    `Shared`; where nothing else waits, and the dialect is atomic, without a transaction around
    them."""

    def __init__(self, connection: Connection, dialect: Dialect, entries: Appending) -> None:
        self._connection = connection
        self._dialect = dialect
        self._entries = entries
        self._append: Final = entries.append
        self._closed = False
        self._gathered: list[_Job] = []
        self._gathers_until_s = 0.0
        self._groups: SimpleQueue[list[_Job] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def do(self, work: Work | Append | Shared) -> asyncio.Future[Any]:
        """The result of `work`, once it is kept; or a refusal, or why nothing was kept, as a
        JournalError."""
        loop = asyncio.get_running_loop()
        done = loop.create_future()
        if self._closed:
            done.set_exception(JournalError("the journal is closed"))
            return done
        if not self._gathered:
            self._gathers_until_s = loop.time() + GATHER_S
            loop.call_soon(self._hand_over, loop, 0)
        self._gathered.append(_Job(work, done))
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

    def _run(self) -> None:
        goes_on = True
        while goes_on:
            group, goes_on = self._waiting()
            if group:
                self._commit(group)
                _tell(group)
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
        alone = self._dialect.atomic and all(map(self._all_of, group))
        try:
            if not alone:
                self._connection.execute(self._dialect.begin)
            for all_of, some in groupby(group, self._all_of):
                if all_of is None:
                    self._work(some)
                else:
                    self._together(all_of, list(some))
            if not alone:
                self._connection.execute("COMMIT")
        except Exception as error:
            self._undo()
            why = _failed(error)
            for job in group:
                job.error = why

    def _all_of(self, job: _Job) -> AllOf | None:
        """What does this job together with others; None: it is one alone."""
        work = job.work
        if type(work) is Append:
            return self._append
        return work.all_of if type(work) is Shared else None

    def _together(self, all_of: AllOf, jobs: Sequence[_Job]) -> None:
        told = all_of(self._connection, [_asked(job.work) for job in jobs])
        for job, one in zip(jobs, told, strict=True):
            if isinstance(one, Exception):
                job.error = one
            else:
                job.result = one

    def _work(self, jobs: Iterable[_Job]) -> None:
        for job in jobs:
            try:
                job.result = job.work(self._connection)  # type: ignore[operator]
            except REFUSALS as refusal:
                job.error = refusal

    def _undo(self) -> None:
        # It fails where the database has undone it already, or where the transaction never began.
        with suppress(Exception):
            self._connection.execute("ROLLBACK")
        self._entries.undone()


def _asked(work: Work | Append | Shared) -> Any:
    return work.asked if type(work) is Shared else work


def _failed(error: Exception) -> Exception:
    """`error`, of whichever driver it is, as the journal's own."""
    if isinstance(error, Doubled | JournalError):
        return error
    failed = JournalError(f"the database failed: {error}")
    failed.__cause__ = error
    return failed


def _tell(jobs: Sequence[_Job]) -> None:
    """Answer in one call into each loop; a loop that has ended needs no answer."""
    for loop, some in groupby(jobs, lambda job: job.done.get_loop()):
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_settle, list(some))


def _settle(jobs: Sequence[_Job]) -> None:
    for job in jobs:
        if job.done.done():
            continue  # the caller was cancelled
        if job.error is None:
            job.done.set_result(job.result)
        else:
            job.done.set_exception(job.error)
