"""The first town of Architetti Attenti, guided, alone: houses, a park, a railway, and shops and a
school, for which the player finds the place."""

from collections.abc import Sequence
from typing import Final

from clocktowers_tui.games.architetti_attenti.actions import TILES, TURN
from clocktowers_tui.games.architetti_attenti.preview import points
from clocktowers_tui.games.lesson import Lesson, Step
from clocktowers_tui.text.i18n import N_
from protocol.games.architetti_attenti import Buy, Place, View, score
from protocol.games.architetti_attenti.board import cell_named, placements, with_tile

_MEADOW, _ROW, _SCORE = "meadow", "row", "score"


def _buy(say: str, position: int, why: str = "") -> Step:
    return Step(say, (_ROW,), Buy(position), why)


def _place(say: str, first: str, second: str, why: str = "") -> Step:
    cells = cell_named(first), cell_named(second)
    assert cells[0] is not None and cells[1] is not None
    return Step(say, (_MEADOW, _SCORE), Place(cells[0], cells[1]), why)


def _beside_a_shop(view: View) -> Sequence[Place]:
    """Where the tile lengthens a row of shops, for most points first."""
    assert view.seat is not None
    board, gems, before = view.boards[view.seat], view.gems[view.seat], points(view, view.seat)
    worth = {
        place: score.parts(with_tile(board, view.tile, *place), gems, score.Counting.of(view))
        for place in placements(board, view.tile)
    }
    paid = [place for place, after in worth.items() if after.shops > before.shops]
    return [Place(*place) for place in sorted(paid, key=lambda place: -worth[place].total)]


LESSON: Final = Lesson(
    game="architetti_attenti",
    number=249204,
    options={"first_seat": 0},
    keys={"one": TILES[0], "two": TILES[1], "turn": TURN},
    steps=(
        Step(N_("Fill your meadow with a town. Most points win."), (_MEADOW, _SCORE)),
        _buy(
            N_("{one} takes up a tile, {confirm} buys it. The first is free."),
            1,
            N_("Each turn you buy a tile of the row."),
        ),
        _place(
            N_("{confirm} builds it here: each house is 1 point."),
            "e4",
            "f4",
            N_("Next to the town hall is a good beginning."),
        ),
        _buy(
            N_("{two}, {confirm}: it costs a gem, which tile 1 gets."),
            2,
            N_("Two more houses make a square."),
        ),
        _place(
            N_("{confirm} completes a square: 4 houses pay 4 more."),
            "e3",
            "f3",
            N_("Nine houses in a square would pay 9 more."),
        ),
        _buy(
            N_("Your gem lies on tile 1. {one}, {confirm}: it comes back."),
            1,
            N_("The gems on a tile are yours with it."),
        ),
        _place(
            N_("{confirm}: a park pays 1 for each house it touches."),
            "e5",
            "f5",
            N_("It touches two houses, also across corners."),
        ),
        _buy(
            N_("Now rails: {two}, {confirm} buys a station with a track."),
            2,
            N_("Rails pay stations times tracks."),
        ),
        _place(
            N_("{confirm} builds it. One station pays nothing yet."),
            "e2",
            "f2",
            N_("The next station will be joined to this track."),
        ),
        _buy(
            N_("{two}, {confirm} buys the second one."),
            2,
            N_("Two stations and two tracks pay 4."),
        ),
        _place(
            N_("{turn} {turn} turns it, {confirm} joins them: 2 x 2 points."),
            "g3",
            "g2",
            N_("Turn it first: track must touch track."),
        ),
        _buy(
            N_("A shop and a school, and your 2 gems: {one}, {confirm}."),
            1,
            N_("With 5 gems kept, a school pays 10."),
        ),
        Step(
            N_("Now you: the arrows bring the florist to your bakery."),
            (_MEADOW, _SCORE),
            _beside_a_shop,
        ),
        Step(N_("Shops paid 5, gems 10. After 22 tiles it is over."), (_SCORE,)),
    ),
)
