"""The commands of `clocktowers-server` by which an operator asks a running server (`who`, `ban` …),
and `audit`, which lists what operators have changed.

Exit codes: 0 it is done, 1 it could not be done, 2 the command makes no sense.
"""

import argparse
import asyncio
import re
import sys
import time
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from msgspec import structs

from protocol.invitation import rows_of
from server.cli.common import add_command, add_common, folder_of, print_rows, print_values
from server.operating import audit, words
from server.operating.door import call
from server.operating.words import Command, CouldNot
from server.speaking import N_, _
from server.store import private

_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
_FOR: Final = re.compile(r"([1-9][0-9]{0,8})([smhdw])")


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """The commands that ask a running server: what you type becomes the fields of a `Command`."""

    def command(
        name: str, asks: type[Command], told: str, about: str | None = None
    ) -> argparse.ArgumentParser:
        parser = add_command(commands, name, _ask, help=told, description=about)
        add_common(parser)
        parser.set_defaults(asks=asks)
        return parser

    def reason(
        parser: argparse.ArgumentParser,
        told: str = N_("players are told it, and the audit trail keeps it"),
    ) -> None:
        parser.add_argument("--reason", default="", metavar="TEXT", help=_(told))

    def length(where: Any, kind: Any, example: str, field: str) -> None:
        told = _("how long, in s, m, h, d or w")
        where.add_argument("--for", dest=field, type=kind, default=0, metavar=example, help=told)

    command("status", words.Status, _("how a running server is"))
    command("who", words.Who, _("list everybody on a running server"))
    command("tables", words.Tables, _("list the tables of a running server"))
    say = command("say", words.TellAll, _("tell everybody"))
    say.add_argument("text", metavar="TEXT")

    about = _("They may come back to the server, but not to the same table.")
    kick = command("kick", words.SendAway, _("send a player away"), about)
    kick.add_argument("person", metavar="PERSON", help=_("a name or a mark, as `who` shows it"))
    reason(kick)

    about = _("For ever, unless --for or --until says otherwise.")
    ban = command("ban", words.SetBan, _("keep a player or an address out"), about)
    told = _("a name, a mark, an address, or a block such as 192.0.2.0/24")
    ban.add_argument("whom", metavar="WHOM", help=told)
    times = ban.add_mutually_exclusive_group()
    length(times, _from_now, "2h", "until")
    example = "2030-12-31T20:00"
    times.add_argument("--until", type=_moment, default=0, metavar=example, help=_("local time"))
    told = _("with a player: ban the address, too, for all there")
    ban.add_argument("--address", action="store_true", help=told)
    reason(ban)
    unban = command("unban", words.Unban, _("end a ban"))
    unban.add_argument("whom", metavar="WHOM", help=_("as bans lists it, or the name"))
    command("bans", words.Bans, _("list the bans"))

    close = command("close", words.Close, _("close a table and end its match"))
    close.add_argument("table", metavar="TABLE")
    reason(close, N_("the audit trail keeps it"))
    about = _("Nothing new begins; only players who come back to a seat are let in.")
    drain = command("drain", words.Drain, _("stop when the matches are over"), about)
    ways = drain.add_mutually_exclusive_group()
    ways.add_argument(
        "--within",
        dest="within_s",
        type=_whole,
        default=0,
        metavar="SECONDS",
        help=_("stop after so long in any case"),
    )
    told = _("end the drain: new matches may begin")
    ways.add_argument("--cancel", action="store_true", help=told)

    about = _(
        "It is one line, which a friend gives to `clocktowers join`. It holds for a week, "
        "unless --for says otherwise, and is shown only now."
    )
    invite = command("invite", words.Issue, _("make an invitation"), about)
    told = _("its name, by which you revoke it")
    invite.add_argument("name", metavar="NAME", nargs="?", default="", help=told)
    invite.add_argument("--table", metavar="TABLE", default="", help=_("lead to this table"))
    length(invite, _seconds, "2d", "for_s")
    invite.add_argument(
        "--address",
        dest="addresses",
        action="append",
        default=[],
        metavar="HOST[:PORT]",
        help=_("where your friend finds the server; you can repeat this"),
    )
    command("invitations", words.Issued, _("list the invitations"))
    about = _("Nobody comes in by it any more.")
    revoke = command("revoke", words.Revoke, _("end an invitation"), about)
    revoke.add_argument("name", metavar="NAME", help=_("as invitations lists it, or all"))
    revoke.add_argument("--kick", action="store_true", help=_("and send away who came by it"))
    level = command("log-level", words.LogLevel, _("what is logged"))
    level.add_argument("level", metavar="LEVEL", choices=("debug", "info", "warning", "error"))


