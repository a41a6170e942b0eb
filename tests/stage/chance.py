"""Chance in tests: what the product draws comes from the test's name and `--chance N`.

Every place in our code that draws has a stream of its own, so what one task or thread draws does
not depend on how many others drew before. Libraries keep the machine's own randomness.

Programs that tests start are seeded, too, and as late as the test (`tests.stage.late`):
`tests.stage.forking` calls `seed` in what it forks, and a program that starts cold, or that one of
these starts, runs as `python -P -m tests.stage.chance SEED LATE_MS MODULE …`. So is the process
with which `multiprocessing` forks others.
"""

import itertools
import os
import random
import runpy
import subprocess
import sys
from collections.abc import Callable, Sequence
from multiprocessing import util
from random import Random
from typing import Any, Final

from tests.stage.late import LATE, make_late

OURS: Final = frozenset({"server", "clocktowers_tui", "protocol", "tests", "bench"})
_STARTED: Final = ("server", "clocktowers_tui", "tests.stage.changed_", "bench.")
"""How the names of programs begin that draw something."""

_PASSED_OVER: Final = frozenset({"random", "secrets", __name__})


class Chance:
    """The streams of one test, or of one program that a test started."""

    def __init__(self) -> None:
        self._machines: Final = os.urandom
        self._seed_of_random: Final = Random.seed
        self.begin("")

    def begin(self, seed: str) -> None:
        """Start all streams at their beginning."""
        self.seed = self._fork = seed
        self._streams: dict[str, Random] = {}
        self._programs = itertools.count(1)
        generator = Random(0)
        self._seed_of_random(generator, seed)
        random.setstate(generator.getstate())

    def bytes(self, count: int) -> bytes:
        """As `os.urandom`."""
        place = _place()
        if place.partition(".")[0] not in OURS:
            return self._machines(count)
        if place not in self._streams:
            stream = Random(0)
            self._seed_of_random(stream, f"{self.seed} {place}")
            self._streams[place] = stream
        return self._streams[place].randbytes(count)

    def next_program(self) -> str:
        """The seed for a program that is started now."""
        return f"{self.seed} > {next(self._programs)}"

    def _begin_fork(self) -> None:
        """What is forked off draws other numbers, or two clients would name their actions alike."""
        self.begin(self._fork)

    def _before_fork(self) -> None:
        self._fork = self.next_program()

    def install(self) -> None:
        """Let `secrets`, `os.urandom` and a `Random()` without a seed draw here."""
        os.register_at_fork(before=self._before_fork, after_in_child=self._begin_fork)
        seed_of_random, draw = self._seed_of_random, self.bytes

        def seed(generator: Random, a: Any = None, version: int = 2) -> None:
            ours = a is None and _place().partition(".")[0] in OURS
            seed_of_random(generator, draw(8) if ours else a, version)

        start: Callable[..., int] = util.spawnv_passfds

        def seeded_start(path: bytes, args: Sequence[Any], descriptors: Any) -> int:
            *python, does = args
            if "multiprocessing.forkserver" in does:
                given = f"{self.next_program()!r}, {LATE.most_s * 1000}"
                does = f"from {__name__} import seed; seed({given}); {does}"
            return start(path, [*python, does], descriptors)

        setattr(util, "spawnv_passfds", seeded_start)  # noqa: B010
        os.urandom = draw
        random._urandom = draw  # type: ignore[attr-defined]
        Random.seed = seed  # type: ignore[assignment]


CHANCE: Final = Chance()


def _place() -> str:
    """The module that draws."""
    frame = sys._getframe(1)
    while frame.f_globals.get("__name__") in _PASSED_OVER and frame.f_back is not None:
        frame = frame.f_back
    return str(frame.f_globals.get("__name__"))


def seed(seed: str, late_ms: float) -> None:
    """Seed this process, and what it starts of our programs; all of it is late by so much."""
    CHANCE.begin(seed)
    CHANCE.install()
    make_late(late_ms)
    cold: Callable[..., Any] = subprocess.Popen._execute_child  # type: ignore[attr-defined]

    def start(popen: Any, command: Any, *others: Any) -> None:
        cold(popen, seeded(command), *others)

    subprocess.Popen._execute_child = start  # type: ignore[attr-defined]


def seeded(command: Any) -> Any:
    """The command of one of our programs, led through this module."""
    if not isinstance(command, Sequence) or isinstance(command, str | bytes):
        return command
    words = [*command]
    python = words.index(sys.executable) if sys.executable in words else len(words)
    if "-m" not in words[python : python + 4]:
        return command
    at = words.index("-m", python) + 1
    if not words[at].startswith(_STARTED):
        return command
    given = (CHANCE.next_program(), str(LATE.most_s * 1000))
    return [*words[:at], __spec__.name, *given, *words[at:]]


def main() -> None:
    _, given, late_ms, module, *arguments = sys.argv
    # Run as a program this module is `__main__`: its twin is the one that others import.
    from tests.stage import chance

    chance.seed(given, float(late_ms))
    LATE.begin()
    sys.argv = [module, *arguments]
    runpy._run_module_as_main(module)  # type: ignore[attr-defined]


if __name__ == "__main__":
    main()
