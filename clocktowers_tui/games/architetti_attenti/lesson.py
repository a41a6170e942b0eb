"""The first town of Architetti Attenti, guided, alone: houses, a park, a school and its gems, a
railway."""

from typing import Final

from clocktowers_tui.games.architetti_attenti.actions import TILES, TURN
from clocktowers_tui.games.lesson import Lesson, Step
from clocktowers_tui.keys import actions
from clocktowers_tui.text.i18n import N_
from protocol.games.architetti_attenti import Buy, Place
from protocol.games.architetti_attenti.board import cell_named

_MEADOW, _ROW, _SCORE = "meadow", "row", "score"


def _buy(say: str, position: int) -> Step:
    return Step(say, (_ROW,), Buy(position))


def _place(say: str, first: str, second: str) -> Step:
    cells = cell_named(first), cell_named(second)
    assert cells[0] is not None and cells[1] is not None
    return Step(say, (_MEADOW, _SCORE), Place(cells[0], cells[1]))


LESSON: Final = Lesson(
    game="architetti_attenti",
    number=432975,
    options={"first_seat": 0},
    keys={
        "one": TILES[0],
        "two": TILES[1],
        "turn": TURN,
        "left": actions.LEFT,
    },
    wrong={
        Buy: N_("Another tile this time: {hint} shows which."),
        Place: N_("Another place this time: {hint} shows where."),
    },
    steps=(
        Step(N_("Fill your meadow with a town. Most points win."), (_MEADOW,)),
        Step(N_("This table counts your points while you build."), (_SCORE,)),
        Step(N_("Each turn you buy a tile; the first one is free."), (_ROW,)),
        _buy(N_("{one} takes up the first tile, {confirm} buys it."), 1),
        _place(N_("{turn} turns it, {confirm} builds: each house is 1 point."), "e4", "e5"),
        Step(N_("Four houses in a square pay 4 more, nine pay 9."), (_SCORE,)),
        _buy(N_("{two}, {confirm}: it costs a gem, which tile 1 gets."), 2),
        _place(N_("{confirm} completes the square: 4 points more."), "f4", "f5"),
        _buy(N_("Your gem lies on tile 1. {one}, {confirm}: it comes back."), 1),
        _place(N_("A park pays 1 for each house it touches: {confirm}."), "g4", "g5"),
        Step(N_("It touches 3 houses, also across corners: 3 points."), (_SCORE,)),
        _buy(N_("A school pays for the gems you keep: {one}, {confirm}."), 1),
        _place(N_("{left} moves it one cell, {confirm} builds it."), "f2", "f3"),
        Step(N_("You kept 5 gems: 10 points. With 4 it is only 4."), (_SCORE,)),
        _buy(N_("Now rails: {one}, {confirm} buys a station with a track."), 1),
        _place(N_("{confirm} builds it. One station pays nothing yet."), "e2", "e3"),
        _buy(N_("{one}, {confirm} buys the second one."), 1),
        _place(N_("{confirm}: 2 stations, joined by 2 tracks, pay 2 x 2."), "d2", "d3"),
        Step(N_("Different shops in a line pay: 2 are 5, 3 are 10."), (_ROW,)),
        Step(N_("Against others, all of you buy from this row."), (_ROW,)),
        Step(N_("After 22 tiles the town is done: most points win."), (_SCORE,)),
    ),
)
