"""The legal actions of a view. The view does not list them: they follow from what is open."""

from typing import NamedTuple

from protocol.games.architetti_attenti import Action, Buy, Phase, Place, View
from protocol.games.architetti_attenti.board import placements, with_tile


class Site(NamedTuple):
    """A place for a tile, and the board with it there."""

    first: int
    second: int
    board: bytes


class Purchase(NamedTuple):
    """A tile that the seat can pay for. `gems`: what the seat has after buying it."""

    position: int
    tile: int
    gems: int


def choices(view: View) -> list[Action]:
    """Every legal action of the seat that the view was made for, whose turn it is."""
    if view.phase is Phase.BUY:
        return [Buy(purchase.position) for purchase in purchases(view)]
    return [Place(site.first, site.second) for site in sites(own_board(view), view.tile)]


def own_board(view: View) -> bytes:
    assert view.seat is not None
    return view.boards[view.seat]


def purchases(view: View) -> list[Purchase]:
    """The tiles that the seat can pay for, by position."""
    assert view.seat is not None
    gems = view.gems[view.seat]
    return [
        Purchase(place + 1, tile, gems - place + view.on_row[place])
        for place, tile in enumerate(view.row)
        if tile and place <= gems
    ]


def sites(board: bytes, tile: int) -> list[Site]:
    return [
        Site(first, second, with_tile(board, tile, first, second))
        for first, second in placements(board, tile)
    ]
