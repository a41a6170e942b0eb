"""`clocktowers-server restore`: put a backup in place of what a stopped server's folder has."""

import argparse
import os
import sqlite3
from pathlib import Path

from server.cli import backup as backup_command
from server.cli.endings import tidy_when_terminated
from server.cli.state import could_not, folder_with_journal
from server.operating import audit
from server.operating.words import CouldNot
from server.speaking import _
from server.store import backup, private
from server.store.backup import NoBackup
from server.store.migrating import Unusable
from server.store.state_folder import FolderTaken, StateFolder


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    backup_command.add_command(
        commands,
        "restore",
        _restore,
        help=_("put a backup into a stopped server's folder"),
        description=_("What stands in the folder is set aside there, not deleted."),
    )


def _restore(args: argparse.Namespace) -> int:
    try:
        if not args.file.is_file():
            raise CouldNot(f"there is no file {args.file}")
        path = folder_with_journal(args)
        with private.as_owner(path):
            folder = StateFolder(path)
    except (CouldNot, FolderTaken, OSError) as error:
        return could_not(str(error), args)
    try:
        with tidy_when_terminated():
            made, aside = backup.restore(path, args.file)
    except (NoBackup, Unusable) as error:
        return could_not(str(error), args)
    except (OSError, sqlite3.Error) as error:
        return could_not(f"it failed: {getattr(error, 'strerror', None) or error}", args)
    else:
        unwritten = _write_down(path, str(args.file))
    finally:
        folder.release()
    if unwritten:
        done = f"{path} is restored, and what stood there is in {aside}"
        return could_not(f"{done}; but that cannot be written down: {unwritten}", args)
    backup_command.tell(
        made,
        _("{folder} is restored").format(folder=folder.path),
        as_json=args.json,
        aside=str(aside),
    )
    if not args.json:
        print(_("what stood there is in {folder}").format(folder=aside))
    return 0


def _write_down(folder: Path, source: str) -> str:
    """Returns why that is not possible, or ""."""
    try:
        with private.as_owner(folder):
            audit.keep(folder, audit.now(os.getuid(), "restore", what=source))
    except OSError as error:
        return f"{folder / audit.FILE_NAME}: {error.strerror or error}"
    return ""
