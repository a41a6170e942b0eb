"""The commands of `clocktowers-server` by which an operator asks a running server: `who`, `ban` …

Exit codes: 0 it is done, 1 it could not be done, 2 the command makes no sense.
"""

import argparse
import re
import sys
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from server.cli import inviting, telling
from server.cli.endings import quietly
from server.cli.state import add_common, could_not, folder_of
from server.operating import calling, words
from server.operating.words import Asked, CouldNot
from server.speaking import N_, _

_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
_FOR: Final = re.compile(r"([1-9][0-9]{0,8})([smhdw])")


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """All of them."""

    def command(
        name: str, told: str, asked: Callable[[argparse.Namespace], Asked], **more: Any
    ) -> argparse.ArgumentParser:
        parser = commands.add_parser(name, help=told, **more)
        add_common(parser)
        parser.set_defaults(run=run, asked=asked, shown=None)
        return parser

    def reason(
        parser: argparse.ArgumentParser,
        told: str = N_("players are told it, and the audit trail keeps it"),
    ) -> None:
        parser.add_argument("--reason", default="", metavar="TEXT", help=_(told))

    command("status", _("how a running server is"), lambda args: words.Status())
    command("who", _("list everybody on a running server"), lambda args: words.Who())
    command("tables", _("list the tables of a running server"), lambda args: words.Tables())
    say = command("say", _("tell everybody"), lambda args: words.Say(text=args.text))
    say.add_argument("text", metavar="TEXT")
    kick = command(
        "kick",
        _("send a player away"),
        lambda args: words.Kick(person=args.person, reason=args.reason),
        description=_("They may come back to the server, but not to the same table."),
    )
    kick.add_argument("person", metavar="PERSON", help=_("a name or a mark, as `who` shows it"))
    reason(kick)
    ban = command(
        "ban",
        _("keep a player or an address out"),
        lambda args: words.SetBan(
            whom=args.whom, until=_until(args), reason=args.reason, address=args.address
        ),
        description=_("For ever, unless --for or --until says otherwise."),
    )
    ban.add_argument(
        "whom",
        metavar="WHOM",
        help=_("a name, a mark, an address, or a block such as 192.0.2.0/24"),
    )
    times = ban.add_mutually_exclusive_group()
    times.add_argument(
        "--for", dest="for_s", type=_seconds, metavar="2h", help=_("how long, in s, m, h, d or w")
    )
    times.add_argument("--until", type=_moment, metavar="2030-12-31T20:00", help=_("local time"))
    ban.add_argument(
        "--address",
        action="store_true",
        help=_("with a player: ban the address, too, for all there"),
    )
    reason(ban)
    unban = command("unban", _("end a ban"), lambda args: words.Unban(whom=args.whom))
    unban.add_argument("whom", metavar="WHOM", help=_("as bans lists it, or the name"))
    command("bans", _("list the bans"), lambda args: words.Bans())
    close = command(
        "close",
        _("close a table and end its match"),
        lambda args: words.Close(table=args.table, reason=args.reason),
    )
    close.add_argument("table", metavar="TABLE")
    reason(close, N_("the audit trail keeps it"))
    drain = command(
        "drain",
        _("stop when the matches are over"),
        lambda args: words.Drain(within_s=args.within or 0, cancel=args.cancel),
        description=_("Nothing new begins; only players who come back to a seat are let in."),
    )
    ways = drain.add_mutually_exclusive_group()
    ways.add_argument(
        "--within", type=_whole, metavar="SECONDS", help=_("stop after so long in any case")
    )
    ways.add_argument(
        "--cancel", action="store_true", help=_("end the drain: new matches may begin")
    )
    invite = command(
        "invite",
        _("make an invitation"),
        lambda args: words.Invite(
            name=args.name, for_s=args.for_s or 0, table=args.table, addresses=args.address
        ),
        description=_(
            "It is one line, which a friend gives to `clocktowers join`. It holds for a week, "
            "unless --for says otherwise, and is shown only now."
        ),
    )
    invite.add_argument(
        "name", metavar="NAME", nargs="?", default="", help=_("its name, by which you revoke it")
    )
    invite.add_argument("--table", metavar="TABLE", default="", help=_("lead to this table"))
    invite.add_argument(
        "--for", dest="for_s", type=_seconds, metavar="2d", help=_("how long, in s, m, h, d or w")
    )
    invite.add_argument(
        "--address",
        action="append",
        default=[],
        metavar="HOST[:PORT]",
        help=_("where your friend finds the server; you can repeat this"),
    )
    invite.set_defaults(shown=inviting.shown)
    command("invitations", _("list the invitations"), lambda args: words.Invitations())
    revoke = command(
        "revoke",
        _("end an invitation"),
        lambda args: words.Revoke(name=args.name, kick=args.kick),
        description=_("Nobody comes in by it any more."),
    )
    revoke.add_argument("name", metavar="NAME", help=_("as invitations lists it, or all"))
    revoke.add_argument("--kick", action="store_true", help=_("and send away who came by it"))
    level = command("log-level", _("what is logged"), lambda args: words.LogLevel(level=args.level))
    level.add_argument("level", metavar="LEVEL", choices=("debug", "info", "warning", "error"))


def run(args: argparse.Namespace) -> int:
    """0, or 1 after a sentence on stderr."""
    return quietly(lambda: _ask(args))


def _ask(args: argparse.Namespace) -> int:
    try:
        asked = args.asked(args)
        answer = calling.call(folder_of(args), asked)
    except CouldNot as error:
        return could_not(str(error), args)
    if not answer.done:
        return could_not(answer.said, args)
    if answer.values is not None and args.shown is not None and not args.json:
        args.shown(answer.values)
    elif answer.values is not None:
        telling.values(answer.values, as_json=args.json)
    elif answer.rows is not None and (answer.rows or args.json):
        asks_status = isinstance(asked, words.Status)  # of several nodes: a column for each
        telling.rows(answer.rows, as_json=args.json, sideways=asks_status)
        if answer.rows and answer.said:
            print(f"clocktowers-server: {answer.said}", file=sys.stderr)
    elif args.json:
        telling.values({"done": True, "said": answer.said}, as_json=True)
    else:
        print(answer.said)
    return 0


def _until(args: argparse.Namespace) -> int:
    if args.for_s is not None:
        return int(time.time()) + int(args.for_s)
    return int(args.until or 0)


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
