"""Reviews that are kept beside their matches, so that nothing in them is judged twice."""

import zlib
from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Struct

from clocktowers_tui.history.matches import opened
from protocol.recording import VERSION, Begun, Finding

_ALL: Final = -1
"""In the place of a seat: earlier programs made a review for each."""


class _Made(Struct, frozen=True):
    version: int
    begun: Begun
    findings: list[Finding]


def keep(match: str, begun: Begun, findings: Sequence[Finding]) -> None:
    """Keep a review of a match that is kept, whole or as far as it is. Raises NoHistory."""
    made = zlib.compress(msgspec.msgpack.encode(_Made(VERSION, begun, list(findings))))
    with opened(create=True) as file:
        file.execute("DELETE FROM review WHERE match = ?", (match,))
        file.execute(
            "INSERT INTO review SELECT id, ?, ? FROM match WHERE id = ?",
            (_ALL, made, match),
        )


def of(match: str) -> tuple[Begun, list[Finding]] | None:
    """The findings in order, with the views and actions as they were said. None: it has to be made
    (again). Raises NoHistory."""
    with opened() as file:
        row = file.execute(
            "SELECT made FROM review WHERE match = ? AND seat = ?", (match, _ALL)
        ).fetchone()
    try:
        made = msgspec.msgpack.decode(zlib.decompress(row[0]), type=_Made) if row else None
    except (zlib.error, msgspec.DecodeError, TypeError):
        return None
    if made is None or made.version != VERSION:
        return None
    return made.begun, made.findings
