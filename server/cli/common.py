"""What all commands share: how they end, what they print, and which server's folder is meant.

Law: a command ends without a traceback when its output cannot be written, its reader leaves, or
somebody stops it.
"""

import argparse
import os
import signal
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NoReturn

import msgspec

from protocol.text import cells, clean
from server.config import Config
from server.net.listener import CannotListen
from server.operating.words import CouldNot
from server.settings import ConfigError, load
from server.speaking import N_, _
from server.store.backup import NoBackup
from server.store.journal import JournalError
from server.store.state_folder import FolderTaken, service_path
from server.store.statements import Unusable

CANNOT: Final = 2
"""Exit code: the command could not be done as asked."""
COULD_NOT: Final = 1
"""Exit code of an operator's command that could not be done."""

SENTENCES: Final = (
    *(CannotListen, ConfigError, CouldNot),
    *(FolderTaken, JournalError, NoBackup, Unusable),
)
"""Errors whose text is a sentence for people."""


def add_command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    work: Callable[[argparse.Namespace], int],
    cannot: int = COULD_NOT,
    **described: Any,
) -> argparse.ArgumentParser:
    """`work` returns the exit code, or raises one of `SENTENCES`: then it is `cannot`."""
    parser = commands.add_parser(name, **described)
    parser.set_defaults(run=lambda args: quietly(lambda: told(work, cannot, args)))
    return parser


def told(work: Callable[[argparse.Namespace], int], cannot: int, args: argparse.Namespace) -> int:
    """Do it. What it cannot do is a sentence on stderr, with --json an object on stdout, too."""
    try:
        return work(args)
    except SENTENCES as error:
        print(f"clocktowers-server: {error}", file=sys.stderr)
        if "json" in args and args.json:
            print_values({"done": False, "said": str(error)}, as_json=True)
        return cannot


@contextmanager
def failing(what: str) -> Iterator[None]:
    """What the disk or the database refuses is a CouldNot that begins with these words."""
    try:
        yield
    except BrokenPipeError:
        raise
    except FileExistsError as error:
        raise CouldNot(f"{error.filename} is there already: name another file") from None
    except (OSError, sqlite3.Error) as error:
        raise CouldNot(f"{what}: {getattr(error, 'strerror', None) or error}") from None


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


# Prints what a command of the operator found out: a table for people, or JSON for programs.


TIMES: Final = frozenset({"when", "since", "until"})
"""Columns of seconds since 1970; 0 is no time."""
GAP: Final = "  "


def print_rows(
    found: Sequence[Mapping[str, Any]], *, as_json: bool, nothing: str = "", sideways: bool = False
) -> None:
    """A line for each, or a column; as JSON an object a line. `nothing`: what people are told where
    there are none."""
    if as_json:
        for row in found:
            print(msgspec.json.encode(row).decode())
    elif found:
        names = list(found[0])
        table = [names, *([_shown(name, row.get(name)) for name in names] for row in found)]
        table = list(map(list, zip(*table, strict=True))) if sideways else table
        widths = [max(map(cells, column)) for column in zip(*table, strict=True)]
        for line in table:
            wide = zip(line, widths, strict=True)
            padded = (text + " " * (width - cells(text)) for text, width in wide)
            print(GAP.join(padded).rstrip())
    else:
        print(nothing)


def print_values(found: Mapping[str, Any], *, as_json: bool) -> None:
    """A line for each value; as JSON one object."""
    if as_json:
        print(msgspec.json.encode(found).decode())
        return
    width = max(map(len, found))
    for name, value in found.items():
        print(f"{name:{width}}{GAP}{_shown(name, value)}")


def _shown(name: str, value: Any) -> str:
    if name in TIMES:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(value)) if value else "-"
    if isinstance(value, list):
        return clean(", ".join(map(str, value))) or "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return clean(str(value)) if value not in (None, "") else "-"


# Commands on a server's folder: the one of `--state`, or else the one that `serve` uses.


def add_common(parser: argparse.ArgumentParser, as_json: str = N_("the answer as JSON")) -> None:
    """The flags of all of them. `as_json`: what `--json` prints."""
    parser.add_argument("--state", help=_("the server's folder"))
    parser.add_argument("--config", type=Path, help=_("the server's TOML file, which may name it"))
    parser.add_argument("--json", action="store_true", help=_(as_json))


def config_of(args: argparse.Namespace) -> Config:
    """Raises ConfigError."""
    given = {key: typed for key in ("state", "journal") if (typed := getattr(args, key, None))}
    return load(args.config, os.environ, given)


def folder_of(args: argparse.Namespace) -> Path:
    """Raises ConfigError and FolderTaken."""
    return service_path(config_of(args).state)


def folder_with_journal(args: argparse.Namespace) -> Path:
    """The same, for commands that copy all of it. Raises CouldNot, ConfigError and FolderTaken."""
    config = config_of(args)
    if config.journal:
        raise CouldNot(
            "the matches are in the database of --journal: copy that with pg_dump, and the folder "
            "beside it by hand"
        )
    return service_path(config.state)
