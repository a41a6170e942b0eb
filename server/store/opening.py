"""Where a server's journal is: in a file of its folder, or in the database that a URL names."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from types import ModuleType

from server.config import Config
from server.store import sqlite
from server.store.in_database import Journal
from server.store.statements import SqlConnection, Unusable


def journal(config: Config, folder: Path) -> AbstractAsyncContextManager[Journal]:
    """Open it, and make it where there is none. `folder`: the server's own. Raises Unusable."""
    url, wait_s = config.journal, config.journal_wait_s
    return _postgres().journal_at(url, wait_s, folder) if url else sqlite.journal_in(folder)


def reading(url: str, folder: Path) -> tuple[SqlConnection, Callable[[SqlConnection], int]]:
    """A connection that changes nothing, and the function that says how large the journal is.
    `url`: "" is the file. Raises Unusable."""
    if url:
        return _postgres().reading(url), _postgres().used_bytes
    return sqlite.reading(folder / sqlite.FILE_NAME), sqlite.used_bytes


def changing(url: str) -> SqlConnection:
    """A connection to a database that has a journal, beside its servers. Raises Unusable."""
    connection: SqlConnection = _postgres().changing(url)
    return connection


def name(url: str, folder: Path) -> str:
    """The journal in sentences."""
    return str(_postgres().name_of(url) if url else folder / sqlite.FILE_NAME)


def _postgres() -> ModuleType:
    """It needs an extra, and takes a while to load."""
    try:
        from server.store import postgres
    except ImportError:
        raise Unusable(
            "--journal needs the library psycopg: install this program with its extra [postgres], "
            "as in pipx install 'clocktowers-tui[postgres]'"
        ) from None
    return postgres
