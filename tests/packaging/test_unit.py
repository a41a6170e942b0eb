"""The systemd unit: systemd finds no fault with it, and little that an intruder could reach."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from server.settings import load

UNIT: Final = Path(__file__).parents[2] / "packaging" / "clocktowers.service"
EXPOSURE: Final = 15
"""In tenths: what `systemd-analyze security` may find at most."""

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None,
    reason="systemd-analyze is not installed (Debian: apt-get install systemd)",
)


def analyze(*args: str) -> "subprocess.CompletedProcess[str]":
    command = ("systemd-analyze", "--no-pager", *args)
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The unit, with the program of this checkout."""
    unit = tmp_path / UNIT.name
    programs = tmp_path / "bin"
    programs.symlink_to(Path(sys.executable).parent)  # where there may be blanks on the way
    unit.write_text(UNIT.read_text().replace("/usr/local/lib/clocktowers/bin", str(programs)))
    return unit


@needs_systemd
def test_systemd_understands_it(installed: Path) -> None:
    found = analyze("verify", str(installed))
    assert (found.returncode, found.stderr) == (0, "")
    installed.write_text(installed.read_text().replace("WatchdogSec", "WatchdogSecs"))
    assert "WatchdogSecs" in analyze("verify", str(installed)).stderr


@needs_systemd
def test_it_is_shut_in(tmp_path: Path) -> None:
    if "--offline" not in analyze("--help").stdout:
        pytest.skip("this systemd-analyze cannot judge a file (it can from version 250 on)")
    command = ("security", "--offline=yes", f"--threshold={EXPOSURE}")
    found = analyze(*command, str(UNIT))
    assert found.returncode == 0, found.stdout
    open_wide = tmp_path / UNIT.name
    open_wide.write_text(re.sub(r"^(SystemCall|Protect).*\n", "", UNIT.read_text(), flags=re.M))
    assert analyze(*command, str(open_wide)).returncode != 0


def test_its_variables_are_settings() -> None:
    text = UNIT.read_text().replace("%S", "/var/lib")
    env = dict(re.findall(r"^Environment=(\w+)=(.*)$", text, flags=re.M))
    config = load(None, env, {})
    assert (config.state, config.host) == ("/var/lib/clocktowers", ("0.0.0.0", "::"))
