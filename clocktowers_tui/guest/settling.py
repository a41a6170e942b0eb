"""What makes a process a guest's: its own folder for everything, bounds on what it may use, and a
limit to how long nothing is typed.

Law: a guest's process keeps nothing outside its folder, and one that spins or swells is ended by
the system, alone.
"""

import asyncio
import math
import os
import resource
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from protocol.guests import House

# How long a guest has done nothing.


WARNED_S: Final = 60.0
"""So long before the end the guest is told."""
LOOK_S: Final = 5.0
"""How often somebody looks whether the guest is idle."""


class Idle:
    """`limit_s`: without a key for so long, the guest's line ends."""

    def __init__(self, limit_s: float) -> None:
        self._limit_s: Final = limit_s
        self._since_s = time.monotonic()

    def heard(self) -> None:
        """The guest has done something."""
        self._since_s = time.monotonic()

    async def until_over(self, warn: Callable[[], None]) -> None:
        """Return when the guest has done nothing for too long, and warn them once before; meanwhile
        ask for more of the processor."""
        allowance, warned = Allowance(), False
        warned_s = self._limit_s - min(WARNED_S, self._limit_s / 2)
        while (idle_s := time.monotonic() - self._since_s) < self._limit_s:
            if idle_s >= warned_s and not warned:
                warn()
            warned = idle_s >= warned_s
            await asyncio.sleep(min(LOOK_S, self._limit_s / 4))
            allowance.renew()


MEMORY_BYTES: Final = 256 << 20
"""Of its own; a guest on a large terminal takes 90 MB of it, threads' stacks counted."""
FILE_BYTES: Final = 4 << 20
FILES: Final = 64
CPU_S: Final = 30
"""Seconds of the processor that a guest may use at once."""
CPU_SHARE: Final = 0.3
"""Of one processor, in the long run; hard play takes a tenth of that."""
NICE: Final = 5
"""Behind the game server, which all guests wait for."""
_CREDIT_FILE: Final = Path("/proc/self/oom_score_adj")
_FOLDERS: Final = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")


def settle(house: House) -> None:
    """Live in the guest's folder from now on, and within bounds."""
    for name in _FOLDERS:
        os.environ.pop(name, None)
    os.environ["HOME"] = house.home
    os.umask(0o077)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a full file is an error like a full disk
    with suppress(OSError):
        os.nice(NICE)
    with suppress(OSError):
        _CREDIT_FILE.write_text("500")  # where memory ends, a guest goes before the server
    _limit(resource.RLIMIT_DATA, MEMORY_BYTES)
    _limit(resource.RLIMIT_FSIZE, FILE_BYTES)
    _limit(resource.RLIMIT_NOFILE, FILES)
    _limit(resource.RLIMIT_CORE, 0)


def _limit(which: int, most: int) -> None:
    with suppress(OSError, ValueError):
        resource.setrlimit(which, (most, most))


class Allowance:
    """The processor's time of this guest: `renew` now and then, or the system ends the process. One
    that spins comes to no `renew`; one that always has something to do is renewed too little."""

    def __init__(self) -> None:
        self._began_s: Final = time.monotonic()
        self._used_s: Final = _used_s()
        self.renew()

    def renew(self) -> None:
        earned_s = CPU_S + (time.monotonic() - self._began_s) * CPU_SHARE
        most_s = min(self._used_s + earned_s, _used_s() + CPU_S)
        with suppress(OSError, ValueError):
            hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(most_s), hard))


def _used_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
