"""What the server sends with texts that strangers typed, cleaned at the client's own border."""

from collections.abc import Mapping

from msgspec.structs import replace

from protocol.errors import Param
from protocol.table import SeatInfo, TableInfo
from protocol.text import clean


def clean_params(params: Mapping[str, Param]) -> dict[str, Param]:
    """The parameters of a code, with clean texts."""
    return {name: _clean_param(value) for name, value in params.items()}


def _clean_param(value: Param) -> Param:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [clean(item) if isinstance(item, str) else item for item in value]
    return value


def clean_table(info: TableInfo) -> TableInfo:
    """A table, with clean texts."""
    return replace(
        info,
        table=clean(info.table),
        game=clean(info.game),
        title=clean(info.title),
        deal=clean(info.deal),
        seats=[clean_seat(seat) for seat in info.seats],
    )


def clean_seat(seat: SeatInfo) -> SeatInfo:
    return replace(seat, name=clean(seat.name), level=clean(seat.level))