def _ask(args: argparse.Namespace) -> int:
    fields = {
        name: value for name, value in vars(args).items() if name in args.asks.__struct_fields__
    }
    asked = args.asks(**fields)
    reply = asyncio.run(call(folder_of(args), asked))
    if not reply.done:
        raise CouldNot(reply.said)
    if reply.values is not None and isinstance(asked, words.Issue) and not args.json:
        _show_invitation(reply.values)
    elif reply.values is not None:
        print_values(reply.values, as_json=args.json)
    elif reply.rows is not None and (reply.rows or args.json):
        asks_status = isinstance(asked, words.Status)  # of several nodes: a column for each
        print_rows(reply.rows, as_json=args.json, sideways=asks_status)
        if reply.rows and reply.said:
            print(f"clocktowers-server: {reply.said}", file=sys.stderr)
    elif args.json:
        print_values({"done": True, "said": reply.said}, as_json=True)
    else:
        print(reply.said)
    return 0


def _show_invitation(values: Mapping[str, Any]) -> None:
    """What a friend types or opens; and a QR code, of the web address where there is one: a camera
    opens it."""
    line, page = str(values["invitation"]), str(values["page"])
    until = time.strftime("%Y-%m-%d %H:%M", time.localtime(values["until"]))
    said = _("invitation {name}, until {until}; your friend types:")
    if values["table"]:
        said = _("invitation {name} to table {table}, until {until}; your friend types:")
    print(said.format(name=values["name"], table=values["table"], until=until))
    print(f"clocktowers join {line}")
    if page:
        print(_("or opens, with nothing but a browser: {page}").format(page=page))
    if values["ssh"]:
        said = _("or, with nothing but ssh, NAME@ this server, whose key is {key}")
        print(said.format(key=values["ssh"]))
    if sys.stdout.isatty():
        print("\n".join(rows_of(page or line)))


def _from_now(text: str) -> int:
    return int(time.time()) + _seconds(text)


def _seconds(text: str) -> int:
    if (found := _FOR.fullmatch(text)) is None:
        raise argparse.ArgumentTypeError(
            _("{text} is no time such as 30m, 2h or 7d").format(text=ascii(text))
        )
    return int(found[1]) * _UNITS[found[2]]


def _whole(text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,8}", text):
        raise argparse.ArgumentTypeError(
            _("{text} is no number of seconds from 1").format(text=ascii(text))
        )
    return int(text)


def _moment(text: str) -> int:
    try:
        moment = int(datetime.fromisoformat(text).timestamp())
    except (ValueError, OverflowError, OSError):
        raise argparse.ArgumentTypeError(
            _("{text} is no time such as 2030-12-31 or 2030-12-31T20:00").format(text=ascii(text))
        ) from None
    if moment <= time.time():
        raise argparse.ArgumentTypeError(_("{text} has passed already").format(text=text))
    return moment


# What operators have changed ---------------------------------------------------------------------


def add_audit(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """The server need not run."""
    parser = add_command(commands, "audit", _audit, help=_("list what operators have changed"))
    add_common(parser, as_json=N_("as JSON, one line for each"))


def _audit(args: argparse.Namespace) -> int:
    folder = folder_of(args)
    try:
        with private.as_owner(folder):
            deeds = [structs.asdict(deed) for deed in audit.kept(folder)]
    except OSError as error:
        raise CouldNot(f"cannot read {folder}: {error.strerror or error}") from None
    if not deeds and not args.json:
        print(_("no operator has changed anything"))
    print_rows(deeds, as_json=args.json)
    return 0
