"""The server with something about it that is wrong, or of another version: tests must find it out.

python -P -m tests.stage.changed_server CHANGE serve …    (`CHANGES` has them all)
"""

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any, Final

from protocol.ids import MatchId, Version
from server.__main__ import main
from server.store import sqlite
from server.store.in_database import Journal
from server.store.journal import Entry, Header
from tests.stage.memory_journal import MemoryJournal

NOT_YET: Final = ("synchronous_commit = off", "wal_writer_delay = 10s")
"""Settings of a database that acknowledges long before it is safe."""
_FLUSH_S: Final = 0.5
_STEP: Final = "ALTER TABLE match ADD COLUMN later TEXT NOT NULL DEFAULT ''"


def changed(change: str) -> tuple[str, ...]:
    """The program."""
    return (sys.executable, "-P", "-m", "tests.stage.changed_server", change)


def deaf() -> None:
    """A node that does not find out by itself that a line to another one is dead."""
    from server.nodes import port

    port._KEEP_ALIVE = ()  # type: ignore[misc, assignment]


def unhurried() -> None:
    """A node that refuses nobody since it takes long to find out where something is."""
    from server.nodes import port, sending

    port.DIAL_S = sending.DIAL_S = 60.0  # type: ignore[misc, attr-defined]


def newer() -> None:
    """A node of a newer version, which changes the database when it starts; older ones run beside
    it."""
    from server.store import postgres

    postgres._SCRIPTS = [*postgres._SCRIPTS, _STEP]  # type: ignore[misc]


def hanging() -> None:
    """It hangs when it is told to stop."""
    from server.cli import serve
    from server.server import stop_on_signals

    def hang() -> None:
        print("hanging", flush=True)
        threading.Event().wait()

    def hang_on_signals(stop: Callable[[], None]) -> None:
        stop_on_signals(hang)

    setattr(serve, "stop_on_signals", hang_on_signals)  # noqa: B010


def unsafe() -> None:
    """It does not look whether its database keeps what it promises."""
    from server.store import connecting

    connecting._check = lambda *_what: None


def unfenced() -> None:
    """A node that writes to a match without asking whether it is still its own."""
    from server.store import fenced, postgres

    fence = "AND match.epoch = wish.epoch"
    assert fence in postgres._APPEND
    postgres._APPEND = postgres._APPEND.replace(fence, "")  # type: ignore[misc]

    fenced.FencedJournal._lock = lambda *_what: None  # type: ignore[method-assign]


class _EarlyJournal:
    """A journal that breaks nothing but its promise."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._waiting: list[tuple[MatchId, Version, Entry]] = []
        self._flusher = asyncio.create_task(self._flush_now_and_then())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._journal, name)

    def append(self, match: MatchId, version: Version, entry: Entry) -> asyncio.Future[None]:
        self._waiting.append((match, version, entry))
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        done.set_result(None)
        return done

    async def load(self, match: MatchId) -> tuple[Header, Sequence[Entry]]:
        await self._flush()
        return await self._journal.load(match)

    async def end(self) -> None:
        self._flusher.cancel()
        await self._flush()

    async def _flush_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(_FLUSH_S)
            await self._flush()

    async def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        await asyncio.gather(*(self._journal.append(*one) for one in waiting))


def early_ack() -> None:
    """It acknowledges before it commits, twice a second."""
    journal_in = sqlite.journal_in

    @asynccontextmanager
    async def early(folder: Path) -> AsyncIterator[_EarlyJournal]:
        async with journal_in(folder) as journal:
            acknowledges = _EarlyJournal(journal)
            yield acknowledges
            await acknowledges.end()

    sqlite.journal_in = early  # type: ignore[assignment]


def forgetful() -> None:
    """It has a journal without a disk."""
    from server.store import opening

    setattr(opening, "journal", lambda *_what: nullcontext(MemoryJournal()))  # noqa: B010


CHANGES: Final[Mapping[str, Callable[[], None]]] = {
    one.__name__: one
    for one in (deaf, newer, unhurried, hanging, unsafe, unfenced, early_ack, forgetful)
}

if __name__ == "__main__":
    CHANGES[sys.argv.pop(1)]()
    sys.exit(main())
