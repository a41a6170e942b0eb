"""Prints an invitation for people: what a friend types or opens, and a QR code, of the web
address where there is one: a camera opens it."""

import sys
import time
from collections.abc import Mapping
from typing import Any

from protocol.qr import rows_of


def shown(values: Mapping[str, Any]) -> None:
    """The answer to `invite`."""
    line = str(values["invitation"])
    until = time.strftime("%Y-%m-%d %H:%M", time.localtime(values["until"]))
    where = f" to table {values['table']}" if values["table"] else ""
    print(f"invitation {values['name']}{where}, until {until}; your friend types:")
    print(f"clocktowers join {line}")
    if values["page"]:
        print(f"or opens, with nothing but a browser: {values['page']}")
    if values["ssh"]:
        print(f"or, with nothing but ssh, NAME@ this server, whose key is {values['ssh']}")
    if sys.stdout.isatty():
        print("\n".join(rows_of(str(values["page"]) or line)))
