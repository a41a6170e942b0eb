"""`clocktowers-server backup`: copy what a server keeps into one file, also while it runs."""

import argparse
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from server.cli import telling
from server.cli.endings import quietly, tidy_when_terminated
from server.cli.state import add_common, could_not, folder_with_journal
from server.operating.words import CouldNot
from server.speaking import _
from server.store import backup
from server.store.backup import Made, NoBackup
from server.store.migrating import Unusable


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    add_command(
        commands,
        "backup",
        _backup,
        help=_("copy everything that a server keeps into one file"),
        description=_(
            "Matches, records, bans and what operators did. The server may run meanwhile."
        ),
    )


def add_command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    work: Callable[[argparse.Namespace], int],
    **described: Any,
) -> None:
    """One that works with a folder and the file of a backup, and returns 0, or 1 after a sentence
    on stderr."""
    parser = commands.add_parser(name, **described)
    parser.add_argument("file", type=Path, metavar="FILE")
    add_common(parser)
    parser.set_defaults(run=lambda args: quietly(lambda: work(args)))


def _backup(args: argparse.Namespace) -> int:
    try:
        with tidy_when_terminated():
            made = backup.make(folder_with_journal(args), args.file)
    except FileExistsError:
        return could_not(f"{args.file} is there already: name another file", args)
    except (CouldNot, NoBackup, Unusable) as error:
        return could_not(str(error), args)
    except (OSError, sqlite3.Error) as error:
        return could_not(f"the backup failed: {getattr(error, 'strerror', None) or error}", args)
    tell(made, _("{file} is written").format(file=args.file), as_json=args.json)
    return 0


def tell(made: Made, what: str, *, as_json: bool, **more: str) -> None:
    """Say what a backup has, and warn of matches that are damaged in it."""
    if as_json:
        telling.values({**made._asdict(), **more}, as_json=True)
    else:
        counts = _("matches: {matches}, bans: {bans}")
        print(f"{what}; {counts.format(matches=made.matches, bans=made.bans)}")
    if made.hurt:
        names = ", ".join(made.hurt)
        hurt = _("these were damaged on the disk before it was made: {names}").format(names=names)
        print(hurt, file=sys.stderr)
