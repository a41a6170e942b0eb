"""`clocktowers-server verify`: replay match records and say what is wrong with them.

Exit code: 2 when a line is no record or a file cannot be read, else 1 when a record is wrong, else
0. Each record gets at most one report, a match in notation one for each line that is wrong; the
last line printed says how many matches are right.
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
from server.recording.files import Verdict, checked
from server.recording.notation import MatchFault, Noted
from server.speaking import _

STDIN: Final = "-"
WRONG: Final = 1
_MOST_SAID: Final = 300


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "verify",
        help=_("replay match records and check every ply"),
        description=_(
            "Checks match records: one JSON object a line, or notation, one line a move."
        ),
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help=_("- is standard input"))
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
        shown = printable(name)
        for verdict in _verdicts(name):
            match verdict:
                case Noted():
                    agree += 1
                case MatchFault():
                    code = max(code, _report(shown, verdict))
                case why:
                    print(f"{shown}: cannot be read: {why}")
                    code = CANNOT
    print(f"{agree} records agree")
    return code


def _verdicts(name: str) -> Iterator[Verdict | str]:
    """On each match of a file; then why no more of it can be read, if so. What goes wrong with the
    output is raised where it is written, and never blamed on the file."""
    try:
        with nullcontext(sys.stdin.buffer) if name == STDIN else Path(name).open("rb") as file:
            yield from checked(file)
    except (OSError, ValueError) as error:
        # ValueError: the name has a zero byte in it.
        yield str(getattr(error, "strerror", error))


def _report(file: str, fault: MatchFault) -> int:
    said = clean(fault.why)
    said = said if len(said) <= _MOST_SAID else said[:_MOST_SAID] + "…"
    print(f"{file}:{fault.line}: {fault.place}: {said}")
    return CANNOT if fault.unread else WRONG


def printable(name: str) -> str:
    """A file's name on one line, without characters that act on a terminal."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in name)
