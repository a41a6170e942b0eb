"""Processor time is counted for the file that used it, in this process and in those it starts."""

import subprocess
import sys
import time

import pytest

from tests.where import Meter, Tally


def report(file: str, when: str) -> pytest.TestReport:
    return pytest.TestReport(f"{file}::test", (file, 0, "test"), {}, "passed", None, when)  # type: ignore[arg-type]


def measured(meter: Meter, file: str, when: str) -> pytest.TestReport:
    measuring = meter.pytest_runtest_makereport()
    next(measuring)
    try:
        measuring.send(report(file, when))
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]
    raise AssertionError("the hook yields once")


def burn() -> None:
    until = time.process_time() + 0.05
    while time.process_time() < until:
        pass


def test_each_file_gets_what_it_used() -> None:
    meter, tally = Meter(), Tally()
    meter.pytest_runtest_logstart()
    burn()
    tally.pytest_runtest_logreport(measured(meter, "busy.py", "setup"))
    subprocess.run([sys.executable, "-S", "-c", "sum(range(500_000))"], check=True)
    tally.pytest_runtest_logreport(measured(meter, "starts.py", "setup"))
    assert tally.files["busy.py"][0] >= 0.03 and tally.files["busy.py"][1] == 0
    assert tally.files["starts.py"][1] > 0
    assert [line.split()[-1] for line in tally.lines()][-1] == "tests"
    assert tally.tests == {"busy.py": 1, "starts.py": 1}
