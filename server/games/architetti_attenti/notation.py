"""Architetti Attenti in match records and in notation.

Readers believe nothing: they look at every type (`True` is not 1, 1.0 is not 1), leave alone fields
that they do not know, and raise a RecordError for everything that is wrong.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import structs

from protocol.errors import Refusal, RefusalCode
from protocol.games.architetti_attenti import (
    CELLS,
    ROW,
    TILES,
    Action,
    Blocks,
    Buy,
    End,
    Options,
    Outcome,
    Parks,
    Place,
    Rails,
    Refused,
)
from protocol.games.architetti_attenti.board import cell_name, cell_named
from protocol.games.architetti_attenti.options import TURNS, pool
from server.games.architetti_attenti.state import Deal, State
from server.games.contract import Json, RecordError
from server.games.reading import (
    choice_in,
    counted_word,
    field_in,
    first_seats,
    integer_in,
    list_in,
    named_in,
    needs_all,
    no_move,
    object_in,
    quoted,
    worded,
    wrong,
)

# Architetti Attenti in notation: an action ↔ the words of its line (protocol/NOTATION.md).


def write_move(action: Action) -> str:
    if isinstance(action, Buy):
        return f"buy {action.position}"
    return f"place {cell_name(action.first)} {cell_name(action.second)}"


def read_move(words: Sequence[str]) -> Json:
    """The action as a record has it; nobody has looked whether there are such cells."""
    match words:
        case ["buy", position]:
            return {"do": "buy", "position": counted_word(position, "position")}
        case ["place", first, second]:
            return {"do": "place", "cells": [first, second]}
        case _:
            raise RecordError(no_move("buy POSITION", "place CELL CELL"))


NAMES: Final = tuple("-".join(half.name.lower() for half in halves) for halves in TILES)
"""Tile byte → its name in records, as the rules page writes it; 0 is never written."""

_TILE_OF: Final = {name: tile for tile, name in enumerate(NAMES) if tile}


class ArchitettiAttentiNotation:
    """The game's part of the record format."""

    def options_to_record(self, options: Options) -> Json:
        """The four options that change the rules; the others are the table's, not the match's."""
        return {
            "blocks": options.blocks.value,
            "parks": options.parks.value,
            "rails": options.rails.value,
            "end": options.end.value,
        }

    def options_from_record(self, value: Json) -> Options:
        """Missing options are the defaults."""
        fields = object_in(value, "options")
        return Options(
            blocks=choice_in(fields, "blocks", Blocks.PACKED),
            parks=choice_in(fields, "parks", Parks.PAIRS),
            rails=choice_in(fields, "rails", Rails.NETWORK),
            end=choice_in(fields, "end", End.AT_ONCE),
        )

    def allowed(self, option: str, seats: int) -> str:
        return first_seats(seats)

    def setup_to_record(self, state: State) -> Json:
        """`row` from position 1 on, `pile` top tile first; `removed` as shuffled."""
        deal = state.deal
        return {
            "first_seat": deal.first_seat,
            "row": _names(deal.row),
            "pile": _names(deal.pile),
            "removed": _names(deal.removed),
        }

    def setup_from_record(self, value: Json, options: Options, seats: int) -> State:
        """A fresh state; every tile of the sheets must be there."""
        fields = object_in(value, "setup")
        first_seat = integer_in(fields, "first_seat", "setup", 0, seats - 1)
        all_tiles = pool(seats)
        row = _tiles(fields, "row", ROW)
        pile = _tiles(fields, "pile", TURNS * seats)
        removed = _tiles(fields, "removed", len(all_tiles) - len(row) - len(pile))
        needs_all(_names(row + pile + removed), _names(all_tiles), "row, pile and removed in setup")
        deal = Deal(seats=seats, first_seat=first_seat, row=row, pile=pile, removed=removed)
        return State(options, deal)

    def same_deal(self, state: State, dealt: State) -> bool:
        """The tiles only: no record says whether the table chose who begins."""
        one, other = state.deal, dealt.deal
        return (one.row, one.pile, one.removed) == (other.row, other.pile, other.removed)

    def action_to_record(self, action: Action) -> Json:
        if isinstance(action, Buy):
            return {"do": "buy", "position": action.position}
        return {"do": "place", "cells": [cell_name(action.first), cell_name(action.second)]}

    def action_from_record(self, value: Json) -> Action:
        fields = object_in(value, "action")
        match field_in(fields, "do", "action"):
            case "buy":
                return Buy(integer_in(fields, "position", "action", 1, ROW))
            case "place":
                return Place(*_cells(field_in(fields, "cells", "action")))
            case other:
                raise wrong("do in action", quoted(("buy", "place")), other)

    action_to_move = staticmethod(write_move)
    action_from_move = staticmethod(read_move)

    def outcome_to_record(self, outcome: Outcome) -> Json:
        return {
            "scores": list(outcome.scores),
            "parts": [structs.asdict(parts) for parts in outcome.parts],
            "winners": list(outcome.winners),
            "decided_by": outcome.decided_by.value,
        }

    def describe(self, refusal: Refusal) -> str:
        """A refusal in English, cells by their names."""
        cells = {
            name: cell_name(value)
            for name, value in refusal.params.items()
            if name in ("cell", "first", "second") and isinstance(value, int)
        }
        return worded(refusal, _SENTENCES, cells)


_SENTENCES: Final[dict[str, str]] = {
    RefusalCode.MATCH_OVER: "the match is over before this action",
    RefusalCode.NOT_YOUR_TURN: "it is another seat's turn",
    Refused.WRONG_PHASE: 'the action must be "{phase}" now',
    Refused.NO_TILE_THERE: "position must have a tile, and {position} has none",
    Refused.TOO_FEW_GEMS: "position {position} costs {cost} gems, the seat has {gems}",
    Refused.NOT_NEIGHBOURS: "cells must share a side, and {first} and {second} do not",
    Refused.CELL_TAKEN: "cells must be free, and a tile lies on {cell}",
    Refused.TOWN_HALL: "cells must be free, and the town hall stands on {cell}",
    Refused.SAME_HALVES: "both halves of the tile are equal: {second} must stand before {first}",
}


def _names(tiles: bytes) -> list[str]:
    return [NAMES[tile] for tile in tiles]


def _tiles(fields: dict[str, Json], name: str, count: int) -> bytes:
    value = list_in(fields, name, "setup")
    if len(value) != count:
        raise RecordError(f"{name} in setup must have {count} tiles, not {len(value)}")
    wanted = 'a tile\'s name, such as "house-park"'
    return bytes(named_in(tile, _TILE_OF, f"a tile of {name} in setup", wanted) for tile in value)


def _cells(value: Json) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise RecordError("cells in action must be a list of 2 cells")
    first, second = map(_cell, value)
    return first, second


def _cell(value: Json) -> int:
    cell = cell_named(value) if isinstance(value, str) else None
    if cell is None:
        raise wrong("a cell in action", f'"{cell_name(0)}" to "{cell_name(CELLS - 1)}"', value)
    return cell
