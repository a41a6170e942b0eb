"""What commands on a server's folder share: which one is meant, `--state` or else the one that
`serve` uses, and how they say that they could not."""

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from server.cli.endings import quietly
from server.cli.telling import print_values
from server.config import Config
from server.operating.words import CouldNot
from server.settings import ConfigError, load
from server.speaking import N_, _
from server.store.backup import NoBackup
from server.store.migrating import Unusable
from server.store.state_folder import FolderTaken, service_path

COULD_NOT: Final = 1
"""Exit code of an operator's command that could not be done."""


def add_command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    work: Callable[[argparse.Namespace], int],
    **described: Any,
) -> argparse.ArgumentParser:
    """`work` returns the exit code, or raises an error whose text is a sentence."""
    parser = commands.add_parser(name, **described)
    parser.set_defaults(run=lambda args: quietly(lambda: _done(work, args)))
    return parser


def _done(work: Callable[[argparse.Namespace], int], args: argparse.Namespace) -> int:
    try:
        return work(args)
    except (CouldNot, FolderTaken, NoBackup, Unusable) as error:
        return could_not(str(error), args)


def add_common(parser: argparse.ArgumentParser, as_json: str = N_("the answer as JSON")) -> None:
    """The flags of all of them. `as_json`: what `--json` prints."""
    parser.add_argument("--state", help=_("the server's folder"))
    parser.add_argument("--config", type=Path, help=_("the server's TOML file, which may name it"))
    parser.add_argument("--json", action="store_true", help=_(as_json))


def config_of(args: argparse.Namespace) -> Config:
    """Raises CouldNot."""
    try:
        return load(args.config, os.environ, {"state": args.state} if args.state else {})
    except ConfigError as error:
        raise CouldNot(str(error)) from None


def folder_of(args: argparse.Namespace) -> Path:
    """Raises CouldNot and FolderTaken."""
    return service_path(config_of(args).state)


def folder_with_journal(args: argparse.Namespace) -> Path:
    """The same, for commands that copy all of it. Raises CouldNot and FolderTaken."""
    if config_of(args).journal:
        raise CouldNot(
            "the matches are in the database of --journal: copy that with pg_dump, and the folder "
            "beside it by hand"
        )
    return folder_of(args)


def could_not(why: str, args: argparse.Namespace) -> int:
    """Print one sentence on stderr, with --json an object on stdout, too; return the exit code."""
    print(f"clocktowers-server: {why}", file=sys.stderr)
    if args.json:
        print_values({"done": False, "said": why}, as_json=True)
    return COULD_NOT
