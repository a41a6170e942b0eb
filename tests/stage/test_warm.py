"""A program that tests start warm is as if it were started cold, in everything they rely on."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from tests.stage.pseudo_terminal import PseudoTerminal, start as started_cold

PROBE: Final = (sys.executable, "-P", "-m", "tests.stage.probe")
COLD: Final[Mapping[str, Any]] = {"executable": sys.executable}
"""What Python does anyway; but it is unusual to say so."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere all starts are cold")


class Run(NamedTuple):
    """`found`: see the probe."""

    found: dict[str, Any]
    start: str
    code: int
    rest: str
    errors: str


def run(how: str, said: str = "", number: int = 0, **options: Any) -> Run:
    """The probe, which is told something, or sent this signal."""
    # What C put into our environment, as readline does, Python does not know.
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    options = {**pipes, "env": {**os.environ}, **options}
    with subprocess.Popen([*PROBE, how], text=True, **options) as process:
        assert process.stdout is not None
        found, temperature = json.loads(process.stdout.readline()), process.stdout.readline()
        assert found["parent"] == os.getpid()
        if number:
            process.send_signal(number)
        rest, errors = process.communicate(said, timeout=60)
    return Run(found, temperature.strip(), process.returncode, rest, errors or "")


def test_it_finds_what_it_would_find_cold(tmp_path: Path) -> None:
    for options in (
        {},
        {"start_new_session": True, "cwd": tmp_path, "stderr": subprocess.STDOUT},
        {"env": os.environ | {"HOME": str(tmp_path), "ODD": "\udcff"}},
    ):
        warm, cold = run("", **options), run("", **options, **COLD)
        assert (warm.start, cold.start) == ("warm", "cold")
        assert warm.found == cold.found
    assert warm.found["environment"]["ODD"] == "\udcff"
    assert run("other").found != warm.found, "the control: it would have told a difference"


@pytest.mark.parametrize(
    ("how", "said", "number", "code"),
    [
        ("code", "7\n", 0, 7),
        ("error", "on purpose\n", 0, 1),
        ("thread", "\n", 0, 0),
        ("waits", "", signal.SIGINT, -signal.SIGINT),
        ("waits", "", signal.SIGTERM, -signal.SIGTERM),
        ("loop", "\n", signal.SIGINT, -signal.SIGINT),
    ],
)
def test_it_ends_as_it_would_end_cold(how: str, said: str, number: int, code: int) -> None:
    warm, cold = run(how, said, number), run(how, said, number, **COLD)
    assert (warm.start, cold.start) == ("warm", "cold")
    assert (warm.code, warm.rest) == (cold.code, cold.rest)
    assert warm.code == code
    assert warm.errors.splitlines()[-1:] == cold.errors.splitlines()[-1:]


async def test_its_terminal_is_its_own(tmp_path: Path) -> None:
    """And Ctrl+C reaches it there."""
    environ = os.environ | {"TERM": "xterm", "HOME": str(tmp_path)}
    ends: list[tuple[dict[str, Any], int, list[Any]]] = []
    for start in (PseudoTerminal.run_program, cold_terminal):
        async with start((*PROBE, ""), environ, 80, 24) as terminal:
            await terminal.says(b"\ncold\r\n" if ends else b"\nwarm\r\n")
            found = json.loads(terminal.painted.splitlines()[0])
            del found["others"]  # `pty.fork` leaves open what pytest opened
            terminal.press("\x03")
            ends.append((found, await terminal.ends(), terminal.attributes()))
    warm, cold = ends
    assert warm == cold
    assert warm[0]["terminals"] == [True] * 3 and warm[0]["in front"] and warm[1] == -signal.SIGINT


def cold_terminal(*given: Any) -> PseudoTerminal:
    return PseudoTerminal(*started_cold(*given), *given[2:])


@pytest.mark.parametrize(
    ("environ", "start"),
    [
        ({"XDG_STATE_HOME": "/x"}, "warm"),
        ({"PYTHONIOENCODING": "latin-1"}, "cold"),
        ({"LC_ALL": "C"}, "cold"),
    ],
)
def test_what_python_and_the_imports_read_decides(environ: dict[str, str], start: str) -> None:
    assert run("", env=os.environ | environ).start == start
