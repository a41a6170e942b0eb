"""`.ci/twice`: a test that fails once and passes alone is named; a broken one fails the run."""

import subprocess
import sys
from pathlib import Path

import pytest

TWICE = Path(__file__).resolve().parents[2] / ".ci" / "twice"
STEADY = "def test_steady(): pass\n"
BROKEN = "def test_broken(): assert False\n"
UNSTEADY = """
import pathlib, pytest
@pytest.mark.parametrize("number", range({}))
def test_unsteady(number, pytestconfig):
    once = pytestconfig.rootpath / f"failed-{{number}}"
    if not once.exists():
        once.touch()
        raise AssertionError
"""


@pytest.mark.soak
@pytest.mark.parametrize(
    ("tests", "passes", "named"),
    [
        (STEADY, True, 0),
        (STEADY + UNSTEADY.format(8), True, 8),
        (STEADY + UNSTEADY.format(9), False, 0),
        (UNSTEADY.format(1) + BROKEN, False, 0),
        ("import nothing_of_that_name\n", False, 0),
    ],
    ids=["steady", "eight unsteady", "too many", "one is broken", "not collected"],
)
def test_up_to_eight_tests_may_pass_at_the_second_try(
    tmp_path: Path, tests: str, passes: bool, named: int
) -> None:
    (tmp_path / "pytest.ini").touch()
    (tmp_path / "test_it.py").write_text(tests)
    pytest_twice = ["sh", str(TWICE), sys.executable, "-P", "-m", "pytest", "-q", "-n", "2"]
    run = subprocess.run(pytest_twice, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert (run.returncode == 0) == passes, run.stdout
    assert run.stdout.count("UNSTEADY: ") == named
