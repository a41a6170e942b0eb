"""Architetti Attenti for the laws of the client."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, product
from typing import Any, Final

from msgspec.structs import replace

from clocktowers_tui.config.look import Look, Palette
from clocktowers_tui.games.architetti_attenti import choosing, words
from clocktowers_tui.games.architetti_attenti.actions import TILES
from clocktowers_tui.games.architetti_attenti.board import ArchitettiAttentiBoard
from clocktowers_tui.games.architetti_attenti.choosing import NOTHING, settle, take_up
from clocktowers_tui.games.architetti_attenti.inks import PAINTING
from clocktowers_tui.games.architetti_attenti.sight import Arrangement, Neighbour, Scene, layout
from clocktowers_tui.games.parts import Hit, Shared
from clocktowers_tui.games.spans import Rect
from clocktowers_tui.keys.actions import CONFIRM
from clocktowers_tui.keys.keymap import Keymap
from protocol.errors import Refusal
from protocol.games.architetti_attenti import (
    CELLS,
    PRESETS,
    Bought,
    Buy,
    Dealt,
    Discarded,
    End,
    Options,
    Phase,
    Placed,
    Rails,
    Refused,
    Revealed,
    View,
)
from tests.games.architetti_attenti import matches
from tests.games.architetti_attenti.boards import LOG, NEWS, NO_ROOM, board, scene
from tests.games.architetti_attenti.matches import TownMatch
from tests.stage.board_shell import BoardShell
from tests.stage.golden_boards import NAMES
from tests.stage.own_files import Drawn, FaceCase, OnBoard, Said

_LOOK: Final = Look()
_FOUR: Final = board(4)


def shell(
    view: View, *, look: Look = _LOOK, wish: str = "", match: TownMatch | None = None
) -> BoardShell[ArchitettiAttentiBoard]:
    board = ArchitettiAttentiBoard(look, wish)
    return BoardShell(board, view, lambda view: len(view.boards), LOG, match)


_BOARD: Final = OnBoard(
    shell=shell,
    golden=(_FOUR, ("2", "b"), "4-players-80x24"),
    whose="►You",
    hints=(
        (_FOUR, ("right",), "Pick a tile first: 1-4."),
        (None, ("2",), "Its best place: +5 now."),
        (None, ("right", "b"), "Its best place: +5 now. Parks +2, Houses +2"),
        (None, ("left",), "It does not fit here"),
        (None, ("4",), "Too dear: you lack 1 gem."),
        (None, ("4", "enter"), "Too dear: you lack 1 gem. Take a tile nearer to 1."),
        (
            board(4, phase=Phase.PLACE),
            ("b", "left"),
            "It does not fit here: Enter moves it to d5 d6.",
        ),
        (None, ("enter",), "Enter builds it. Its best place: +4 now"),
        (board(2, own=NO_ROOM), ("1",), "No room for any tile: Enter takes and discards it."),
    ),
    sends=(_FOUR, ("2", "enter"), ("enter", "1", "r", "escape"), Buy(2)),
    back=(_FOUR, ("2", "o"), 2),
    # The ghost's rows, old and new, and the points.
    paints=(_FOUR, board(4), (("2", 80), ("down", 14))),
    marked=(_FOUR, ("2", "o")),
    parts=(board(2), {"meadow", "row", "score", "towns", "log", "goal"}),
)


def moments(seats: int, seat: int | None) -> Iterator[Scene]:
    match = TownMatch(seats, Options(end=End.ROW, rails=Rails.STRETCH), seed=7, seat=seat)
    while True:
        view = match.view()
        selection = settle(view, None, NOTHING)
        if view.turn == seat and view.phase is Phase.BUY:
            selection = take_up(view, selection, 1).selection
        yield Scene(view, NAMES[:seats], selection=selection)
        if match.over():
            return
        match.play_one()


def laid_out(width: int, height: int) -> Iterable[Sequence[Rect]]:
    for wish, seats, over in product(Arrangement, (1, 2, 4), (False, True)):
        if (found := layout(width, height, wish, seats=seats, over=over)) is not None:
            yield [*found.places.values()]


def grounds(palette: Palette) -> list[str]:
    paint = PAINTING.paints[palette]
    kinds = ("house", "park", "school", "bakery", "track", "station")
    return [paint[kind].colour for kind in kinds]


_DRAWN: Final = Drawn(
    moments=moments,
    crowded=[
        scene(board(4, phase=phase))._replace(news=NEWS, looking=looking)
        for phase in Phase
        for looking in (None, 1)
    ],
    hits=(
        (
            scene(_FOUR, up=2)._replace(news=NEWS),
            {
                *(Hit(choosing.point, (cell,)) for cell in range(CELLS)),
                *(Hit(choosing.pick, (position,)) for position in range(1, 5)),
                *(Neighbour(seat) for seat in range(4)),
                Shared.LOG,
            },
        ),
    ),
    laid_out=laid_out,
    drawn=(),
    grounds=grounds,
    apart=15.0,  # of the grounds of houses, parks, schools, shops, tracks and stations
)


@cache
def played(seats: int, seed: int, seat: int | None) -> TownMatch:
    return matches.played(seats, Options(), seed, seat)


def seen(match: TownMatch) -> Iterator[tuple[Sequence[Any], View]]:
    """With another first row or seat, another new tile at any time, or others that went out."""
    events, view = match.events, match.view()
    (dealt, *later), removed, seats = events, view.removed, len(view.boards)
    for wrong in (
        replace(dealt, first_seat=(dealt.first_seat + 1) % seats),
        replace(dealt, row=bytes((dealt.row[0] % 15 + 1, *dealt.row[1:]))),
        replace(dealt, row=b""),
        replace(dealt, left=dealt.left + 1),
    ):
        yield [wrong, *later], view
    new = [at for at, event in enumerate(events) if isinstance(event, Revealed)]
    for at in new:
        # Another tile of the pile may come by later, but then one is missing at its end.
        yield [*events[:at], Revealed(events[at].tile % 15 + 1), *events[at + 1 :]], view
    first, last = next(
        pair for pair in combinations(new, 2) if len({*map(events.__getitem__, pair)}) == 2
    )
    swapped = [*events]
    swapped[first], swapped[last] = events[last], events[first]
    yield swapped, view
    yield [*events, events[new[-1]]], view
    for at, tile in enumerate(removed):
        other = removed[:at] + bytes((tile % 15 + 1,)) + removed[at + 1 :]
        yield events, replace(view, removed=other)
    for boards in (0, 5):
        yield events, replace(view, boards=view.boards[:1] * boards)


_DEALT: Final = Dealt(1, b"\1\2\3\4", 44, Options())
_WORDS: Final = Said(
    played=played,
    told=(
        (_DEALT, "The tiles are laid out; Björn begins"),
        (Bought(1, 1, 2, 0, 0), "Björn bought a house and a park"),
        (Bought(1, 3, 2, 2, 0), "Björn bought a house and a park for 2 gems"),
        (Bought(1, 1, 2, 0, 3), "Björn bought a house and a park and got 3 gems"),
        (Bought(1, 4, 10, 3, 1), "Björn bought two tracks for 3 gems and got 1 gem"),
        (Placed(1, 2, 0, 7), "Björn built a house on a1 and a park on a2"),
        (Placed(1, 2, 48, 47), "Björn built a house on g7 and a park on f7"),
        (Discarded(1, 2), "Björn had no room: the tile is gone"),
        (Revealed(1), ""),
    ),
    own=(
        (_DEALT, 1, "The tiles are laid out; you begin"),
        (Bought(1, 2, 9, 1, 1), 1, "You bought a house and a station for 1 gem and got 1 gem"),
        (Placed(1, 2, 0, 1), 1, "You built a house on a1 and a park on b1"),
        (Discarded(1, 2), 1, "You had no room: the tile is gone"),
    ),
    silent=lambda event: isinstance(event, Revealed),
    seen=seen,
    shown=Revealed,
    options=(
        (
            PRESETS["letter"],
            "Blocks of houses: every block counts; Parks: each house once; Rails: 2 for each track",
        ),
        (PRESETS["last-tile"], "The end: when the row is empty"),
        (
            {"take_back": "off", "first_seat": 0},
            "Taking moves back: not allowed; Who begins: seat 1",
        ),
        ({"from_a_newer_server": 1, "rails": "sideways"}, "standard rules"),
    ),
    values={},
    keys=(
        (
            Keymap({CONFIRM.id: ("y",)}),
            Refusal(Refused.WRONG_PHASE, {"phase": Phase.PLACE}),
            "You have bought your tile: build it with y.",
        ),
        (
            Keymap({TILES[0].id: ("x",)}),
            Refusal(Refused.WRONG_PHASE, {"phase": Phase.BUY}),
            "First buy a tile: choose one with x 2 3 4.",
        ),
    ),
    letters={
        "a house": "H",
        "a park": "P",
        "a school": "S",
        "a bakery": "B",
        "a bookshop": "K",
        "a florist": "F",
        "a toy shop": "T",
        "a track": "R",
        "a station": "N",
        "the town hall": "W",
    },
    lettered=lambda: words.kind_letters()[1:],
)

CASE: Final = FaceCase(_BOARD, _DRAWN, _WORDS)
