"""A server whose disk takes a tenth of a second for each thing, and longer while there is a file
`HELD` at home, so that a promise that was made before the disk had it can be caught.

python -m tests.stage.slow_disk serve …
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from server.__main__ import main
from server.store import sqlite
from server.store.in_database import Journal

DELAY_S: Final = 0.1
HELD: Final = "held-disk"
SLOW: Final = (sys.executable, "-P", "-m", "tests.stage.slow_disk")

_journal_in: Final = sqlite.journal_in


class SlowJournal:
    """Late with everything."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.quiet_s = journal.quiet_s

    def __getattr__(self, name: str) -> Any:
        does = getattr(self._journal, name)
        return lambda *given: asyncio.ensure_future(_late(does, given))


async def _late(does: Callable[..., Awaitable[Any]], given: tuple[Any, ...]) -> Any:
    await asyncio.sleep(DELAY_S)
    while (Path.home() / HELD).exists():  # noqa: ASYNC110  (another process's)
        await asyncio.sleep(DELAY_S)
    return await does(*given)


@asynccontextmanager
async def slow_journal_in(folder: Path) -> AsyncIterator[SlowJournal]:
    async with _journal_in(folder) as journal:
        yield SlowJournal(journal)


if __name__ == "__main__":
    sqlite.journal_in = slow_journal_in  # type: ignore[assignment]
    sys.exit(main())
