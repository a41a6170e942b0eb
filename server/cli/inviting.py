"""Prints an invitation for people: what a friend types or opens, and a QR code, of the web
address where there is one: a camera opens it."""

import sys
import time
from collections.abc import Mapping
from typing import Any

from protocol.qr import rows_of
from server.speaking import _


def shown(values: Mapping[str, Any]) -> None:
    """The answer to `invite`."""
    line = str(values["invitation"])
    until = time.strftime("%Y-%m-%d %H:%M", time.localtime(values["until"]))
    said = _("invitation {name}, until {until}; your friend types:")
    if values["table"]:
        said = _("invitation {name} to table {table}, until {until}; your friend types:")
    print(said.format(name=values["name"], table=values["table"], until=until))
    print(f"clocktowers join {line}")
    if values["page"]:
        print(_("or opens, with nothing but a browser: {page}").format(page=values["page"]))
    if values["ssh"]:
        said = _("or, with nothing but ssh, NAME@ this server, whose key is {key}")
        print(said.format(key=values["ssh"]))
    if sys.stdout.isatty():
        print("\n".join(rows_of(str(values["page"]) or line)))
