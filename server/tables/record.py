"""What a table is made anew from when the server comes back: it stands in the header of its match.

What is known by the header itself (game, options, seats) is not said twice. New fields need a
default, since journals outlive programs.
"""

from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct

from protocol.clock import Clock

if TYPE_CHECKING:
    from server.tables.table import Table


class ChairRecord(Struct, frozen=True):
    """Who sat there when the match began. `level` "" = a person."""

    name: str
    level: str = ""


class TableRecord(Struct, frozen=True, kw_only=True):
    """`matches`: how many have begun at the table, this one among them."""

    code: str
    title: str
    preset: str
    host: int | None
    matches: int
    chairs: list[ChairRecord]
    clock: Clock | None = None


_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(TableRecord).decode


def record_of(table: "Table") -> bytes:
    """For a match that is about to begin at this table."""
    return _encode(
        TableRecord(
            code=table.code,
            title=table.title,
            preset=table.preset,
            host=table.host,
            matches=table.matches,
            chairs=[ChairRecord(chair.name, chair.level) for chair in table.seating.chairs],
            clock=table.clock,
        )
    )


def read_record(payload: bytes) -> TableRecord:
    """Raises msgspec.DecodeError."""
    return _decode(payload)
