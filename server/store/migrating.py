"""Brings the database's shape up to date in numbered steps, each in a transaction of its own.

Law: a database that a newer program has made is refused untouched. Sentences say what to do.
"""

import sqlite3
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from typing import Any, Final, Protocol, TypeAlias

OLDEST_SQLITE: Final = (3, 37)
"""The first with STRICT tables."""


class SqlConnection(Protocol):
    """The part of SQLite's driver that we use, in autocommit."""

    def execute(self, statement: str, parameters: Any = (), /) -> Any: ...

    def executemany(self, statement: str, parameters: Any, /) -> Any: ...

    def close(self) -> Any: ...


Connect: TypeAlias = Callable[[], SqlConnection]


class Unusable(Exception):
    """The database cannot be worked with; the text is a sentence that says what to do."""


def check(connection: SqlConnection, name: str) -> None:
    """Look, and change nothing. Raises Unusable; `name` is the database's in sentences."""
    if sqlite_version(connection) < OLDEST_SQLITE:
        needed = ".".join(map(str, OLDEST_SQLITE))
        raise Unusable(f"SQLite {needed} or newer is needed: install a newer Python or SQLite")
    if _shape(connection) > len(_scripts()):
        raise Unusable(
            f"{name} was made by a newer version of this program: update this one, "
            "or move that file away to begin without its matches"
        )


def is_older(connection: SqlConnection) -> bool:
    """Whether `migrate` would change its shape."""
    return _shape(connection) < len(_scripts())


def migrate(connection: SqlConnection) -> None:
    """Bring it to the newest shape."""
    scripts = _scripts()
    for number in range(_shape(connection) + 1, len(scripts) + 1):
        _take_step(connection, scripts[number - 1], number)


def _shape(connection: SqlConnection) -> int:
    (shape,) = connection.execute("PRAGMA user_version").fetchone()
    return int(shape)


def sqlite_version(connection: SqlConnection) -> tuple[int, ...]:
    """The version of the library that is really in use."""
    (version,) = connection.execute("SELECT sqlite_version()").fetchone()
    return tuple(int(part) for part in version.split("."))


def statements(script: str) -> Iterator[str]:
    """The statements of a script one by one, since a driver need not take several."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement.strip()
            statement = ""


def _take_step(connection: SqlConnection, script: str, number: int) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement in statements(script):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {number}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


@cache
def _scripts() -> list[str]:
    return scripts_in("migrations")


def scripts_in(folder: str) -> list[str]:
    """001.sql, 002.sql … in order."""
    entries = (files("server.store") / folder).iterdir()
    found = sorted((one for one in entries if one.name.endswith(".sql")), key=_name)
    assert [one.name for one in found] == [f"{n:03}.sql" for n in range(1, len(found) + 1)]
    return [one.read_text(encoding="utf-8") for one in found]


def _name(entry: Any) -> str:
    return str(entry.name)


_scripts()  # now: root becomes another account later, which need not be able to read the program
