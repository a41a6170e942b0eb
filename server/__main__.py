"""`clocktowers-server`, `python -m server`: each command is a file in `server.cli`."""

import argparse
import difflib
import re
import signal
import sys
from collections.abc import Sequence
from importlib import metadata
from typing import NoReturn

from protocol.usage import UNKNOWN, build
from server.cli import backup, local, node, operating, records, serve, simulate
from server.cli.settings import ToolsParser
from server.logs.setup import own_standard_files
from server.speaking import _, speak

DISTRIBUTION = "clocktowers-tui"


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command. Returns the exit code: 0 good, 1 what was checked is wrong, 2 it could not be
    done as asked."""
    own_standard_files()
    speak()
    args = read(argv)
    try:
        code: int = args.run(args)
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    return code


def full_parser() -> argparse.ArgumentParser:
    """Everything that can be typed."""
    parser: argparse.ArgumentParser = ToolsParser(
        prog="clocktowers-server", description=_("Tabletop games: the server and its tools.")
    )
    told = _("show the program's version and exit")
    version = build(metadata.version(DISTRIBUTION))
    parser.add_argument("--version", action="version", version=version, help=told)
    commands = parser.add_subparsers(required=True, metavar="COMMAND", dest="command")
    for command in (serve, local, operating, node, backup):
        command.add_parser(commands)
    operating.add_audit(commands)
    simulate.add_parser(commands)
    records.add_verify(commands)
    records.add_parser(commands)
    parser.set_defaults(commands=commands)
    return parser


def read(argv: Sequence[str] | None) -> argparse.Namespace:
    """What was typed: `run` is the command. Raises SystemExit."""
    parser = full_parser()
    args, rest = parser.parse_known_args(argv)
    if rest and args.run is not local.run_command:
        _refuse(args.commands.choices[args.command], rest)
    args.rest = rest
    return args


def _refuse(parser: argparse.ArgumentParser, unknown: Sequence[str]) -> NoReturn:
    """Name what this command does not know, and what was perhaps meant. Raises SystemExit."""
    typed = " ".join(unknown)
    flags = re.findall(r"--[a-z][a-z-]*", parser.format_usage())
    near = difflib.get_close_matches(unknown[0].partition("=")[0], flags, n=1)
    meant = _("not understood: {typed}; did you mean {flag}?")
    parser.error(meant.format(typed=typed, flag=near[0]) if near else _(UNKNOWN) % typed)


if __name__ == "__main__":
    sys.exit(main())
