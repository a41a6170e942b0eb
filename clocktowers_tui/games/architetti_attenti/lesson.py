"""The first town of Architetti Attenti, guided, alone: houses, a park, a railway, shops and a
school. After the first tile the player finds each place by its cells, and at last the tile."""

from collections.abc import Sequence
from typing import Final

from clocktowers_tui.games.architetti_attenti.actions import TILES, TURN
from clocktowers_tui.games.lesson import Lesson, Step
from clocktowers_tui.keys import actions
from clocktowers_tui.text.i18n import N_
from protocol.games.architetti_attenti import Buy, Place
from protocol.games.architetti_attenti.board import cell_named

_MEADOW, _ROW, _SCORE = "meadow", "row", "score"


def _buy(say: str, ask: str, position: int, why: str) -> Step:
    return Step(say, (_ROW,), Buy(position), why, ask=ask)


def _place(say: str, ask: str, first: str, second: str, why: str) -> Step:
    return Step(say, (_MEADOW, _SCORE), _on(first, second), why, ask=ask)


def _on(first: str, second: str) -> Place:
    cells = cell_named(first), cell_named(second)
    assert cells[0] is not None and cells[1] is not None
    return Place(cells[0], cells[1])


def _find(say: str, ask: str, lit: Sequence[str], action: Buy | Place, why: str) -> Step:
    """The player brings the tile there with any keys; the place is named, so that what follows
    can name cells, too."""
    return Step(say, lit, lambda _view: (action,), why, ask=ask)


def _build(say: str, ask: str, first: str, second: str, why: str) -> Step:
    return _find(say, ask, (_MEADOW, _SCORE), _on(first, second), why)


LESSON: Final = Lesson(
    game="architetti_attenti",
    number=249204,
    options={"first_seat": 0},
    keys={
        "one": TILES[0],
        "two": TILES[1],
        "turn": TURN,
        "up": actions.UP,
    },
    steps=(
        Step(
            N_("You build a town around the hall (W). Most points win."),
            (_MEADOW, _SCORE),
            why=N_("No tile lies on the town hall."),
        ),
        _buy(
            N_("You buy a tile each turn. A house scores 1."),
            N_("Press {one}, then {confirm}: you buy two houses."),
            1,
            N_("You buy a tile each turn; the first one is free."),
        ),
        _place(
            N_("Your first {confirm} bought it, the next one builds it."),
            N_("Press {up} (move), {turn} (turn), then {confirm} (build)."),
            "e3",
            "e4",
            N_("It lies on any two free cells."),
        ),
        _buy(
            N_("You may skip a tile: one of your gems goes there."),
            N_("Press {two}, then {confirm}: you skip tile 1 and pay 1."),
            2,
            N_("You skip tile 1, so you lay a gem on it."),
        ),
        _build(
            N_("Four houses in a square bring 4 points more."),
            N_("Put the two houses on f3 and f4."),
            "f3",
            "f4",
            N_("Two houses on f3 and f4 make a square: {hint} shows it."),
        ),
        _buy(
            N_("Your gem lies on tile 1. You get it with the tile."),
            N_("Press {one}, then {confirm}: you buy tile and gem."),
            1,
            N_("You get the gems that lie on a tile you buy."),
        ),
        _build(
            N_("A park scores 1 for each house on the 8 cells around."),
            N_("Put the bakery (B) on e1 and the park (P) on e2."),
            "e1",
            "e2",
            N_("On e2 the park touches two houses, e3 and f3: {hint} shows it."),
        ),
        _buy(
            N_("A railway scores its stations times its tracks."),
            N_("Press {two}, then {confirm}: you buy the first station."),
            2,
            N_("You need two stations, and tracks that join them."),
        ),
        _build(
            N_("Leave e5 and f5 free: your next tile goes there."),
            N_("Put the station (N) on c5 and the track (R) on d5."),
            "c5",
            "d5",
            N_("Beside d5 the next track finds room on e5: {hint} shows the place."),
        ),
        _buy(
            N_("A railway needs two stations, joined by tracks."),
            N_("Press {two}, then {confirm}: you buy the second one."),
            2,
            N_("A railway scores its stations times its tracks."),
        ),
        _build(
            N_("Join the tracks: 2 stations times 2 tracks score 4."),
            N_("Put the track (R) on e5 and the station (N) on f5."),
            "f5",
            "e5",
            N_("The track on e5 continues the one on d5: {hint} shows it."),
        ),
        _find(
            N_("At the end a school with 5 of your gems brings 10."),
            N_("Buy tile 1: its 2 gems and your 3 make 5."),
            (_ROW, _SCORE),
            Buy(1),
            N_("Only the school on tile 1 leaves you 5 gems: {hint} shows it."),
        ),
        _build(
            N_("Two different shops side by side bring 5."),
            N_("Put the florist (F) on f1 and the school (S) on g1."),
            "f1",
            "g1",
            N_("On f1 the florist stands beside the bakery: {hint} shows it."),
        ),
        Step(
            N_("Keep 5 gems to the end: 10 points. With 4, only 4."),
            (_SCORE,),
            why=N_("You have 22 turns."),
        ),
    ),
)
