"""Boards set up by hand, for goldens and tests: a tile is written `first second tile`, by its cells
and the number of its byte."""

from collections.abc import Sequence

from clocktowers_tui.games.architetti_attenti import choosing
from clocktowers_tui.games.architetti_attenti.log import News
from clocktowers_tui.games.architetti_attenti.scene import PARTS, sight
from clocktowers_tui.games.architetti_attenti.sight import Scene
from protocol.games.architetti_attenti import Phase, View
from protocol.games.architetti_attenti.board import MEADOW, with_tile
from tests.games.architetti_attenti.meadows import at
from tests.stage.golden_boards import NAMES, drawer

draw = drawer(sight, PARTS)

LOG = (
    "The tiles are laid out; Ann begins",
    "Chiara bought house and park for 1 gem",
    "Chiara built a house on c3 and a park on d3",
    "Dmitri bought station and track and got 2 gems",
    "Dmitri built a station on f6 and a track on g6",
)
ANN = (
    "a1 b1 1", "c1 d1 2", "a2 a3 1", "b2 b3 1", "c2 c3 4", "d2 d3 12", "e1 f1 11", "g1 g2 10",
    "g3 g4 9", "e2 f2 10", "e3 e4 5", "a5 a4 11", "b5 b4 6", "c6 c5 13", "b6 a6 7", "a7 b7 14",
    "e7 e6 15",
)  # fmt: skip
BJORN = ("a1 a2 1", "b1 b2 2", "c1 d1 10", "e1 f1 11", "c3 d3 3", "e5 e6 12", "f5 g5 8")
CHIARA = ("d1 e1 1", "d2 e2 1", "d3 e3 2", "a4 b4 13", "a5 b5 6", "c3 b3 11", "f3 f2 9")
DMITRI = ("g7 f7 1", "g6 f6 11", "e7 d7 5", "c7 b7 7", "a7 a6 14", "b6 c6 10")
OTHERS = (BJORN, CHIARA, DMITRI)
NO_ROOM = (
    "a1 b1 1", "d1 e1 2", "g1 g2 3", "a2 a3 1", "b2 c2 4", "d2 e2 12", "f2 f3 8", "b3 b4 9",
    "c3 d3 11", "e3 e4 10", "g3 g4 1", "a5 b5 1", "c4 c5 5", "d5 e5 6", "f4 f5 7", "g6 g5 14",
    "a6 a7 2", "b6 c6 13", "e6 f6 15", "c7 d7 1", "e7 f7 1",
)  # fmt: skip
NEWS: News = {2: frozenset({15, 16}), 3: frozenset({40, 47})}


def town(tiles: Sequence[str]) -> bytes:
    board = MEADOW
    for written in tiles:
        one, other, tile = written.split()
        first, second = at(one), at(other)
        assert not board[first] and not board[second], written
        board = with_tile(board, int(tile), first, second)
    return board


def board(
    seats: int,
    *,
    own: Sequence[str] = ANN,
    seat: int | None = 0,
    turn: int | None = 0,
    phase: Phase = Phase.BUY,
    gems: Sequence[int] = (2, 5, 0, 7),
) -> View:
    """Ann's turn; the second tile of the row has gone when it is bought."""
    bought = phase is Phase.PLACE
    return View(
        seat=seat,
        turn=None if phase is Phase.OVER else turn,
        phase=phase,
        row=bytes((2, 0, 11, 15) if bought else (2, 1, 11, 15)),
        on_row=bytes((1, 0, 3, 0) if bought else (0, 2, 3, 0)),
        left=0 if phase is Phase.OVER else 31,
        tile=1 if bought else 0,
        boards=[town(tiles) for tiles in (own, *OTHERS)[:seats]],
        gems=bytes(gems[:seats]),
        discarded=[b""] * seats,
        removed=bytes((1, 1)) if phase is Phase.OVER else b"",
    )


def scene(view: View, *, up: int | None = None, ghost: choosing.Ghost | None = None) -> Scene:
    """With the tile at position `up` taken up, where it brings most; the ghost, if told, there."""
    selection = choosing.settle(view, None, choosing.NOTHING)
    if up is not None:
        selection = choosing.at_its_best(view, choosing.take_up(view, selection, up).selection)
    if ghost is not None:
        selection = selection._replace(ghost=ghost)
    return Scene(view, NAMES[: len(view.boards)], log=LOG, selection=selection)
