"""A PostgreSQL and its standby, which takes over when the first one dies.

Both have the names of the same folders for good, so one URL leads to whichever of them can be
written.
"""

import time
from typing import Any, Final

from tests.stage.postgres import Cluster

HELD_UP_S: Final = 0.3
"""For so long nothing reaches the standby before it takes over."""


class Pair:
    """`synchronous`: whether what is acknowledged is on the standby, too. It can be killed and
    started like a single `Cluster`."""

    def __init__(self, *, synchronous: bool = True) -> None:
        self._synchronous = synchronous
        names = ("synchronous_standby_names = 'standby'",) if synchronous else ()
        self._primary = Cluster(*names)
        self._standby = Cluster(copy_of=self._primary)

    def fresh(self) -> str:
        """The URL of an empty schema, with both hosts."""
        hosts = f"{self._primary.folder},{self._standby.folder}"
        return f"{self._primary.fresh()}&host={hosts}"

    def kill(self) -> None:
        """The standby is held up for a moment, then both die: what was still on the way is lost."""
        self._standby.hang()
        time.sleep(HELD_UP_S)
        self._primary.kill()
        self._standby.kill()

    def start(self) -> None:
        """The standby takes over, and if that is waited for, a copy of it takes the place of the
        first one."""
        self._standby.start()
        self._standby.promote()
        self._primary, self._standby = self._standby, self._primary
        if self._synchronous:
            self._standby.follow(self._primary)

    def ask(self, statement: str, url: str = "") -> list[tuple[Any, ...]]:
        """What an operator with psql would see in the one that can be written."""
        return self._primary.ask(statement, url and f"{url}&host={self._primary.folder}")

    def close(self) -> None:
        self._standby.close()
        self._primary.close()
