"""`clocktowers-server node`: look at the nodes on one database, and let one stop.

Exit codes: 0 it is done, 1 it could not be done.
"""

import argparse
from contextlib import closing
from pathlib import Path

from server.cli.common import add_command, config_of, print_rows, print_values
from server.operating.words import CouldNot
from server.speaking import _
from server.store import opening
from server.store.statements import SqlConnection


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    about = _(
        "list: the nodes, and how many matches each plays. claims: these matches. "
        "drain: a node hands its matches over to the others and stops."
    )
    told = _("list the nodes on a database, or let one stop")
    parser = add_command(commands, "node", _node, help=told, description=about)
    parser.add_argument("what", choices=("list", "claims", "drain"))
    parser.add_argument("name", nargs="?", default="", metavar="NODE", help=_("as list shows it"))
    parser.add_argument("--journal", metavar="URL", help=_("their database, as for serve"))
    parser.add_argument("--config", type=Path, help=_("the TOML file of a node, which may name it"))
    parser.add_argument("--json", action="store_true", help=_("the answer as JSON"))


def _node(args: argparse.Namespace) -> int:
    if not (url := config_of(args).journal):
        raise CouldNot(_("name the nodes' database with --journal, or in CLOCKTOWERS_JOURNAL"))
    from server.nodes import operators  # what only nodes need

    with closing(opening.changing(url)) as connection:
        match args.what:
            case "list":
                found, nothing = operators.nodes(connection), _("no node has this database")
            case "claims":
                found, nothing = operators.claims(connection, args.name), _("no matches are played")
            case _:
                return _drain(connection, args)
    print_rows(found, as_json=args.json, nothing=nothing)
    return 0


def _drain(connection: SqlConnection, args: argparse.Namespace) -> int:
    from server.nodes.operators import drain, nodes

    if not args.name:
        raise CouldNot(_("name the node that shall stop: clocktowers-server node drain NODE"))
    if (matches := drain(connection, args.name)) is None:
        living = [one["node"] for one in nodes(connection) if one["state"] != "gone"]
        told = _("no node {name} lives; those that do: {nodes}")
        raise CouldNot(told.format(name=ascii(args.name), nodes=", ".join(living) or "-"))
    if args.json:
        print_values({"done": True, "matches": matches}, as_json=True)
    else:
        told = _("{name} stops; other nodes go on with its matches: {matches}")
        print(told.format(name=args.name, matches=matches))
    return 0
