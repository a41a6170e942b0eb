"""A process that has imported a package, and forks programs when asked to: `python -P -m
tests.stage.forking SOCKET PACKAGE`; `tests.stage.warm` asks.

What it forks is not its own child but a child of the process that started it: signals, exit codes
and used time reach the tests as if they had started Python.
"""

import ctypes
import fcntl
import gc
import io
import json
import os
import re
import runpy
import socket
import sys
import termios
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, Final, NamedTuple
from wsgiref import handlers

from tests.stage.chance import seed
from tests.stage.late import LATE

REQUEST_BYTES: Final = 1 << 17
_CLONE3: Final = 435
"""The number of the system call, on every machine."""
_CLONE_PARENT: Final = 0x8000


class Request(NamedTuple):
    """Run `module` in this folder; its descriptors 0 to 2 come with the message. `session`: in one
    of its own, which `terminal` lets descriptor 0 control. `seed`: of all that it draws; `late_ms`:
    how late what it waits for may come."""

    module: str
    arguments: list[str]
    environ: dict[str, str]
    folder: str
    session: bool
    terminal: bool
    seed: str
    late_ms: float


_NEED_MORE: Final = re.compile(
    r"\.(__main__|guests\.ssh|store\.(postgres|connecting|fenced)|nodes\..*)$"
)


class _Noting(type(os.environ)):  # type: ignore[misc]
    """An environment that knows what was read from it."""

    names: Final[set[str]] = set()

    def __getitem__(self, name: str) -> Any:
        self.names.add(name)
        return super().__getitem__(name)


class _CloneArguments(ctypes.Structure):
    _fields_ = [(f"field_{number}", ctypes.c_uint64) for number in range(8)]


def import_all(package: str) -> set[str]:
    """All modules but those that are programs, or need a library of a door's or another database's;
    returns the variables that were read meanwhile."""
    plain = type(os.environ)
    os.environ.__class__ = _Noting
    for module in walk_packages(import_module(package).__path__, f"{package}."):
        if not _NEED_MORE.search(module.name):
            import_module(module.name)
    os.environ.__class__ = plain
    return _Noting.names


def fork() -> int:
    """`os.fork`, but a child of our parent's. Below 0: this system does not do that."""
    python, system = ctypes.pythonapi, ctypes.PyDLL(None)  # `CDLL` would let go of Python's lock
    arguments = _CloneArguments(_CLONE_PARENT)
    python.PyOS_BeforeFork()
    pid = int(system.syscall(_CLONE3, ctypes.byref(arguments), ctypes.sizeof(arguments)))
    after = python.PyOS_AfterFork_Parent if pid else python.PyOS_AfterFork_Child
    after()
    return pid


def become(request: Request, descriptors: list[int]) -> None:
    """Take on everything that a new process has and a forked one has not."""
    for place, descriptor in enumerate(descriptors):
        os.dup2(descriptor, place)
        os.close(descriptor)
    if request.session:
        os.setsid()
    if request.terminal:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    os.chdir(request.folder)
    coerced = {"LC_CTYPE": os.environ["LC_CTYPE"]} if "LC_CTYPE" in os.environ else {}
    os.environ.clear()
    os.environ.update(request.environ | coerced)  # Python sets it for itself where there is none
    # The only import of ours that copies all of it.
    handlers.BaseHandler.os_environ = handlers.read_environ()
    sys.argv = [request.module, *request.arguments]
    sys.orig_argv = [sys.executable, "-P", "-m", *sys.argv]
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream = _stream(number, getattr(sys, name))
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _stream(number: int, before: io.TextIOWrapper) -> io.TextIOWrapper:
    """As Python opens it, which looks whether there is a terminal."""
    at_once = before.write_through
    return io.TextIOWrapper(
        open(number, before.mode + "b", 0 if at_once and number else -1, closefd=False),
        before.encoding,
        before.errors,
        line_buffering=not at_once and (number == 2 or os.isatty(number)),
        write_through=at_once,
    )


def main() -> None:
    """Forks until nobody can ask any more; what it forks goes on behind that."""
    asker = socket.socket(fileno=int(sys.argv[1]))
    asker.send(json.dumps([*import_all(sys.argv[2])]).encode())
    gc.collect()
    gc.freeze()
    while True:
        message, descriptors, _flags, _address = socket.recv_fds(asker, REQUEST_BYTES, 3)
        if not message:
            return
        pid = fork()
        if pid == 0:
            break
        for descriptor in descriptors:
            os.close(descriptor)
        asker.send(str(pid).encode())
    asker.close()
    request = Request(*json.loads(message))
    become(request, descriptors)
    seed(request.seed, request.late_ms)
    LATE.begin()
    # The function that `python -m` calls.
    runpy._run_module_as_main(request.module)  # type: ignore[attr-defined]


if __name__ == "__main__":
    main()
