"""A node that writes to a match without asking whether it is still its own: the siege of a cluster
must find it out. With `--own-clock` as the first word it asks a clock of its own instead, whether
its lease still runs; that clock stands while the process does, as `CLOCK_MONOTONIC` stands while a
machine is suspended.

python -m tests.stage.unfenced serve …
"""

import sys
import threading
import time
from collections.abc import Callable
from typing import Any, Final

from protocol.ids import MatchId, Version
from server.__main__ import main
from server.store.journal import Claimed, Entry
from server.store.migrating import Connection

UNFENCED: Final = (sys.executable, "-P", "-m", "tests.stage.unfenced")
OWN_CLOCK: Final = (*UNFENCED, "--own-clock")
TICK_S: Final = 0.02


class Clock:
    """Counts only while this process runs."""

    def __init__(self) -> None:
        self.now_s = 0.0
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while True:
            time.sleep(TICK_S)
            self.now_s += TICK_S


def without_fence() -> None:
    from server.store import fenced, postgres

    fence = "AND match.epoch = wish.epoch"
    assert fence in postgres._APPEND
    postgres._APPEND = postgres._APPEND.replace(fence, "")  # type: ignore[misc]

    def unasked(
        _journal: object, connection: Connection, match: MatchId, work: Callable[[Connection], Any]
    ) -> Any:
        return work(connection)

    fenced.FencedJournal._fenced = unasked  # type: ignore[assignment]


def by_own_clock() -> None:
    from server.nodes.directory import Directory
    from server.store.fenced import FencedJournal

    clock, renew, append = Clock(), Directory._renew, FencedJournal.append
    renewed_s = 0.0

    async def noted(directory: Directory) -> None:
        nonlocal renewed_s
        begun_s = clock.now_s
        await renew(directory)
        renewed_s = begun_s

    async def asked(journal: FencedJournal, match: MatchId, version: Version, entry: Entry) -> None:
        if clock.now_s - renewed_s > 1:
            raise Claimed(match)
        await append(journal, match, version, entry)

    Directory._renew = noted  # type: ignore[assignment]
    FencedJournal.append = asked  # type: ignore[assignment]


if __name__ == "__main__":
    without_fence()
    if sys.argv[1] == "--own-clock":
        del sys.argv[1]
        by_own_clock()
    sys.exit(main())
