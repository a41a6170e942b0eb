"""A node's questions to the database, beside its journal: one at a time, each kept at once."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

import psycopg
from psycopg.conninfo import conninfo_to_dict

from server.store.connecting import DEFAULTS
from server.store.journal import JournalError

MOST_S: Final = 6.0
"""A question that has no answer by then has failed, and so has its session."""


class Asking:
    """A session that is made again when it was lost. `begun` is awaited with each new one."""

    def __init__(
        self,
        url: str,
        begun: "Callable[[psycopg.AsyncConnection[Any]], Awaitable[None]] | None" = None,
    ) -> None:
        self._url: Final = url
        self._begun: Final = begun
        self._turn: Final = asyncio.Lock()
        self._connection: psycopg.AsyncConnection[Any] | None = None

    async def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """What the statement finds. `values`: for each `%s` of it. Raises JournalError."""
        found: list[tuple[Any, ...]] = await self.use(partial(_rows, statement, values))
        return found

    async def use(self, work: "Callable[[psycopg.AsyncConnection[Any]], Awaitable[Any]]") -> Any:
        """What this comes to with the session. Raises JournalError."""
        async with self._turn:
            try:
                async with asyncio.timeout(MOST_S):
                    connection = await self._ready()
                    return await work(connection)
            except (psycopg.Error, TimeoutError, OSError) as error:
                if isinstance(error, TimeoutError) or self._broken:
                    await self._drop()
                why = str(error) or "it does not answer"
                raise JournalError(f"the database failed: {why}") from error

    @property
    def _broken(self) -> bool:
        return self._connection is None or self._connection.closed

    async def _ready(self) -> "psycopg.AsyncConnection[Any]":
        if self._connection is None or self._connection.closed:
            named = {**DEFAULTS, "target_session_attrs": "read-write"}
            self._connection = await psycopg.AsyncConnection.connect(
                autocommit=True, **{**named, **conninfo_to_dict(self._url)}
            )
            try:
                if self._begun is not None:
                    await self._begun(self._connection)
            except BaseException:
                await self._drop()
                raise
        return self._connection

    async def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

    async def close(self) -> None:
        async with self._turn:
            await self._drop()


async def _rows(
    statement: str, values: tuple[Any, ...], connection: "psycopg.AsyncConnection[Any]"
) -> list[tuple[Any, ...]]:
    cursor = await connection.execute(statement.encode(), values or None)
    return await cursor.fetchall() if cursor.description else []
