"""`clocktowers-server verify`: replay match records and say what is wrong with them.

Exit code: 2 when a line is no record or a file cannot be read, else 1 when a record is wrong, else
0. Each line gets at most one report; the last line printed says how many records are right.
"""

import argparse
import io
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Final

from protocol.text import clean
from server.cli.endings import CANNOT, quietly
from server.games.registry import GAMES
from server.recording.check import BadRecord, check
from server.recording.records import MAX_LINE_BYTES, NotARecord, read

STDIN: Final = "-"
WRONG: Final = 1
_MOST_SAID: Final = 300


class Unreadable(Exception):
    """A file that cannot be opened or read; the text says why."""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "verify",
        help="replay match records and check every ply",
        description="Checks match records: one JSON object a line.",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="- is standard input")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """0, 1 or 2 as the module's docstring says."""
    return quietly(lambda: _verify(args.files))


def _verify(names: list[str]) -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Go on when the terminal cannot show a character of a file's name.
        sys.stdout.reconfigure(errors="backslashreplace")
    agree, code = 0, 0
    for name in names:
        for verdict in _verdicts(name):
            agree += verdict == 0
            code = max(code, verdict)
    print(f"{agree} records agree")
    return code


def _verdicts(name: str) -> Iterator[int]:
    """Report on each line of a file and yield its exit code; one more if it cannot be read."""
    shown = printable(name)
    try:
        for number, line in enumerate(_lines(name), 1):
            yield _verdict(f"{shown}:{number}", line)
    except Unreadable as error:
        print(f"{shown}: {error}")
        yield CANNOT


def _lines(name: str) -> Iterator[bytes]:
    """The lines without their ends. A line that is too long is cut just past the limit."""
    try:
        with nullcontext(sys.stdin.buffer) if name == STDIN else Path(name).open("rb") as file:
            while line := file.readline(MAX_LINE_BYTES + 2):
                rest = line
                while not rest.endswith(b"\n") and (rest := file.readline(MAX_LINE_BYTES)):
                    pass
                yield line.removesuffix(b"\n")
    except (OSError, ValueError) as error:
        # ValueError: the name has a zero byte in it.
        raise Unreadable(f"cannot be read: {getattr(error, 'strerror', error)}") from None


def _verdict(where: str, line: bytes) -> int:
    try:
        check(read(line, GAMES))
    except NotARecord as error:
        return _report(CANNOT, where, "setup", str(error))
    except BadRecord as error:
        return _report(WRONG, where, error.place, error.why)
    except Exception as error:
        # A bug of ours, but a user who checks a thousand records must hear about the other 999.
        return _report(
            WRONG, where, "setup", f"the verifier failed here, please report it: {error!r}"
        )
    return 0


def _report(verdict: int, where: str, place: str, why: str) -> int:
    said = clean(why)
    print(f"{where}: {place}: {said if len(said) <= _MOST_SAID else said[:_MOST_SAID] + '…'}")
    return verdict


def printable(name: str) -> str:
    """A file's name on one line, without characters that act on a terminal."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in name)
