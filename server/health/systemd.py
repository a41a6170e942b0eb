"""What a server tells systemd, or another service manager that speaks its protocol: datagrams to
the socket that `NOTIFY_SOCKET` names (sd_notify(3)).

Law: the server goes on whatever becomes of that socket, and never waits for it.
"""

import os
import socket
from collections.abc import Mapping
from contextlib import suppress
from typing import Final


class ServiceManager:
    """Made from the environment; without `NOTIFY_SOCKET` nobody is told anything."""

    def __init__(self, env: Mapping[str, str]) -> None:
        address = env.get("NOTIFY_SOCKET", "")
        # "@" stands for the NUL byte with which the name of an abstract socket begins.
        self._address: Final = "\0" + address[1:] if address.startswith("@") else address
        self.watchdog_s: Final = _watchdog_s(env) if address else None
        """How often the server has to say that it turns; None: never."""
        self._said = ""

    def ready(self, status: str) -> None:
        """The sockets listen, and the matches go on."""
        self._tell("READY=1", f"STATUS={status}")
        self._said = status

    def turns(self, status: str) -> None:
        """The loop turns. `status`: one line for people."""
        self._tell("WATCHDOG=1", *([f"STATUS={status}"] if status != self._said else []))
        self._said = status

    def stopping(self) -> None:
        self._tell("STOPPING=1", "STATUS=stopping")

    def _tell(self, *lines: str) -> None:
        if not self._address:
            return
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sending:
            sending.setblocking(False)
            sending.sendto("\n".join(lines).encode(), self._address)


def _watchdog_s(env: Mapping[str, str]) -> float | None:
    """As in sd_watchdog_enabled(3): it may be meant for another process."""
    meant = env.get("WATCHDOG_PID", "")
    if meant and meant != str(os.getpid()):
        return None
    try:
        microseconds = int(env.get("WATCHDOG_USEC", "0"))
    except ValueError:
        return None
    return microseconds / 1e6 if microseconds > 0 else None
