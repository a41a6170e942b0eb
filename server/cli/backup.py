"""`clocktowers-server backup` and `restore`: copy what a server keeps into one file, also while it
runs, and put such a file in place of what a stopped server's folder has."""

import argparse
import os
import sys
from pathlib import Path

from server.cli.common import (
    add_command,
    add_common,
    failing,
    folder_with_journal,
    print_values,
    tidy_when_terminated,
)
from server.operating import audit
from server.operating.words import CouldNot
from server.speaking import _
from server.store import backup, private
from server.store.backup import Made
from server.store.state_folder import StateFolder


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Both."""
    told = _("Matches, records, bans and what operators did. The server may run meanwhile.")
    one_file = _("copy everything that a server keeps into one file")
    making = add_command(commands, "backup", _backup, help=one_file, description=told)
    told = _("What stands in the folder is set aside there, not deleted.")
    back = _("put a backup into a stopped server's folder")
    restoring = add_command(commands, "restore", _restore, help=back, description=told)
    for parser in (making, restoring):
        parser.add_argument("file", type=Path, metavar="FILE")
        add_common(parser)


def _backup(args: argparse.Namespace) -> int:
    with failing("the backup failed"), tidy_when_terminated():
        made = backup.make(folder_with_journal(args), args.file)
    _tell(made, _("{file} is written").format(file=args.file), as_json=args.json)
    return 0


def _restore(args: argparse.Namespace) -> int:
    if not args.file.is_file():
        raise CouldNot(f"there is no file {args.file}")
    path = folder_with_journal(args)
    with failing(f"cannot use {path}"), private.as_owner(path):
        folder = StateFolder(path)
    try:
        with failing("it failed"), tidy_when_terminated():
            made, aside = backup.restore(path, args.file)
        trail = path / audit.FILE_NAME
        kept = f"{path} is restored, and what stood there is in {aside}; but that cannot be written"
        with failing(f"{kept} down: {trail}"), private.as_owner(path):
            source = str(args.file)
            audit.keep(path, audit.Deed(user=os.getuid(), command="restore", what=source))
    finally:
        folder.release()
    told = _("{folder} is restored").format(folder=path)
    _tell(made, told, as_json=args.json, aside=str(aside))
    if not args.json:
        print(_("what stood there is in {folder}").format(folder=aside))
    return 0


def _tell(made: Made, what: str, *, as_json: bool, **more: str) -> None:
    """Say what a backup has, and warn of matches that are damaged in it."""
    if as_json:
        print_values({**made._asdict(), **more}, as_json=True)
    else:
        counts = _("matches: {matches}, bans: {bans}")
        print(f"{what}; {counts.format(matches=made.matches, bans=made.bans)}")
    if made.hurt:
        names = ", ".join(made.hurt)
        hurt = _("these were damaged on the disk before it was made: {names}").format(names=names)
        print(hurt, file=sys.stderr)
