"""What all commands share: how they end, what they print, and which server's folder is meant.

Law: a command ends without a traceback when its output cannot be written, its reader leaves, or
somebody stops it.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn

CANNOT = 2
"""Exit code: the command could not be done as asked."""


def quietly(work: Callable[[], int]) -> int:
    """Run `work`, which answers for the files that it opens. Returns its exit code; the one that
    shells use for a broken pipe or Ctrl-C; or 2, after a sentence: the output's disk is full."""
    try:
        code = work()
        sys.stdout.flush()
    except BrokenPipeError:
        _forget_stdout()
        return 128 + signal.SIGPIPE
    except OSError as error:
        if error.filename is not None:
            raise
        _forget_stdout()
        print(f"clocktowers-server: cannot write the output: {error.strerror}", file=sys.stderr)
        return CANNOT
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    return code


@contextmanager
def tidy_when_terminated() -> Iterator[None]:
    """A request to end (SIGTERM) leaves this block as Ctrl-C does: through every `finally`."""
    before = signal.signal(signal.SIGTERM, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _leave(number: int, _frame: object) -> NoReturn:
    raise SystemExit(128 + number)


def _forget_stdout() -> None:
    """Drop what Python still holds for a reader who left; writing it at exit would fail again,
    loudly."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def refused(command: str, why: str) -> int:
    """Print one sentence on stderr; return the exit code for it."""
    print(f"clocktowers-server {command}: {why}", file=sys.stderr)
    return CANNOT
