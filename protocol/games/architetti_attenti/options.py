"""The options of an Architetti Attenti table, and its presets."""

from enum import StrEnum
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

LEVELS: Final = ("random", "easy", "normal", "hard", "expert")
"""Of bots, weakest first."""

SEATS: Final = (1, 2, 3, 4)


class Blocks(StrEnum):
    PACKED = "packed"
    ALL = "all"


class Parks(StrEnum):
    PAIRS = "pairs"
    HOUSES = "houses"


class Rails(StrEnum):
    NETWORK = "network"
    STRETCH = "stretch"


class End(StrEnum):
    AT_ONCE = "at-once"
    ROW = "row"


class TakeBack(StrEnum):
    ON = "on"
    OFF = "off"


class Options(Struct, frozen=True, kw_only=True):
    """The first four change the rules and stand in records; the others belong to the table.

    `first_seat` None means drawn from the seed.
    """

    blocks: Blocks = Blocks.PACKED
    parks: Parks = Parks.PAIRS
    rails: Rails = Rails.NETWORK
    end: End = End.AT_ONCE
    take_back: TakeBack = TakeBack.ON
    first_seat: Annotated[int, Meta(ge=0, le=3)] | None = None


PRESETS: Final[dict[str, dict[str, Any]]] = {
    "standard": {"blocks": "packed", "parks": "pairs", "rails": "network", "end": "at-once"},
    "letter": {"blocks": "all", "parks": "houses", "rails": "stretch", "end": "at-once"},
    "last-tile": {"blocks": "packed", "parks": "pairs", "rails": "network", "end": "row"},
}
"""`letter` is closer to the sheet's words; its rails are a reading, and shops have no option."""
