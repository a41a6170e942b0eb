"""The commands of `clocktowers-server` by which an operator asks a running server (`who`, `ban` …),
and `audit`, which lists what operators have changed.

Exit codes: 0 it is done, 1 it could not be done, 2 the command makes no sense.
"""

import argparse
import asyncio
import pwd
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec
from msgspec import structs

from protocol.invitation import rows_of
from protocol.table import DAY_S
from server.cli.common import (
    add_command,
    add_common,
    failing,
    folder_of,
    print_rows,
    print_values,
)
from server.operating import audit
from server.operating.commands import COMMANDS, Issue, Status, name_of
from server.operating.door import call
from server.operating.words import CouldNot, Typed
from server.speaking import N_, _
from server.store import private

_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": DAY_S, "w": 7 * DAY_S}
_FOR: Final = re.compile(r"([1-9][0-9]{0,8})([smhdw])")


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


_LENGTH: Final = N_("how long, in s, m, h, d or w")
_TIMES: Final[Mapping[str, Sequence[tuple[str, Callable[[str], int], str, str]]]] = {
    "until": (
        ("--for", _from_now, "2h", _LENGTH),
        ("--until", _moment, "2030-12-31T20:00", N_("local time")),
    ),
    "for_s": (("--for", _seconds, "2d", _LENGTH),),
    "within_s": (("--within", _whole, "SECONDS", N_("stop after so long in any case")),),
}
"""By field: the flags of which one may be given, how it is read and shown, and what it means."""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """The commands that ask a running server: what you type becomes the fields of a `Command`."""
    for asks in COMMANDS:
        about = _(asks.about) if asks.about else None
        parser = add_command(commands, name_of(asks), _ask, help=_(asks.told), description=about)
        add_common(parser)
        parser.set_defaults(asks=asks)
        fields = structs.fields(asks)
        timed = any(field.name in _TIMES for field in fields)
        either = parser.add_mutually_exclusive_group() if timed else parser
        for field in fields:
            for flag, read, shown, told in _TIMES.get(field.name, ()):
                how: dict[str, Any] = {"dest": field.name, "type": read}
                either.add_argument(flag, metavar=shown, help=_(told), **how)
            for typed in getattr(field.type, "__metadata__", ()):
                _add_typed(either if field.name == "cancel" else parser, field, typed)


def _add_typed(where: Any, field: structs.FieldInfo, typed: Typed) -> None:
    how: dict[str, Any] = {"help": _(typed.told) if typed.told else None}
    if not typed.name.startswith("-"):
        how |= {"metavar": typed.name, "choices": typed.values or None}
        where.add_argument(field.name, nargs=None if field.required else "?", **how)
        return
    kind = field.type.__origin__
    how["action"] = {bool: "store_true", str: "store"}.get(kind, "append")
    if kind is not bool:
        how["metavar"] = typed.shown
    where.add_argument(typed.name, dest=field.name, **how)


def _ask(args: argparse.Namespace) -> int:
    given = {name: value for name, value in vars(args).items() if value is not None}
    asked = msgspec.convert(given, args.asks)
    reply = asyncio.run(call(folder_of(args), asked))
    if not reply.done:
        raise CouldNot(reply.said)
    if reply.values is not None and isinstance(asked, Issue) and not args.json:
        _show_invitation(reply.values)
    elif reply.values is not None:
        print_values(reply.values, as_json=args.json)
    elif reply.rows is not None:
        sideways = isinstance(asked, Status)  # of several nodes: a column for each
        print_rows(reply.rows, as_json=args.json, nothing=reply.said, sideways=sideways)
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
    if key := values.get("records_key"):  # an older server has none
        print(_("the server signs its records with the key {key}").format(key=key))
    if sys.stdout.isatty():
        print("\n".join(rows_of(page or line)))


# What operators have changed ---------------------------------------------------------------------


def add_audit(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """The server need not run."""
    parser = add_command(commands, "audit", _audit, help=_("list what operators have changed"))
    add_common(parser, as_json=N_("as JSON, one line for each"))


def _account(deed: audit.Deed) -> str:
    """By name; by number where the account is gone, or another machine's."""
    try:
        return str(deed.user) if deed.node else pwd.getpwuid(deed.user).pw_name
    except (KeyError, OverflowError):
        return str(deed.user)


def _audit(args: argparse.Namespace) -> int:
    folder = folder_of(args)
    with failing(f"cannot read {folder}"), private.as_owner(folder):
        deeds = [*audit.kept(folder)]
    rows = [
        structs.asdict(deed) | ({} if args.json else {"user": _account(deed)}) for deed in deeds
    ]
    print_rows(rows, as_json=args.json, nothing=_("no operator has changed anything"))
    return 0
