"""What a guest's process may use: one that spins or swells is ended, alone."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from clocktowers_tui.guest.idle import Idle
from protocol.guests import HOUSE_VARIABLE, House

_BEGIN = """
import os, time
from clocktowers_tui.guest import settling
settling.CPU_S = 1
house = settling.settled()
assert house is not None and os.environ["HOME"] == house.home
assert "XDG_STATE_HOME" not in os.environ and "CLOCKTOWERS_HOUSE" not in os.environ
allowance = settling.Allowance()
"""


def run(program: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    told = House("nowhere", str(folder), "192.0.2.7", b"\1" * 32)
    environ = {
        **os.environ,
        HOUSE_VARIABLE: msgspec.json.encode(told).decode(),
        "XDG_STATE_HOME": "elsewhere",
    }
    command = [sys.executable, "-P", "-c", _BEGIN + program]
    return subprocess.run(
        command, env=environ, capture_output=True, text=True, timeout=120, check=False
    )


def test_a_guest_that_swells_gets_no_more(tmp_path: Path) -> None:
    grown = run("bytearray(300 << 20)", tmp_path)
    assert grown.returncode == 1 and "MemoryError" in grown.stderr
    assert run("bytearray(50 << 20)", tmp_path).returncode == 0


def test_a_guest_writes_no_large_file(tmp_path: Path) -> None:
    file = tmp_path / "large"
    assert run(f"open({str(file)!r}, 'wb').write(bytes(8 << 20))", tmp_path).returncode == 1
    assert file.stat().st_size <= 4 << 20


@pytest.mark.soak
def test_a_guest_that_spins_is_ended(tmp_path: Path) -> None:
    """Also one that asks for more in time. One that mostly waits is not."""
    for spins in ("while True: pass", "while True: allowance.renew()"):
        assert run(spins, tmp_path).returncode == -signal.SIGXCPU
    waits = "for _ in range(3): time.sleep(0.1); allowance.renew()"
    assert run(waits, tmp_path).returncode == 0


def test_without_a_door_s_word_nothing_starts() -> None:
    command = [sys.executable, "-P", "-m", "clocktowers_tui", "guest"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2 and "only a door of a server starts this" in done.stderr


def test_the_end_is_told_once_and_a_key_puts_it_off(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = 0.0
    monkeypatch.setattr("clocktowers_tui.guest.idle.time.monotonic", lambda: now_s)
    idle = Idle(600)
    now_s = 539.0
    assert not idle.warns()
    now_s = 540.0
    assert idle.warns() and not idle.warns() and not idle.over
    idle.heard()
    now_s = 1139.0
    assert idle.warns() and not idle.over
    now_s = 1140.0
    assert idle.over
