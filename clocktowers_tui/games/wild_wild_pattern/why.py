"""Why a key does nothing; `remarks` has the sentences."""

from enum import Enum, auto

from clocktowers_tui.games.wild_wild_pattern.offers import Task, task
from protocol.games.wild_wild_pattern import Phase, View


class Remark(Enum):
    """Why a key did nothing."""

    NOT_YOUR_TURN = auto()
    WATCHING = auto()
    OVER = auto()
    OUT = auto()
    NOT_READY = auto()
    NOT_YET = auto()
    WAITING = auto()
    ALREADY_SHOT = auto()
    PASSED = auto()
    OWN_CLICK = auto()
    TOO_LATE = auto()
    TOO_SOON = auto()
    PRESS_A_DIGIT = auto()
    NO_CLICK = auto()
    NOBODY_PASSES = auto()
    NO_PASS = auto()
    DIRECTION_FIRST = auto()
    NOT_BOTH = auto()
    NOT_DECLARING = auto()
    NOT_THERE = auto()
    GAP_THERE = auto()
    BARRED = auto()
    FILL_A_GAP = auto()
    SAME_COLOUR = auto()
    SURE = auto()


def why_nothing(view: View) -> Remark:
    """Why the match waits for nothing from here."""
    seat = view.seat
    if view.phase is Phase.OVER:
        return Remark.OVER
    if seat is None:
        return Remark.WATCHING
    if not view.standing[seat]:
        return Remark.OUT
    if view.phase is Phase.READY:
        return Remark.NOT_YET if view.done[seat] else Remark.NOT_READY
    if view.phase in (Phase.RACE, Phase.CLICKED):
        return _why_no_shot(view, seat)
    return Remark.TOO_LATE if view.phase is Phase.DECLARE else Remark.NOT_YOUR_TURN


def _why_no_shot(view: View, seat: int) -> Remark:
    if view.aimed is not None:
        return Remark.ALREADY_SHOT
    if view.done[seat]:
        return Remark.PASSED
    if view.phase is Phase.CLICKED and view.clicker == seat:
        return Remark.OWN_CLICK
    return Remark.WAITING if task(view) is Task.NOTHING else Remark.NOT_YOUR_TURN


def why_no_declaring(view: View) -> Remark:
    """Why a direction or a feature means nothing."""
    found = why_nothing(view)
    elsewhere = task(view) is not Task.NOTHING or found is Remark.NOT_YOUR_TURN
    return Remark.NOT_DECLARING if elsewhere else found


def why_no_digit(view: View, number: int, *, directed: bool) -> Remark:
    """`directed`: before or after has been picked."""
    match task(view):
        case Task.DECLARE:
            return Remark.NOT_BOTH if directed else Remark.DIRECTION_FIRST
        case Task.TAKE:
            return Remark.BARRED if view.wheel[number] else Remark.GAP_THERE
        case Task.LAY:
            return Remark.SAME_COLOUR if all(view.wheel) else Remark.FILL_A_GAP
        case Task.CHALLENGE:
            return Remark.NOT_THERE
        case _:
            return why_nothing(view)


def why_no_cursor(view: View) -> Remark:
    """Why there is nothing to move to or to confirm."""
    return Remark.PRESS_A_DIGIT if task(view) is Task.SHOOT else why_nothing(view)
