"""Each test runs once, in one of the workers; one that ends its worker fails, and none is lost."""

import subprocess
import sys
from pathlib import Path

SESSION = """
import os, pytest

@pytest.fixture(autouse=True, scope="session")
def whole(request):
    yield
    with open(request.config.rootpath / "ended", "a") as file:
        file.write("x")
"""
GOOD = """
import os, warnings, pytest

warnings.warn("while it is collected")

@pytest.mark.parametrize("number", range(3))
def test_it(number, tmp_path):
    (tmp_path / "x").touch()

def test_warned():
    warnings.warn("be careful")

def test_wrong():
    assert os.getpid() == 1
"""
BAD = """
import os

def test_before():
    pass

def test_ends():
    os._exit(7)

def test_after():
    pass
"""


def test_all_run_and_all_that_is_lost_is_told(tmp_path: Path) -> None:
    files = {"conftest": SESSION, "test_good": GOOD, "test_other": GOOD, "test_bad": BAD}
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(text)
    command = [sys.executable, "-P", "-m", "pytest", "-p", "tests.stage.forks", "--forks", "2"]
    command += ["-c", "/dev/null", "--rootdir", ".", "-p", "no:hypothesispytest", "-rf", "."]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert "4 failed, 9 passed, 4 warnings" in run.stdout, run.stdout
    for test in ("test_ends", "test_after"):
        assert f"FAILED test_bad.py::{test} - its process ended with 7" in run.stdout
    assert "assert os.getpid() == 1" in run.stdout and "be careful" in run.stdout
    assert run.returncode == 1
    assert (tmp_path / "ended").read_text() == "x", "the other worker ends its fixtures, once"
