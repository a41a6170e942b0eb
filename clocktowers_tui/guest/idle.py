"""How long a guest has done nothing."""

import time
from typing import Final

WARNED_S: Final = 60.0
"""So long before the end the guest is told."""


class Idle:
    """`limit_s`: without a key for so long, the guest's line ends."""

    def __init__(self, limit_s: float) -> None:
        self._limit_s: Final = limit_s
        self._warned_s: Final = min(WARNED_S, limit_s / 2)
        self._since_s = time.monotonic()
        self._warned = False

    def heard(self) -> None:
        """The guest has done something."""
        self._since_s = time.monotonic()
        self._warned = False

    @property
    def over(self) -> bool:
        return self._for_s() >= self._limit_s

    def warns(self) -> bool:
        """Whether the guest has to be told now that the end is near; once."""
        due = not self._warned and self._for_s() >= self._limit_s - self._warned_s
        self._warned = self._warned or due
        return due

    def _for_s(self) -> float:
        return time.monotonic() - self._since_s
