"""How far a match is, and whether it waits for one, as far as a view tells."""

from protocol.games.clocktowers import START_HAND, Phase, View


def turn(view: View) -> int:
    """Which turn it is, from 1 on: one card leaves a hand in each (rules: A turn)."""
    done = sum(view.thrown) + sum(len(tower) for town in view.towns for tower in town.towers)
    if view.turn is None or view.phase is Phase.OVER:
        return done
    # Where one plays before one draws, the card of the present turn is gone when one draws.
    played = view.phase is Phase.DRAW and view.hands[view.turn] < len(START_HAND)
    return done if played else done + 1


def is_my_turn(view: View) -> bool:
    """Whether the seat of this view is to act."""
    return view.turn is not None and view.turn == view.seat and view.phase is not Phase.OVER


def due_ms(view: View) -> int | None:
    """None: nothing ends by itself."""
    return None
