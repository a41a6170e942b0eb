"""Architetti Attenti as the server lists it: its rules, and how records are written."""

from typing import Final

from protocol.games.architetti_attenti import (
    ROW,
    TILES,
    TURNS,
    Action,
    Deal,
    Event,
    Options,
    Outcome,
    View,
    pool,
)
from protocol.games.architetti_attenti.board import cell_name
from protocol.games.moves import Json, first_seat_in, needs_all, object_in, pieces_in
from protocol.games.registry import GAMES
from server.games.architetti_attenti import rules, state, view
from server.games.architetti_attenti.bots import BOTS, judge
from server.games.architetti_attenti.state import State, fresh
from server.games.contract import Game, Rules
from server.games.notation import Notation

RULES: Final = Rules[State, Options, Action, Event, View, Outcome](
    GAMES["architetti_attenti"],
    setup=state.setup,
    opening=state.opening,
    to_act=rules.to_act,
    legal_actions=rules.legal_actions,
    refuse=rules.refuse,
    apply=rules.apply,
    untold=rules.advance,
    copy=state.copy,
    public=view.public,
    determinize=view.determinize,
    outcome=rules.outcome,
    lose=rules.lose,
    revocable=rules.revocable,
)

# Records -----------------------------------------------------------------------------------------

NAMES: Final = tuple("-".join(half.name.lower() for half in halves) for halves in TILES)
"""Tile byte → its name in records, as the rules page writes it; 0 is never written."""


def _setup_to_record(state: State) -> Json:
    """`row` from position 1 on, `pile` top tile first; `removed` as shuffled."""
    deal = state.deal
    return {
        "first_seat": deal.first_seat,
        "row": _names(deal.row),
        "pile": _names(deal.pile),
        "removed": _names(deal.removed),
    }


def _setup_from_record(value: Json, options: Options, seats: int) -> State:
    """A fresh state; every tile of the sheets must be there."""
    fields = object_in(value, "setup")
    first_seat = first_seat_in(fields, seats)
    all_tiles = pool(seats)
    row = _tiles(fields, "row", ROW)
    pile = _tiles(fields, "pile", TURNS * seats)
    removed = _tiles(fields, "removed", len(all_tiles) - len(row) - len(pile))
    needs_all(_names(row + pile + removed), _names(all_tiles), "row, pile and removed in setup")
    return fresh(options, Deal(seats, first_seat, row, pile, removed))


def _tiles(fields: dict[str, Json], name: str, count: int) -> bytes:
    wanted = 'a tile\'s name, such as "house-park"'
    return pieces_in(fields, name, "setup", count, "tile", NAMES, wanted)


def _names(tiles: bytes) -> list[str]:
    return [NAMES[tile] for tile in tiles]


NOTATION: Final = Notation(
    RULES.words,
    rules=("blocks", "parks", "rails", "end"),
    setup_to_record=_setup_to_record,
    setup_from_record=_setup_from_record,
    names=dict.fromkeys(("cell", "first", "second"), cell_name),
)

GAME: Final = Game(RULES, NOTATION, BOTS, judge=judge)
