"""The first town of Architetti Attenti, guided, alone: houses, a park, a railway, shops and a
school. After the first tile the player finds each place, and at last the tile.

A place that brings the points of the sentence will do; the first track needs room beside it for the
second.
"""

from collections.abc import Sequence
from typing import Final

from clocktowers_tui.games.architetti_attenti import choosing
from clocktowers_tui.games.architetti_attenti.actions import TILES, TURN
from clocktowers_tui.games.lesson import Lesson, Step
from clocktowers_tui.keys import actions
from clocktowers_tui.text.i18n import N_
from protocol.games.architetti_attenti import CELLS, KIND_BITS, Buy, Kind, Place, View
from protocol.games.architetti_attenti.board import NEIGHBOURS, cell_named, placements, with_tile
from protocol.games.architetti_attenti.score import Counting

_MEADOW, _ROW, _SCORE = "meadow", "row", "score"


def _buy(say: str, ask: str, position: int, why: str, *shows: str) -> Step:
    return Step(say, (_ROW,), Buy(position), why, ask=ask, shows=shows)


def _place(say: str, ask: str, first: str, second: str, why: str) -> Step:
    return Step(say, (_MEADOW, _SCORE), _on(first, second), why, ask=ask)


def _on(first: str, second: str) -> Place:
    cells = cell_named(first), cell_named(second)
    assert cells[0] is not None and cells[1] is not None
    return Place(cells[0], cells[1])


def _with_room_beside(view: View) -> Sequence[Place]:
    """A station and a track, with room for the next such tile beside the track."""
    board, best = choosing.own_board(view), choosing.best(view, view.tile)
    found = [cells for cells in placements(board, view.tile) if _joins(board, view.tile, *cells)]
    return [Place(*cells) for cells in sorted(found, key=lambda cells: cells != best)]


def _joins(board: bytes, tile: int, first: int, track: int) -> bool:
    """Whether the same tile then fits beside the track, and leaves room for shops."""
    built = with_tile(board, tile, first, track)
    ways = [(far, near) for near in NEIGHBOURS[track] for far in NEIGHBOURS[near]]
    free = [way for way in ways if choosing.is_free(built, choosing.Ghost(*way))]
    return any(_room_for_shops(with_tile(built, tile, *way)) for way in free)


def _room_for_shops(board: bytes) -> bool:
    """Whether a tile can still lie beside the bakery, if there is one."""
    bakeries = [cell for cell in range(CELLS) if board[cell] & KIND_BITS == Kind.BAKERY]
    free = [cell for cell in range(CELLS) if not board[cell]]
    return all(
        any(beside in free and {*NEIGHBOURS[beside]} & {*free} for beside in NEIGHBOURS[bakery])
        for bakery in bakeries
    )


def _build(say: str, ask: str, part: str, points: int, why: str) -> Step:
    """On any cells where the tile brings so many points for this part; of equal ones the lowest
    is shown, or the one that plain mode has called the best."""

    def places(view: View) -> Sequence[Place]:
        assert view.seat is not None
        board, gems = view.boards[view.seat], view.gems[view.seat]
        least = getattr(choosing.points(view, view.seat), part) + points
        worth = choosing.worth(board, gems, Counting.of(view), view.tile)
        found = [
            cells
            for cells, parts in worth.items()
            if getattr(parts, part) >= least
            and (part == "shops" or _room_for_shops(with_tile(board, view.tile, *cells)))
        ]
        best = choosing.best(view, view.tile)
        found.sort(key=lambda cells: (worth[cells].total, cells == best, cells), reverse=True)
        return [Place(*cells) for cells in found]

    return Step(say, (_MEADOW, _SCORE), places, why, ask=ask)


