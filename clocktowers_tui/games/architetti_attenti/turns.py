"""How far a match is, and whether it waits for one, as far as a view tells."""

from protocol.games.architetti_attenti import CELLS, Phase, View


def turn(view: View) -> int:
    """Which turn it is, from 1 on: each ends with a tile that is placed or discarded (rules: A
    turn)."""
    # A tile takes two cells; the town hall, always there, makes each board's count odd.
    built = sum((CELLS - board.count(0)) // 2 for board in view.boards)
    done = built + sum(map(len, view.discarded))
    return done if view.turn is None or view.phase is Phase.OVER else done + 1


def is_my_turn(view: View) -> bool:
    """Whether the seat of this view is to act."""
    return view.turn is not None and view.turn == view.seat and view.phase is not Phase.OVER


def due_ms(view: View) -> int | None:
    """None: nothing ends by itself."""
    return None
