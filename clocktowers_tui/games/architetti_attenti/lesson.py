"""The first town of Architetti Attenti, guided, alone: houses, a park, a railway, shops and a
school; the player finds the tile that brings most."""

from collections.abc import Sequence
from typing import Final

from clocktowers_tui.games.architetti_attenti.actions import TILES, TURN
from clocktowers_tui.games.architetti_attenti.choosing import Selection, Stage, affordable, take_up
from clocktowers_tui.games.architetti_attenti.hinting import gain
from clocktowers_tui.games.architetti_attenti.reasons import SCHOOL_RULE
from clocktowers_tui.games.lesson import Lesson, Step
from clocktowers_tui.keys import actions
from clocktowers_tui.text.i18n import N_
from protocol.games.architetti_attenti import ROW, Buy, Place, View
from protocol.games.architetti_attenti.board import cell_named

_MEADOW, _ROW, _SCORE = "meadow", "row", "score"


def _buy(say: str, position: int, why: str = "") -> Step:
    return Step(say, (_ROW,), Buy(position), why)


def _place(say: str, first: str, second: str, why: str = "") -> Step:
    cells = cell_named(first), cell_named(second)
    assert cells[0] is not None and cells[1] is not None
    return Step(say, (_MEADOW, _SCORE), Place(cells[0], cells[1]), why)


def _best_buys(view: View) -> Sequence[Buy]:
    """The tile that brings most points at once, of those that the player can pay."""
    can = (position for position in range(1, ROW + 1) if affordable(view, position))
    looks = (take_up(view, Selection(Stage.CHOOSE), position).selection for position in can)
    return [Buy(max(looks, key=lambda one: gain(view, one)).position)]


LESSON: Final = Lesson(
    game="architetti_attenti",
    number=249204,
    options={"first_seat": 0},
    keys={"one": TILES[0], "two": TILES[1], "turn": TURN, "up": actions.UP, "help": actions.HELP},
    steps=(
        Step(
            N_("You build round the town hall. The most points win."),
            (_MEADOW, _SCORE),
            why=N_("No tile lies on the town hall."),
        ),
        _buy(
            N_("You score 1 for each house. {one}, {confirm} buy two."),
            1,
            N_("You buy a tile each turn; the first one is free."),
        ),
        _place(
            N_("A tile lies on any two free cells: {confirm} builds."),
            "e4",
            "f4",
            N_("A tile floats where it brings you most at once."),
        ),
        _buy(
            N_("You want a square of four houses: {two}, {confirm}."),
            2,
            N_("You skip tile 1, so you lay a gem on it."),
        ),
        _place(
            N_("You get 4 more for the square: {confirm} builds."),
            "e3",
            "f3",
            N_("Nine houses in a square would bring you 9 more."),
        ),
        _buy(
            N_("Your gem lies on tile 1. {one}, {confirm} get it back."),
            1,
            N_("You get the gems that lie on a tile you buy."),
        ),
        _place(
            N_("You score 1 for each house around a park: {confirm}."),
            "e5",
            "f5",
            N_("This park touches two houses, also across corners."),
        ),
        _buy(
            N_("You score tracks between stations. {two}, {confirm} buy."),
            2,
            N_("You need two stations, and tracks that join them."),
        ),
        _place(
            N_("You leave room to go on: {up}, {turn} turns it, {confirm}."),
            "e1",
            "e2",
            N_("You can move a tile. One station brings nothing yet."),
        ),
        _buy(
            N_("You need a second station: {two}, {confirm} buy it."),
            2,
            N_("You get stations times tracks for a railway."),
        ),
        _place(
            N_("You join them for 2 x 2 points: {confirm} builds."),
            "f1",
            "f2",
            N_("Two stations times the two tracks between them make 4."),
        ),
        Step(
            N_("Now you choose: buy the tile that adds most points."),
            (_ROW, _SCORE),
            _best_buys,
        ),
        _place(
            N_("Two different shops bring 5, your school 10: {confirm}."),
            "e6",
            "f6",
            SCHOOL_RULE,
        ),
        Step(
            N_("You have 22 turns. {help} tells what scores, {hint} advises."),
            (_SCORE,),
            why=N_("Gems that you keep fill schools. Paying empties them."),
        ),
    ),
)
