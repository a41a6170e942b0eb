"""What a table is made from when the server restarts: it stands in the header of its match.

The header itself has the game, the options and the number of seats; they are not repeated here. A
new field needs a default, since journals outlive programs.
"""

import time
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from protocol.clock import Clock
from protocol.ids import Seat
from server.recording.journalled import Beginning
from server.recording.records import Occupant
from server.store.journal import Entry, Header
from server.tables.access import OPEN, Access
from server.tables.state import TableState


class ChairRecord(Struct, frozen=True):
    """Who sat there when the match began. `level` "" = a person. `identity`: as in `Guest`."""

    name: str
    level: str = ""
    identity: bytes = b""


class TableRecord(Struct, frozen=True, kw_only=True):
    """`matches`: how many have begun at the table, including this one. `seeded`: its host chose the
    seed of the header. `deal`: the id of the deal that other tables play, too, "" = none; `label`:
    what people call it. `began_at`: seconds since 1970, 0 = unknown."""

    code: str
    title: str
    preset: str
    host: int | None
    matches: int
    chairs: list[ChairRecord]
    clock: Clock | None = None
    seeded: bool = False
    hints: bool | None = None
    access: Access = OPEN
    deal: str = ""
    label: str = ""
    began_at: int = 0


class KeptMatch(NamedTuple):
    """Everything that the journal has of a match and its table."""

    header: Header
    record: TableRecord
    entries: Sequence[Entry]
    tokens: Mapping[Seat, Sequence[bytes]]


_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(TableRecord).decode


def record_of(table: TableState) -> bytes:
    """The record for a match that is about to begin at this table."""
    deal = table.deal
    return _encode(
        TableRecord(
            code=table.code,
            title=table.title,
            preset=table.preset,
            host=table.host,
            matches=table.matches + 1,
            chairs=[
                ChairRecord(chair.name, chair.level, chair.identity)
                for chair in table.seating.chairs
            ],
            clock=table.clock,
            seeded=table.seed is not None,
            hints=table.hints_allowed,
            access=table.access,
            deal=deal.id if deal is not None else "",
            label=deal.label if deal is not None else "",
            began_at=int(time.time()),
        )
    )


def read_record(payload: bytes) -> TableRecord:
    """Raises msgspec.DecodeError."""
    return _decode(payload)


def deal_in(table: bytes) -> str:
    """The id of the deal that other tables play, too, "" = none; `table`: as in `Header`."""
    try:
        return read_record(table).deal
    except msgspec.DecodeError:
        return ""


def beginning(table: bytes) -> Beginning:
    """`table`: as in `Header`."""
    try:
        record = read_record(table)
    except msgspec.DecodeError:
        return Beginning([])
    sat = [
        Occupant(one.name, "bot", one.level) if one.level else Occupant(one.name, "human")
        for one in record.chairs
    ]
    return Beginning(sat, record.began_at)
