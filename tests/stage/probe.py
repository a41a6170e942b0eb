"""A program that says what it finds itself in: `python -P -m tests.stage.probe HOW`, and then ends
in this way."""

import asyncio
import atexit
import json
import os
import resource
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any


def found() -> dict[str, Any]:
    """Everything that a test can have given it, and what Python makes of that."""
    streams: tuple[Any, ...] = (sys.stdin, sys.stdout, sys.stderr)
    files = [int(file.name) for file in Path("/proc/self/fd").iterdir()]
    limits = [name for name in dir(resource) if name.startswith("RLIMIT_")]
    with suppress(RuntimeError):
        asyncio.get_running_loop()
        raise AssertionError("its loop is not its own")
    return {
        "arguments": sys.argv,
        "original": sys.orig_argv[1:],
        "name": __name__,
        "environment": dict(os.environ),
        "folder": str(Path.cwd()),
        "path": sys.path,
        "flags": str(sys.flags),
        "descriptors": sorted(file for file in files if file < 3),
        "others": sum(1 for file in files if file >= 3 and Path(f"/proc/self/fd/{file}").exists()),
        "parent": os.getppid(),
        "leads": os.getpid() == os.getsid(0) == os.getpgid(0),
        "terminals": [stream.isatty() for stream in streams],
        "in front": os.isatty(0) and os.tcgetpgrp(0) == os.getpgid(0),
        "streams": [
            (it.encoding, it.errors, it.line_buffering, it.write_through) for it in streams
        ],
        "same": [sys.stdin is sys.__stdin__, sys.stdout is sys.__stdout__],
        "signals": [str(signal.getsignal(number)) for number in signal.valid_signals()],
        "blocked": [str(number) for number in signal.pthread_sigmask(signal.SIG_BLOCK, [])],
        "limits": [resource.getrlimit(getattr(resource, name)) for name in limits],
        "threads": [str(thread.name) for thread in threading.enumerate()],
        "main": threading.current_thread() is threading.main_thread(),
    }


def main(how: str) -> None:
    atexit.register(print, "goodbye")
    print(json.dumps(found()), flush=True)
    # What forks has imported it.
    print("warm" if "ctypes" in sys.modules else "cold", flush=True)
    said = sys.stdin.readline()
    match how:
        case "code":
            sys.exit(int(said))
        case "error":
            raise ValueError(said)
        case "thread":
            threading.Thread(target=print, args=("from a thread",)).start()
        case "loop":
            asyncio.run(asyncio.sleep(60))


if __name__ == "__main__":
    main(sys.argv[1])
