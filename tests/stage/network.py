"""A cable between two machines, which are namespaces of their own: nothing that is said there
reaches a real network.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Final

import pytest

_NUMBERS: Final = count()
_IPV6: Final = ("-6", "addr", "add")


class Machine:
    """`enter` before a command runs it there. `ipv4`, `ipv6`: its addresses on the cable."""

    def __init__(self, number: int) -> None:
        self.name: Final = f"clocktowers-{os.getpid()}-{next(_NUMBERS)}"
        self.enter: Final = ("ip", "netns", "exec", self.name)
        self.ipv4: Final = f"10.77.0.{number}"
        self.ipv6: Final = f"fe80::{number}"

    def ip(self, *command: str) -> None:
        run("ip", "-n", self.name, *command)


def run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, timeout=30)


@contextmanager
def cable(*, ipv4: bool = True) -> Iterator[tuple[Machine, Machine]]:
    """Two machines that have each other's addresses only: IPv6 of the cable, and IPv4."""
    one, other = ends = Machine(1), Machine(2)
    try:
        run("ip", "netns", "add", one.name)
    except subprocess.CalledProcessError:
        pytest.skip("this machine lets nobody make networks")
    try:
        run("ip", "netns", "add", other.name)
        peer = ("peer", "name", "lan0", "netns", other.name)
        run("ip", "link", "add", "lan0", "netns", one.name, "type", "veth", *peer)
        for end in ends:
            end.ip("link", "set", "lo", "up")
            end.ip("link", "set", "lan0", "addrgenmode", "none")
            end.ip("link", "set", "lan0", "up")
            end.ip(*_IPV6, f"{end.ipv6}/64", "dev", "lan0", "nodad")
            if ipv4:
                end.ip("addr", "add", f"{end.ipv4}/24", "dev", "lan0")
        yield ends
    finally:
        for end in ends:
            delete = ("ip", "netns", "delete", end.name)
            subprocess.run(delete, capture_output=True, check=False, timeout=30)


needs_networks = pytest.mark.skipif(
    os.getuid() != 0 or shutil.which("ip") is None,
    reason="needs root and `ip netns`, for networks that reach no real one",
)
