"""`clocktowers-server audit`: list what operators have changed; the server need not run."""

import argparse

from msgspec import structs

from server.cli import telling
from server.cli.endings import quietly
from server.cli.state import add_common, could_not, folder_of
from server.operating import audit
from server.operating.words import CouldNot
from server.speaking import N_, _
from server.store import private


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("audit", help=_("list what operators have changed"))
    add_common(parser, as_json=N_("as JSON, one line for each"))
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """0, or 1 after a sentence on stderr."""
    return quietly(lambda: _audit(args))


def _audit(args: argparse.Namespace) -> int:
    try:
        folder = folder_of(args)
        with private.as_owner(folder):
            deeds = [structs.asdict(deed) for deed in audit.kept(folder)]
    except CouldNot as error:
        return could_not(str(error), args)
    except OSError as error:
        return could_not(f"cannot read {folder}: {error.strerror or error}", args)
    if not deeds and not args.json:
        print(_("no operator has changed anything"))
    telling.rows(deeds, as_json=args.json)
    return 0
