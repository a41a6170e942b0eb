"""A match's record as a server sends it: the line that protocol/RECORDS.md describes, packed by
zlib. A client cannot verify it; what it shows of it has the right shape."""

import zlib
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

T = TypeVar("T")

MAX_LINE_BYTES: Final = 4 << 20
"""RECORDS.md says so. More is not even unpacked."""


class NotARecord(Exception):
    """The text says why, for the log."""


class Seated(Struct, frozen=True, omit_defaults=True):
    """`level`: a bot's; "" = a person's, or unknown. `kind`: "human" is a person's, "" unknown."""

    name: str
    level: str = ""
    kind: str = ""


class Outcome(Struct, frozen=True):
    """`scores` by seat; `winners`: seats."""

    scores: list[int]
    winners: list[int]


class Head(Struct, frozen=True):
    """The fields of a record that a list shows. Nothing is cleaned yet. `began`: as RECORDS.md has
    it; "" = unknown."""

    id: str
    game: str
    seats: list[Seated]
    outcome: Outcome
    options: dict[str, Any] = {}
    began: str = ""


class _Seats(Struct, frozen=True):
    seats: list[Seated]


class Ply(Struct, frozen=True):
    """`at_ms`: since the match began; 0 = unknown. `by`: "bot" = a bot's in a person's place."""

    at_ms: int = 0
    seat: int = -1
    by: str = ""


class _Course(Struct, frozen=True):
    plies: list[Ply]


class Record(NamedTuple):
    """`line`: JSON, without its end."""

    head: Head
    line: bytes


def head_of(line: bytes) -> Head:
    """Raises NotARecord."""
    return _read(line, Head)


def seats_of(line: bytes) -> list[Seated]:
    """Also of a record that no server has made, which has no id. Raises NotARecord."""
    return _read(line, _Seats).seats


def _read(line: bytes, of: type[T]) -> T:
    try:
        return msgspec.json.decode(line, type=of)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotARecord(str(error)) from None


def plies_of(line: bytes) -> list[Ply]:
    """When what happened, and who did it. Raises NotARecord."""
    return _read(line, _Course).plies


def unpacked(packed: bytes, match: str) -> Record:
    """The record of this match. Raises NotARecord."""
    unpacking = zlib.decompressobj()
    try:
        line = unpacking.decompress(packed, MAX_LINE_BYTES + 1).removesuffix(b"\n")
    except zlib.error as error:
        raise NotARecord(str(error)) from None
    head = head_of(line)
    if not unpacking.eof or b"\n" in line:
        raise NotARecord("it is no whole line")
    if head.id != match:
        raise NotARecord("it is of another match")
    return Record(head, line)
