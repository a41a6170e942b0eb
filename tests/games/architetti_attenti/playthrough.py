"""Architetti Attenti in its playthrough: how its values are printed, and what is played.

A cell is two characters: what stands there and where the tile's other half lies, so `H>` is a house
and the half to its right; `..` is free and `##` the town hall.
"""

from collections.abc import Iterator
from typing import Any, Final

from msgspec.structs import asdict

from protocol.games.architetti_attenti import (
    KIND_BITS,
    SIDE,
    TILES,
    Action,
    Buy,
    Event,
    Kind,
    Options,
    Outcome,
    View,
)
from protocol.games.architetti_attenti.board import cell_name
from tests.playthroughs import Playthrough

LETTERS: Final = ".HPSbkftr@#"
"""Kind → its letter; shops are small, `r` is a track and `@` a station."""

EDGES: Final = ">v<^"
TILE_FIELDS: Final = {"row", "removed"}


class ArchitettiAttentiWords:
    def options(self, options: Options) -> str:
        return " ".join(f"{name}={value}" for name, value in asdict(options).items())

    def action(self, action: Action) -> str:
        if isinstance(action, Buy):
            return f"buys {action.position}"
        return f"places {cell_name(action.first)} {cell_name(action.second)}"

    def event(self, event: Event) -> str:
        values = (f"{name}={_event_field(self, name, v)}" for name, v in asdict(event).items())
        return " ".join((str(event.__struct_config__.tag), *values))

    def field(self, name: str, value: Any) -> str:
        if name == "boards":
            return " / ".join(map(_board, value))
        if name == "discarded":
            return " / ".join(_tiles(tiles) or "-" for tiles in value)
        if isinstance(value, bytes):
            return (_tiles if name in TILE_FIELDS else _numbers)(value)
        return _tile(value) if name == "tile" else str(value)

    def outcome(self, outcome: Outcome) -> str:
        scores = "; ".join(
            f"{score} ({', '.join(f'{kind} {points}' for kind, points in asdict(parts).items())})"
            for score, parts in zip(outcome.scores, outcome.parts, strict=True)
        )
        winners = ", ".join(map(str, outcome.winners))
        return f"scores {scores}; won by {winners} ({outcome.decided_by})"

    def spectator(self, view: View) -> Iterator[str]:
        yield (
            f"turn {view.turn} {view.phase}; row {_tiles(view.row)}, gems {_numbers(view.on_row)}; "
            f"left {view.left}; bought {_tile(view.tile)}; gems {_numbers(view.gems)}"
        )
        for seat, board in enumerate(view.boards):
            yield f"board {seat}: {_board(board)}"
        shown = {"seat", "turn", "phase", "row", "on_row", "left", "tile", "gems", "boards"}
        for name, default in zip(view.__struct_fields__, _defaults(), strict=True):
            value = getattr(view, name)
            if name not in shown and value != default and any(value):
                yield f"{name} {self.field(name, value)}"


def _defaults() -> tuple[Any, ...]:
    """Of every field; those without one have None, which no field holds that is asked for."""
    fields = View.__struct_fields__
    defaults = View.__struct_defaults__
    return (*[None] * (len(fields) - len(defaults)), *defaults)


def _event_field(words: ArchitettiAttentiWords, name: str, value: Any) -> str:
    if isinstance(value, Options):
        return f"[{words.options(value)}]"
    if name in ("first", "second"):
        return cell_name(value)
    return f"[{_tiles(value)}]" if isinstance(value, bytes) else words.field(name, value)


def _tile(tile: int) -> str:
    return "".join(LETTERS[half] for half in TILES[tile]) if tile else "--"


def _tiles(tiles: bytes) -> str:
    return " ".join(map(_tile, tiles))


def _numbers(some: bytes) -> str:
    return " ".join(map(str, some))


def _board(board: bytes) -> str:
    cells = [_cell(byte) for byte in board]
    return " ".join("".join(cells[row : row + SIDE]) for row in range(0, len(cells), SIDE))


def _cell(byte: int) -> str:
    kind = Kind(byte & KIND_BITS)
    letter = LETTERS[kind]
    return letter * 2 if kind in (Kind.FREE, Kind.TOWN_HALL) else letter + EDGES[byte >> 4]


PLAYTHROUGH = Playthrough("architetti_attenti", ArchitettiAttentiWords(), ["easy"], Options(), 5)
