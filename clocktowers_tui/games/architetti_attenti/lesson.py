"""The first town of Architetti Attenti, guided, alone: houses, a park, a railway, shops and a
school. After the first tile the player chooses each place, and at last the tile."""

from collections.abc import Sequence
from typing import Final

from clocktowers_tui.games.architetti_attenti import choosing
from clocktowers_tui.games.architetti_attenti.actions import TILES, TURN
from clocktowers_tui.games.architetti_attenti.placing import worth
from clocktowers_tui.games.architetti_attenti.preview import points
from clocktowers_tui.games.lesson import Lesson, Step
from clocktowers_tui.keys import actions
from clocktowers_tui.text.i18n import N_
from protocol.games.architetti_attenti import (
    ROW,
    TILES as KINDS,
    Buy,
    Kind,
    Place,
    View,
)
from protocol.games.architetti_attenti.board import NEIGHBOURS, cell_named, is_double
from protocol.games.architetti_attenti.score import FULL_SCHOOL, Counting

_MEADOW, _ROW, _SCORE = "meadow", "row", "score"


def _buy(say: str, ask: str, position: int, why: str) -> Step:
    return Step(say, (_ROW,), Buy(position), why, ask=ask)


def _place(say: str, ask: str, first: str, second: str, why: str) -> Step:
    cells = cell_named(first), cell_named(second)
    assert cells[0] is not None and cells[1] is not None
    return Step(say, (_MEADOW, _SCORE), Place(cells[0], cells[1]), why, ask=ask)


def _where(say: str, ask: str, part: str, least: int, why: str) -> Step:
    """The player finds a place that adds so much to a part; the best ones stand first."""

    def places(view: View) -> Sequence[Place]:
        gains = _gains(view, part)
        enough = min(least, max(gains.values()))
        found = [place for place, gain in gains.items() if gain >= enough]
        return sorted(found, key=lambda place: -gains[place])

    return Step(say, (_MEADOW, _SCORE), places, why, ask=ask)


def _gains(view: View, part: str) -> dict[Place, int]:
    """Where the bought tile fits → what it adds to a part there."""
    assert view.seat is not None
    now = getattr(points(view, view.seat), part)
    found = worth(choosing.own_board(view), view.gems[view.seat], Counting.of(view), view.tile)
    once = {cells for cells in found if not is_double(view.tile) or cells[0] < cells[1]}
    return {Place(*cells): getattr(found[cells], part) - now for cells in sorted(once)}


def _room_for_tracks(view: View) -> Sequence[Place]:
    """Where another tile fits behind the track, in line with this one."""
    board = choosing.own_board(view)
    return [place for place in _gains(view, "rails") if _is_free_behind(place, board)]


def _is_free_behind(place: Place, board: bytes) -> bool:
    step, last, free = place.second - place.first, place.second, 0
    while last + step in NEIGHBOURS[last] and not board[last + step]:
        last, free = last + step, free + 1
    return free >= 2  # the cells of a tile


def _school_that_fills(view: View) -> Sequence[Buy]:
    """The schools that leave the player enough gems for the most points."""
    assert view.seat is not None

    def left(position: int) -> int:
        gems = view.gems[view.seat or 0] - choosing.cost(view, position)
        return gems + view.on_row[position - 1]

    return [
        Buy(position)
        for position in range(1, ROW + 1)
        if Kind.SCHOOL in KINDS[view.row[position - 1]] and left(position) >= FULL_SCHOOL
    ]


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
            N_("You build a town round the hall. Most points win."),
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
        _where(
            N_("Make a square of four houses: it adds 4."),
            N_("Move the tile beside your two houses; {hint} shows it."),
            "blocks",
            4,
            N_("Two rows of two houses make a square."),
        ),
        _buy(
            N_("Your gem lies on tile 1. You get it with the tile."),
            N_("Press {one}, then {confirm}: you buy tile and gem."),
            1,
            N_("You get the gems that lie on a tile you buy."),
        ),
        _where(
            N_("A park scores 1 for each house beside it: get 2."),
            N_("Lay the park beside two houses; {hint} shows a place."),
            "parks",
            2,
            N_("A house across a corner counts, too."),
        ),
        _buy(
            N_("A railway scores its stations times its tracks."),
            N_("Press {two}, then {confirm}: you buy the first station."),
            2,
            N_("You need two stations, and tracks that join them."),
        ),
        Step(
            N_("Leave two free cells in line behind the track."),
            (_MEADOW, _SCORE),
            _room_for_tracks,
            N_("The next track and station go there."),
            ask=N_("Move and turn the tile; {hint} shows a good place."),
        ),
        _buy(
            N_("A railway needs two stations, joined by tracks."),
            N_("Press {two}, then {confirm}: you buy the second one."),
            2,
            N_("A railway scores its stations times its tracks."),
        ),
        _where(
            N_("Join the tracks: 2 stations times 2 tracks score 4."),
            N_("Lay track beside track; {hint} shows a place."),
            "rails",
            4,
            N_("Across a corner does not count."),
        ),
        Step(
            N_("Each school takes 5 of your gems and brings 10."),
            (_ROW, _SCORE),
            _school_that_fills,
            N_("You get the gems that lie on a tile you buy."),
            ask=N_("Buy a school that leaves you 5 gems; {hint} shows it."),
        ),
        _where(
            N_("Two different shops in a row bring 5."),
            N_("Lay the florist beside the bakery; {hint} shows it."),
            "shops",
            5,
            N_("They stand in one line, with no gap."),
        ),
        Step(
            N_("Keep your 5 gems: pay one, and the school falls to 4."),
            (_SCORE,),
            why=N_("You have 22 turns."),
        ),
    ),
)
