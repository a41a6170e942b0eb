"""A thread that owns a database connection and commits in groups.

Laws: a job's result is told only after the transaction it ran in is kept; jobs run in the order
they came. What waits while one commit is under way goes into the next, so a slow disk costs time,
not throughput. When a commit fails nobody in its group is told that anything was kept.
"""

import asyncio
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import groupby
from queue import Empty, SimpleQueue
from typing import Any, Final, NamedTuple, TypeAlias

from server.store.appending import Append, Appending
from server.store.dialect import Dialect
from server.store.journal import Claimed, Doubled, Hurt
from server.store.migrating import Connection
from server.store.statements import No

MAX_GROUP: Final = 500
"""Jobs in one transaction; bounds how long the first of them waits."""

Work: TypeAlias = Callable[[Connection], Any]


REFUSALS: Final = (Claimed, Doubled, Hurt, No)
"""Errors by which a job refuses without harm to the others in its transaction; it must raise them
before it has changed anything. Any other error undoes the whole group."""


class _Job(NamedTuple):
    work: Work | Append
    done: asyncio.Future[Any]


class _Outcome(NamedTuple):
    """`error` None: it is kept, and `result` is what the work returned."""

    job: _Job
    result: Any = None
    error: BaseException | None = None


class Writer:
    """Appends that wait next to each other go to the database together; where nothing else waits,
    and the dialect is atomic, without a transaction around them."""

    def __init__(self, connection: Connection, dialect: Dialect, entries: Appending) -> None:
        self._connection = connection
        self._dialect = dialect
        self._entries = entries
        self._closed = False
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    async def do(self, work: Work | Append) -> Any:
        """The result of `work`, once it is kept. Raises what it raised, or why nothing was kept."""
        if self._closed:
            raise ValueError("it is closed")
        done = asyncio.get_running_loop().create_future()
        self._jobs.put(_Job(work, done))
        return await done

    def close(self) -> None:
        """Finish what was asked for, and let go of the database. Blocks until then."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (first := self._jobs.get()) is not None:
            group, closing = self._waiting(first)
            _tell(self._commit(group))
            if closing:
                break
        # What was told is kept already; a disk that fails now has nothing left to lose.
        with suppress(Exception):
            self._connection.close()

    def _waiting(self, first: _Job) -> tuple[list[_Job], bool]:
        """The jobs that wait by now, and whether the end is among them."""
        group = [first]
        while len(group) < MAX_GROUP:
            try:
                job = self._jobs.get_nowait()
            except Empty:
                break
            if job is None:
                return group, True
            group.append(job)
        return group, False

    def _commit(self, group: Sequence[_Job]) -> list[_Outcome]:
        alone = self._dialect.atomic and all(isinstance(job.work, Append) for job in group)
        try:
            if not alone:
                self._connection.execute(self._dialect.begin)
            outcomes = self._outcomes(group)
            if not alone:
                self._connection.execute("COMMIT")
        except Exception as error:
            self._undo()
            return [_Outcome(job, error=error) for job in group]
        return outcomes

    def _outcomes(self, group: Sequence[_Job]) -> list[_Outcome]:
        outcomes: list[_Outcome] = []
        for _, some in groupby(group, lambda job: isinstance(job.work, Append)):
            jobs = list(some)
            appends = [job.work for job in jobs if isinstance(job.work, Append)]
            if appends:
                told = self._entries.append(self._connection, appends)
                outcomes += [_Outcome(job, error=why) for job, why in zip(jobs, told, strict=True)]
            else:
                outcomes += [self._outcome(job, job.work) for job in jobs if callable(job.work)]
        return outcomes

    def _outcome(self, job: _Job, work: Work) -> _Outcome:
        try:
            return _Outcome(job, work(self._connection))
        except REFUSALS as refusal:
            return _Outcome(job, error=refusal)

    def _undo(self) -> None:
        # It fails where the database has undone it already, or where the transaction never began.
        with suppress(Exception):
            self._connection.execute("ROLLBACK")
        self._entries.undone()


def _tell(outcomes: Sequence[_Outcome]) -> None:
    """Answer in one call into each loop; a loop that has ended needs no answer."""
    loops: dict[asyncio.AbstractEventLoop, list[_Outcome]] = {}
    for outcome in outcomes:
        loops.setdefault(outcome.job.done.get_loop(), []).append(outcome)
    for loop, own in loops.items():
        try:
            loop.call_soon_threadsafe(_settle, own)
        except RuntimeError:
            continue


def _settle(outcomes: Sequence[_Outcome]) -> None:
    for job, result, error in outcomes:
        if job.done.done():
            continue  # the caller was cancelled
        if error is None:
            job.done.set_result(result)
        else:
            job.done.set_exception(error)
