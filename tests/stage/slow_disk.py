"""A server whose disk takes a tenth of a second for each thing, so that a promise that was made
before the disk had it can be caught.

python -m tests.stage.slow_disk serve …
"""

import asyncio
import sys
from typing import Any, Final

from server.__main__ import main
from server.store import sqlite
from server.store.migrating import Connect
from server.store.writer import Work

DELAY_S: Final = 0.1
SLOW: Final = (sys.executable, "-P", "-m", "tests.stage.slow_disk")


class SlowJournal(sqlite.SqliteJournal):
    """Late with everything."""

    def __init__(self, connect: Connect, name: str) -> None:
        super().__init__(connect, name)
        self._at_once = self._writer.do
        setattr(self._writer, "do", self._slowly)  # noqa: B010

    def _slowly(self, work: Work[Any, Any], asked: Any) -> asyncio.Future[Any]:
        return asyncio.ensure_future(self._later(work, asked))

    async def _later(self, work: Work[Any, Any], asked: Any) -> Any:
        await asyncio.sleep(DELAY_S)
        return await self._at_once(work, asked)


if __name__ == "__main__":
    sqlite.SqliteJournal = SlowJournal  # type: ignore[misc]
    sys.exit(main())
