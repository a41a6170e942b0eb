"""What others typed, made safe once more at the client's own border, and fitted into cells."""

from collections.abc import Mapping

from msgspec.structs import replace

from clocktowers_tui.text.spelling import ellipsis
from protocol.listing import SeatInfo, TableInfo
from protocol.refusal import Param
from protocol.text import MAX_NAME_CELLS, cells, cells_of, clean


def fit(text: str, width: int) -> str:
    """A clean `text` in at most `width` cells; what was cut off shows as an ellipsis."""
    if cells(text) <= width:
        return text
    return cut(text, max(0, width - 1)).rstrip() + ellipsis()[: max(0, width)]


def cut(text: str, width: int) -> str:
    """The longest beginning of a clean `text` that has at most `width` cells."""
    used = 0
    for index, char in enumerate(text):
        used += max(0, cells_of(char))
        if used > width:
            return text[:index]
    return text


def pad(text: str, width: int) -> str:
    """A clean `text` in exactly `width` cells, blanks behind."""
    fitted = fit(text, width)
    return fitted + " " * (width - cells(fitted))


def as_name(text: str) -> str:
    """`text` as a name that servers take: clean, 1 to 20 cells; "" if nothing is left."""
    return cut(clean(text), MAX_NAME_CELLS).strip()


def as_code(typed: str) -> str:
    """A table's code as servers write it."""
    return typed.strip().upper()[:40]


def clean_params(params: Mapping[str, Param]) -> dict[str, Param]:
    """Parameters of a code, their texts clean."""
    return {name: _clean_param(value) for name, value in params.items()}


def _clean_param(value: Param) -> Param:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [clean(item) if isinstance(item, str) else item for item in value]
    return value


def clean_table(info: TableInfo) -> TableInfo:
    """A table as a server described it, its texts clean."""
    return replace(
        info,
        table=clean(info.table),
        game=clean(info.game),
        title=clean(info.title),
        seats=[clean_seat(seat) for seat in info.seats],
    )


def clean_seat(seat: SeatInfo) -> SeatInfo:
    return replace(seat, name=clean(seat.name), level=clean(seat.level))