LESSON: Final = Lesson(
    game="architetti_attenti",
    number=249204,
    options={"first_seat": 0},
    keys={"one": TILES[0], "two": TILES[1], "turn": TURN, "up": actions.UP},
    steps=(
        Step(
            N_("You build around a town hall (W). Most points win."),
            (_MEADOW, _SCORE),
            ask=N_("No tile covers the town hall. {confirm} goes on."),
        ),
        _buy(
            N_("You buy a tile each turn. A house scores 1."),
            N_("Press {one}, then {confirm}: you buy two houses."),
            1,
            N_("You buy one tile each turn. Tile 1 is always free."),
            _ROW,
            "houses",
        ),
        _place(
            N_("A tile covers two free cells side by side."),
            N_("Press {up}, which moves it, then {confirm}: you build it."),
            "e3",
            "f3",
            N_("One {confirm} bought it, the next builds it."),
        ),
        Step(
            N_("A tile begins where it looks best; you may move it."),
            (_MEADOW,),
            why=N_("It looks no further than this tile: you do."),
            ask=N_("Where it stays, you decide. {confirm} goes on."),
        ),
        _buy(
            N_("You skip tile 1: you pay 1 gem, which goes on it."),
            N_("Press {two}, then {confirm}: you buy tile 2."),
            2,
            N_("You lay a gem on each tile that you skip, here on tile 1."),
            "blocks",
            "gems",
        ),
        _build(
            N_("Four houses in a block (2x2) bring 4 more."),
            N_("Put them above or below the first two."),
            "blocks",
            4,
            N_("Two houses above or below the first two: {hint} shows it."),
        ),
        _buy(
            N_("You get the gems on a tile you buy."),
            N_("Press {one}, then {confirm}: your gem comes back."),
            1,
            N_("The gem lies on tile 1, which you skipped."),
            "parks",
        ),
        _build(
            N_("A park scores 1 per house around it, corners too."),
            N_("Put the park (P) beside two houses."),
            "parks",
            2,
            N_("Two houses must touch the park. {hint} shows a place."),
        ),
        _buy(
            N_("A railway joins stations (N) with tracks (R)."),
            N_("Press {two}, then {confirm}: you buy one of each."),
            2,
            N_("You need two stations, and tracks that join them."),
            "rails",
        ),
        Step(
            N_("One station scores nothing: a railway needs two."),
            (_MEADOW, _SCORE),
            _with_room_beside,
            N_("The next tile must fit beside the track: {hint} shows it."),
            ask=N_("Build it: keep two free cells beside the track (R)."),
        ),
        _buy(
            N_("A railway scores its stations times its tracks."),
            N_("Press {two}, then {confirm}: one more of each."),
            2,
            N_("You need a second station, and tracks that join the two."),
        ),
        _build(
            N_("2 stations times 2 tracks score 4."),
            N_("Put the new track (R) beside the first."),
            "rails",
            4,
            N_("Both tracks must touch at a side: {hint} shows it."),
        ),
        Step(
            N_("A school scores 1 a gem; with 5 gems it scores 10."),
            (_ROW, _SCORE),
            lambda _view: [Buy(1)],
            N_("Only tile 1 leaves you 5 gems: {hint} shows it."),
            ask=N_("Tile 1 has 2 gems, you have 3: buy it."),
            shows=("shops", "schools"),
        ),
        _build(
            N_("Two different shops side by side bring 5."),
            N_("Put the florist (F) beside the bakery (B)."),
            "shops",
            5,
            N_("The two shops touch at a side: {hint} shows a place."),
        ),
        Step(
            N_("2, 3, 4 different shops in a row bring 5, 10, 15."),
            (_SCORE,),
            why=N_("A row runs across or down; a shop can count in both."),
            ask=N_("A row holds each shop once. {confirm} goes on."),
        ),
        Step(
            N_("In the end your gems go on schools, up to 5 each."),
            (_SCORE,),
            why=N_("So paying costs points; gems score only on schools."),
            ask=N_("7 gems on two schools bring 10 and 2. {confirm} goes on."),
        ),
    ),
)
