"""Machines that are network namespaces, joined by a switch: nothing that is said there
reaches a real network. What is said to a machine can be made to vanish.
"""

import ctypes
import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Final, TypeVar

import pytest

T = TypeVar("T")

NOBODY: Final = "02:00:00:00:00:01"
"""No interface has this address: what is sent there vanishes."""
_NEWNET: Final = 0x40000000
"""The flag of `setns` for networks."""
_NUMBERS: Final = count()


class Machine:
    """`enter` before a command runs it there. `ipv4`, `ipv6`: its addresses."""

    def __init__(self, number: int) -> None:
        self.name: Final = f"clocktowers-{os.getpid()}-{next(_NUMBERS)}"
        self.enter: Final = ("ip", "netns", "exec", self.name)
        self.ipv4: Final = f"10.77.0.{number}"
        self.ipv6: Final = f"fe80::{number}"

    def ip(self, *command: str) -> None:
        run("ip", "-n", self.name, *command)

    @contextmanager
    def here(self) -> Iterator[None]:
        """Sockets that this thread makes, and processes that it starts, are this machine's."""
        outside, inside = Path("/proc/thread-self/ns/net"), Path(f"/run/netns/{self.name}")
        with outside.open() as there, inside.open() as here:
            try:
                assert ctypes.CDLL(None).setns(here.fileno(), _NEWNET) == 0
                yield
            finally:
                assert ctypes.CDLL(None).setns(there.fileno(), _NEWNET) == 0

    def on(self, work: Callable[[], T]) -> T:
        """What the work comes to here."""
        with self.here():
            return work()

    def socket(self) -> socket.socket:
        """For TCP, of this machine, in any loop."""
        made = self.on(socket.socket)
        made.setblocking(False)
        return made

    def delete(self) -> None:
        """Also one that was never made."""
        delete = ("ip", "netns", "delete", self.name)
        subprocess.run(delete, capture_output=True, check=False, timeout=30)


class Switch:
    """It joins `machines` by IPv6 and, unless it is told not to, by IPv4."""

    def __init__(self, machines: Sequence[Machine], *, ipv4: bool = True) -> None:
        self._machines: Final = machines
        self._ipv4: Final = ipv4
        self._own: Final = Machine(0)

    def make(self) -> None:
        try:
            run("ip", "netns", "add", self._own.name)
        except subprocess.CalledProcessError:
            pytest.skip("this machine lets nobody make networks")
        self._own.ip("link", "add", "switch", "up", "type", "bridge")
        for machine in self._machines:
            run("ip", "netns", "add", machine.name)
            peer = ("peer", "name", "lan0", "netns", machine.name)
            self._own.ip("link", "add", self._port(machine), "type", "veth", *peer)
            self._own.ip("link", "set", self._port(machine), "master", "switch", "up")
            machine.ip("link", "set", "lan0", "addrgenmode", "none")
            for one in ("lo", "lan0"):
                machine.ip("link", "set", one, "up")
            machine.ip("-6", "addr", "add", f"{machine.ipv6}/64", "dev", "lan0", "nodad")
            if self._ipv4:
                machine.ip("addr", "add", f"{machine.ipv4}/24", "dev", "lan0")

    def delete(self) -> None:
        for machine in (*self._machines, self._own):
            machine.delete()

    def _port(self, machine: Machine) -> str:
        return f"port{self._machines.index(machine)}"

    def vanish(self, machine: Machine) -> None:
        """Nothing comes from there or gets there any more, and nobody is told."""
        self._own.ip("link", "set", self._port(machine), "nomaster")

    def cut(self, one: Machine, other: Machine) -> None:
        """What these two send to each other vanishes; both reach all others."""
        for here, there in ((one, other), (other, one)):
            dead = ("lladdr", NOBODY, "dev", "lan0", "nud", "permanent")
            here.ip("neigh", "replace", there.ipv4, *dead)

    def mend(self, one: Machine, other: Machine) -> None:
        """After `cut`."""
        for here, there in ((one, other), (other, one)):
            here.ip("neigh", "del", there.ipv4, "dev", "lan0")


@contextmanager
def switch(machines: int, *, ipv4: bool = True) -> Iterator[tuple[Switch, list[Machine]]]:
    """So many machines on one."""
    made = [Machine(number + 1) for number in range(machines)]
    joined = Switch(made, ipv4=ipv4)
    try:
        joined.make()
        yield joined, made
    finally:
        joined.delete()


def run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, timeout=30)


@contextmanager
def cable(*, ipv4: bool = True) -> Iterator[tuple[Machine, Machine]]:
    """Two machines that reach nobody but each other."""
    with switch(2, ipv4=ipv4) as (_joined, (one, other)):
        yield one, other


needs_networks = pytest.mark.skipif(
    os.getuid() != 0 or shutil.which("ip") is None,
    reason="needs root and `ip netns`, for networks that reach no real one",
)
