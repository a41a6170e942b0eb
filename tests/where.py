"""Where the tests' processor time goes: `python -m tests.where [pytest arguments]`, a line for each
file with what its tests used themselves and what the processes used that they started.

Measures seconds of the processor instead of the clock's, which say little on a busy machine.
"""

import os
import sys
from collections import Counter, defaultdict
from collections.abc import Generator, Iterator
from typing import Any, Final, NamedTuple

import pytest

MOST_LINES: Final = 40
_KEY: Final = "processor_s"


class Used(NamedTuple):
    """Seconds so far: this process, and those processes of its that have ended."""

    own_s: float
    children_s: float

    @classmethod
    def now(cls) -> "Used":
        times = os.times()
        return cls(times.user + times.system, times.children_user + times.children_system)


class Meter:
    """Adds to each report what was used since the one before; in every process of xdist."""

    def __init__(self) -> None:
        self._mark = Used.now()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self) -> None:
        self._mark = Used.now()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        now = Used.now()
        used = (now.own_s - self._mark.own_s, now.children_s - self._mark.children_s)
        report.user_properties = [*report.user_properties, (_KEY, used)]
        self._mark = now
        return report


class Tally:
    """Sums the reports by file."""

    def __init__(self) -> None:
        self.files: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
        self.tests: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        file = report.nodeid.partition("::")[0]
        self.tests[file] += report.when == "setup"
        for key, value in report.user_properties:
            if key == _KEY and isinstance(value, tuple | list):
                for kind, seconds in enumerate(value):
                    self.files[file][kind] += seconds

    def lines(self) -> Iterator[str]:
        yield f"{'tests':>6} {'own s':>8} {'started s':>9}"
        most = sorted(self.files, key=lambda file: -sum(self.files[file]))
        for file in most[:MOST_LINES]:
            own_s, children_s = self.files[file]
            yield f"{self.tests[file]:6} {own_s:8.2f} {children_s:9.2f}  {file}"
        own_s, children_s = (sum(used[kind] for used in self.files.values()) for kind in (0, 1))
        yield f"{self.tests.total():6} {own_s:8.2f} {children_s:9.2f}  in tests"


def pytest_configure(config: pytest.Config) -> None:
    """As a plugin: every process measures; the one that was started by hand sums."""
    config.pluginmanager.register(Meter())
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Tally(), "tally")


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    tally = config.pluginmanager.get_plugin("tally")
    assert isinstance(tally, Tally)
    for line in tally.lines():
        terminalreporter.write_line(line)


def main() -> int:
    code = pytest.main(["-p", "tests.where", *sys.argv[1:]])
    now = Used.now()
    print(f"with collection and workers: {now.own_s + now.children_s:.1f} s of processor time")
    return code


if __name__ == "__main__":
    sys.exit(main())
