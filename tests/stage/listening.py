"""Reads on which port a server listens that was told `--port 0`."""

import re
import subprocess
import time
from pathlib import Path
from typing import Final

# Whatever the layout of the line: an address of this machine, a colon, a port.
_ADDRESS: Final = re.compile(r"(?:127\.0\.0\.1|localhost|0\.0\.0\.0|\[::1?\])\D{1,12}?(\d{2,5})\b")
_POLL_S: Final = 0.05


def port_of(server: "subprocess.Popen[bytes]", log: Path, within_s: float) -> int | None:
    """The port, or None when the server ended or said nothing in time. `log` takes its output."""
    end_at = time.monotonic() + within_s
    while time.monotonic() < end_at:
        ended = server.poll() is not None
        port = port_in(log.read_text(errors="replace"))
        if port is not None or ended:
            return port
        time.sleep(_POLL_S)
    return None


def port_in(said: str) -> int | None:
    """The port in the first complete line that names an address of this machine."""
    for line in said.splitlines(keepends=True):
        found = _ADDRESS.search(line)
        if found and line.endswith("\n"):
            return int(found[1])
    return None
