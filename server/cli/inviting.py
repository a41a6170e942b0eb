"""Prints an invitation for people: the line, what a friend types, and the same as a QR code."""

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
    if values["ssh"]:
        print(f"or, with nothing but ssh, NAME@ this server, whose key is {values['ssh']}")
    if sys.stdout.isatty():
        print("\n".join(rows_of(line)))
