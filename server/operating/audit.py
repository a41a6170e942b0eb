"""Writes down each command of an operator that changes something: when, which, whom, why, and by
which user of the system.

Laws: a deed is on the disk before it is done; what cannot be written down is not done. The log's
cutting does not touch the file, and it is bounded: from `MOST_BYTES` on the older half goes.
"""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct, field

from server.store import private
from server.store.backup import TRAIL
from server.store.whole import replace_file

FILE_NAME: Final = TRAIL
MOST_BYTES: Final = 2 << 20
"""Ten thousand deeds."""


class Deed(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`when`: seconds since 1970. `user`: the system's number of the account that asked; `node`:
    on the machine of which other node, "" = on this one. `what`: the other words of the command."""

    when: int = field(default_factory=lambda: int(time.time()))
    user: int
    command: str
    whom: str = ""
    reason: str = ""
    what: str = ""
    node: str = ""

    def asker(self) -> dict[str, Any]:
        """Who asked, for the log."""
        return {"user": self.user} | ({"node": self.node} if self.node else {})


def keep(folder: Path, deed: Deed) -> None:
    """Write a deed down, and return when the disk has it. Raises OSError."""
    file = folder / FILE_NAME
    private.make_file(file)
    if file.stat().st_size >= MOST_BYTES:
        newer = file.read_bytes()[-MOST_BYTES // 2 :]
        replace_file(file, newer[newer.find(b"\n") + 1 :])
    with file.open("r+b") as lines:
        end = lines.seek(0, os.SEEK_END)
        lines.seek(max(0, end - 1))
        torn = lines.read() not in (b"", b"\n")  # a crash came in between
        lines.write(b"\n" * torn + msgspec.json.encode(deed) + b"\n")
        lines.flush()
        os.fsync(lines.fileno())


def kept(folder: Path) -> Iterator[Deed]:
    """All deeds, the oldest first; what is no line of ours is left out. Raises OSError."""
    try:
        with private.opened(folder / FILE_NAME) as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        return
    for line in lines:
        try:
            yield msgspec.json.decode(line, type=Deed)
        except msgspec.DecodeError:
            continue
