"""A node's questions to the database, beside its journal.

Laws: of one session one question at a time, each kept at once. Whatever callers want to know is
asked together: however many they are, one question of each kind is under way.
"""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import monotonic
from typing import Any, Final, Generic, TypeVar

import psycopg

from server.store.connecting import Age, Bounded, connected_to
from server.store.journal import JournalError
from server.store.statements import Unusable

T = TypeVar("T")
K = TypeVar("K")

MOST_S: Final = 5.0
"""A question that has no answer by then has failed, and so has its session; also one that has
waited for others for so long."""
LONG_S: Final = 1.0


class Asking:
    """A session in a thread of its own, made again when it was lost. `begun` is called with each
    new one, in that thread."""

    def __init__(
        self, url: str, age: Age, begun: Callable[[Bounded], None] = lambda _: None
    ) -> None:
        self._url: Final = url
        self._age: Final = age
        self._begun: Final = begun
        self._thread: Final = ThreadPoolExecutor(1, "asking")
        self._connection: Bounded | None = None
        self._failed = False
        self._asks_since_s: float | None = None

    @property
    def away(self) -> bool:
        """Whether the last question has failed, or one has waited for long."""
        since_s = self._asks_since_s
        return self._failed or (since_s is not None and monotonic() - since_s > LONG_S)

    async def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """What the statement finds. `values`: for each `%s` of it. Raises JournalError."""
        return await self.use(partial(_rows, statement, values))

    async def use(self, work: Callable[[Bounded], T]) -> T:
        """What this comes to with the session, in its thread. Raises JournalError."""
        until_s, loop = monotonic() + MOST_S, asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._thread, self._use, work, until_s)
        except (psycopg.Error, OSError, Unusable) as error:
            raise JournalError(f"the database failed: {error}") from error

    def _use(self, work: Callable[[Bounded], T], until_s: float) -> T:
        self._asks_since_s, failed = monotonic(), True
        try:
            if until_s <= self._asks_since_s:
                raise TimeoutError("it does not answer")
            if (connection := self._connection) is None or connection.closed:
                connection = self._new(until_s)
            connection.wait_until(until_s)
            found = work(connection)
            failed = False
            return found
        finally:
            self._asks_since_s, self._failed = None, failed

    def _new(self, until_s: float) -> Bounded:
        connection = connected_to(self._url, until_s - monotonic(), age=self._age)
        connection.wait_until(until_s)
        try:
            self._begun(connection)
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        return connection

    def close(self) -> None:
        self._thread.submit(self._drop)
        self._thread.shutdown(wait=False)

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()


def _rows(statement: str, values: tuple[Any, ...], connection: Bounded) -> list[tuple[Any, ...]]:
    cursor = connection.execute(statement.encode(), values or None)
    return cursor.fetchall() if cursor.description else []


class _Question(Generic[K, T]):
    """`found`: its answer, or `failed`: why there is none, once it was asked."""

    def __init__(self) -> None:
        self.about: Final[set[K]] = set()
        self.found: T | None = None
        self.failed: JournalError | None = None


class Together(Generic[K, T]):
    """Of one kind of question, which `ask` asks about several things at once: while one is under
    way, all who want to know something share the next one."""

    def __init__(self, ask: Callable[[list[K]], Awaitable[T]]) -> None:
        """`ask`: its answer is never None."""
        self._ask: Final = ask
        self._next = _Question[K, T]()
        self._turn: Final = asyncio.Lock()

    async def about(self, *things: K) -> T:
        """The answer about these, and maybe others. Raises the JournalError that `ask` does."""
        question = self._next
        question.about.update(things)
        async with self._turn:
            if question.found is None and question.failed is None:
                self._next = _Question()
                try:
                    question.found = await self._ask(list(question.about))
                except JournalError as error:  # the next would wait as long for the same
                    question.failed = error
        if question.failed is not None:
            raise question.failed
        assert question.found is not None
        return question.found
