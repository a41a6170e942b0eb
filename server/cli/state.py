"""Which server's folder a command means: `--state`, else the one that `serve` uses."""

import argparse
import os
import sys
from pathlib import Path
from typing import Final

from server.operating.words import CouldNot
from server.settings import ConfigError, load
from server.store.state_folder import FolderTaken, service_path

COULD_NOT: Final = 1
"""Exit code of an operator's command that could not be done."""


def add_folder(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--state", help="the server's folder")
    parser.add_argument("--config", type=Path, help="the server's TOML file, which may name it")


def folder_of(args: argparse.Namespace) -> Path:
    """Raises CouldNot."""
    try:
        flags = {"state": args.state} if args.state else {}
        return service_path(load(args.config, os.environ, flags).state)
    except (ConfigError, FolderTaken) as error:
        raise CouldNot(str(error)) from None


def could_not(why: str) -> int:
    """Print one sentence on stderr; return the exit code for it."""
    print(f"clocktowers-server: {why}", file=sys.stderr)
    return COULD_NOT
