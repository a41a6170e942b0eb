"""A server whose disk takes a tenth of a second for each thing, and longer while there is a file
`HELD` at home, so that a promise that was made before the disk had it can be caught.

python -m tests.stage.slow_disk serve …
"""

import asyncio
import sys
from pathlib import Path
from typing import Any, Final

from server.__main__ import main
from server.store import sqlite
from server.store.in_database import Work

DELAY_S: Final = 0.1
HELD: Final = "held-disk"
SLOW: Final = (sys.executable, "-P", "-m", "tests.stage.slow_disk")


class SlowJournal(sqlite.SqliteJournal):
    """Late with everything."""

    def _do_together(self, work: Work[Any, Any], asked: Any) -> asyncio.Future[Any]:
        return asyncio.ensure_future(self._later(work, asked))

    async def _later(self, work: Work[Any, Any], asked: Any) -> Any:
        await asyncio.sleep(DELAY_S)
        while (Path.home() / HELD).exists():  # noqa: ASYNC110  (another process's)
            await asyncio.sleep(DELAY_S)
        return await super()._do_together(work, asked)


if __name__ == "__main__":
    sqlite.SqliteJournal = SlowJournal  # type: ignore[misc]
    sys.exit(main())
