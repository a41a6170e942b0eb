"""What a table is made from when the server restarts: it stands in the header of its match, or of a
table that has not begun, in the record of its deal.

The header itself has the game, the options and the number of seats; they are not repeated here. A
new field needs a default, since journals outlive programs.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from protocol.clock import Clock
from protocol.ids import Seat, TableCode
from server.games.registry import GAMES
from server.matches.replay import new_header
from server.recording.journalled import Beginning
from server.recording.records import Occupant
from server.store.journal import Entry, Header
from server.tables.access import OPEN, Access

if TYPE_CHECKING:
    from server.tables.deals import Deal
    from server.tables.table import Table


PersonKey: TypeAlias = bytes
"""The identity; "=" and the key of the name where there is none."""


class ChairRecord(Struct, frozen=True):
    """Who sat there when the match began. `level` "" = a person. `identity`: as in `Session`."""

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


class DealRecord(Struct, frozen=True, kw_only=True):
    """A deal that several tables play; `header`: of no match, what they are dealt from. `sat` and
    `watched`: as in `Deal`. `waiting`: the tables that have not begun, where nobody sits but
    bots."""

    id: str
    label: str
    header: Header
    preset: str
    clock: Clock | None = None
    hints: bool | None = None
    sat: list[tuple[PersonKey, TableCode]]
    watched: list[tuple[PersonKey, list[TableCode]]]
    waiting: list[TableRecord]


class KeptMatch(NamedTuple):
    """Everything that the journal has of a match and its table."""

    header: Header
    record: TableRecord
    entries: Sequence[Entry]
    tokens: Mapping[Seat, Sequence[bytes]]


_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(TableRecord).decode
_decode_deal: Final = msgspec.msgpack.Decoder(DealRecord).decode


def record_of(table: "Table") -> bytes:
    """The record for a match that is about to begin at this table."""
    chairs = [ChairRecord(one.name, one.level, one.identity) for one in table.seating.chairs]
    now = _now(table, chairs)
    return _encode(replace(now, matches=now.matches + 1, began_at=int(time.time())))


def _now(table: "Table", chairs: list[ChairRecord]) -> TableRecord:
    deal = table.deal
    return TableRecord(
        code=table.code,
        title=table.title,
        preset=table.preset,
        host=table.host,
        matches=table.matches,
        chairs=chairs,
        clock=table.clock,
        seeded=table.seed is not None,
        hints=table.hints_allowed,
        access=table.access,
        deal=deal.id if deal is not None else "",
        label=deal.label if deal is not None else "",
    )


def deal_record(deal: "Deal", tables: "Iterable[Table]") -> bytes:
    """The record of a deal that is open. `tables`: of the deal, those that have not begun."""
    terms = deal.terms
    header = new_header(
        terms.game_id,
        GAMES[terms.game_id].rules,
        options=terms.options,
        seats=terms.seats,
        seed=deal.seed,
        match="",
    )
    return _encode(
        DealRecord(
            id=deal.id,
            label=deal.label,
            header=header,
            preset=terms.preset,
            clock=terms.clock,
            hints=terms.hints,
            sat=[*deal.sat.items()],
            watched=[(person, sorted(codes)) for person, codes in deal.watched.items()],
            waiting=[replace(_now(table, _bots(table)), host=None) for table in tables],
        )
    )


def _bots(table: "Table") -> list[ChairRecord]:
    return [
        ChairRecord(one.name, one.level) if one.level else ChairRecord("")
        for one in table.seating.chairs
    ]


def read_deal(payload: bytes) -> DealRecord:
    """Raises msgspec.DecodeError."""
    return _decode_deal(payload)


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
