"""What the player is about to do: a tile, then its place. Pure values and functions.

Laws: taking a tile up and moving it sends nothing; no key makes an action that the rules would
refuse, for all that they ask (the row, the gems, the free cells) lies open in the view.
"""

from enum import Enum, auto
from typing import Final, NamedTuple

from protocol.games.architetti_attenti import (
    HALL,
    ROW,
    SIDE,
    STEPS,
    Action,
    Buy,
    Phase,
    Place,
    View,
)
from protocol.games.architetti_attenti.board import NEIGHBOURS, has_room, is_double, placements


class Stage(Enum):
    NOTHING = auto()
    """It is somebody else's turn, the match is over, or one only watches."""
    CHOOSE = auto()
    LOOK = auto()
    """A tile is taken up, but not bought."""
    PLACE = auto()


class Ghost(NamedTuple):
    """Where a tile would lie: the cell of its first half, and where the other half is (`STEPS`)."""

    first: int
    towards: int

    @property
    def second(self) -> int:
        return self.first + STEPS[self.towards]

    @property
    def cells(self) -> tuple[int, int]:
        return self.first, self.second


class Selection(NamedTuple):
    """`position`: 1-4, of the tile taken up. `ghost` outlives a turn; None before the first."""

    stage: Stage = Stage.NOTHING
    position: int = 1
    ghost: Ghost | None = None


class Remark(Enum):
    """Why a key did nothing; `sentences` has the words."""

    NOT_YOUR_TURN = auto()
    WATCHING = auto()
    OVER = auto()
    TAKE_UP_FIRST = auto()
    NO_TILE_THERE = auto()
    TOO_DEAR = auto()
    BOUGHT_ALREADY = auto()
    NOT_FREE = auto()
    THE_HALL = auto()
    FITS_NOWHERE = auto()


class Step(NamedTuple):
    selection: Selection
    action: Action | None = None
    remark: Remark | None = None


NOTHING: Final = Selection()
_MIDDLE: Final = Ghost(HALL + 1, 0)


def settle(view: View, before: View | None, selection: Selection) -> Selection:
    """The selection to go on with when a view comes in: the same if nothing about it changed. In
    another match the ghost begins again."""
    if before is not None and before.phase is Phase.OVER and view.phase is not Phase.OVER:
        selection = NOTHING
    if view.seat is None or view.turn != view.seat or view.phase is Phase.OVER:
        return selection._replace(stage=Stage.NOTHING)
    if before is not None and _what_counts(before) == _what_counts(view):
        return selection
    if view.phase is Phase.PLACE:
        return _with_ghost(view, selection._replace(stage=Stage.PLACE), view.tile)
    return selection._replace(stage=Stage.CHOOSE)


def _what_counts(view: View) -> tuple[object, ...]:
    """While these are the same, an unfinished choice makes sense."""
    return view.turn, view.phase, view.row, view.on_row, view.tile, view.boards, view.gems


# What is chosen ----------------------------------------------------------------------------------


def tile(view: View, selection: Selection) -> int:
    """The tile in hand, bought or not; 0 for none."""
    if selection.stage is Stage.PLACE:
        return view.tile
    return view.row[selection.position - 1] if selection.stage is Stage.LOOK else 0


def cost(view: View, position: int) -> int:
    """Gems that the tile costs: one on each before it."""
    return sum(map(bool, view.row[: position - 1]))


def affordable(view: View, position: int) -> bool:
    return view.seat is None or cost(view, position) <= view.gems[view.seat]


def own_board(view: View) -> bytes:
    """Only for one who sits at the table."""
    assert view.seat is not None
    return view.boards[view.seat]


def shown_ghost(view: View, selection: Selection) -> Ghost | None:
    """Where the tile in hand would lie; None when there is none, or no room for any."""
    in_hand = tile(view, selection) and has_room(own_board(view))
    return selection.ghost if in_hand else None


def obstacle(view: View, ghost: Ghost) -> Remark | None:
    """Why a tile cannot lie there."""
    if HALL in ghost.cells:
        return Remark.THE_HALL
    return Remark.NOT_FREE if any(own_board(view)[cell] for cell in ghost.cells) else None


# Keys --------------------------------------------------------------------------------------------


def take_up(view: View, selection: Selection, position: int) -> Step:
    """Take a tile of the row up, to look at: nothing is bought yet."""
    if selection.stage is Stage.PLACE:
        return Step(selection, remark=Remark.BOUGHT_ALREADY)
    if selection.stage is Stage.NOTHING:
        return Step(selection, remark=_why_not_now(view))
    if not 1 <= position <= ROW or not view.row[position - 1]:
        return Step(selection, remark=Remark.NO_TILE_THERE)
    found = selection._replace(stage=Stage.LOOK, position=position)
    return Step(_with_ghost(view, found, view.row[position - 1]))


def move(view: View, selection: Selection, across: int, down: int) -> Step:
    """The ghost by one cell, as long as all of it stays on the board."""
    ghost = selection.ghost
    if selection.stage not in (Stage.LOOK, Stage.PLACE) or ghost is None:
        return Step(selection, remark=_why_no_ghost(view, selection))
    corners = [(cell % SIDE + across, cell // SIDE + down) for cell in ghost.cells]
    if not all(0 <= x < SIDE and 0 <= y < SIDE for x, y in corners):
        return Step(selection)
    moved = ghost._replace(first=ghost.first + across + SIDE * down)
    return Step(selection._replace(ghost=moved))


def turn(view: View, selection: Selection, quarters: int = 1) -> Step:
    """So many quarters clockwise round its first half; at the edge it steps back onto the board."""
    ghost = selection.ghost
    if selection.stage not in (Stage.LOOK, Stage.PLACE) or ghost is None:
        return Step(selection, remark=_why_no_ghost(view, selection))
    return Step(
        selection._replace(ghost=_inside(ghost.first, (ghost.towards + quarters) % len(STEPS)))
    )


def point(view: View, selection: Selection, cell: int) -> Step:
    """A click on the player's own board moves the ghost there; a click on the ghost confirms."""
    ghost = selection.ghost
    if selection.stage not in (Stage.LOOK, Stage.PLACE) or ghost is None:
        return Step(selection, remark=_why_no_ghost(view, selection))
    if cell in ghost.cells:
        return confirm(view, selection)
    return Step(selection._replace(ghost=_inside(cell, ghost.towards)))


def confirm(view: View, selection: Selection) -> Step:
    """Enter: take a tile up, buy it, or place the bought one."""
    match selection.stage:
        case Stage.CHOOSE:
            here = bool(view.row[selection.position - 1])
            return take_up(view, selection, selection.position if here else 1)
        case Stage.LOOK:
            if not affordable(view, selection.position):
                return Step(selection, remark=Remark.TOO_DEAR)
            return Step(selection, action=Buy(selection.position))
        case Stage.PLACE:
            return _place(view, selection)
        case Stage.NOTHING:
            return Step(selection, remark=_why_not_now(view))


def back(selection: Selection) -> Selection:
    """One step back; the same selection when there is none."""
    return selection._replace(stage=Stage.CHOOSE) if selection.stage is Stage.LOOK else selection


def _place(view: View, selection: Selection) -> Step:
    assert selection.ghost is not None
    found = obstacle(view, selection.ghost)
    if found is not None:
        return Step(selection, remark=found)
    cells = selection.ghost.cells
    first, second = sorted(cells) if is_double(view.tile) else cells
    return Step(selection, action=Place(first, second))


def _why_not_now(view: View) -> Remark:
    if view.turn is None or view.phase is Phase.OVER:
        return Remark.OVER
    return Remark.WATCHING if view.seat is None else Remark.NOT_YOUR_TURN


def _why_no_ghost(view: View, selection: Selection) -> Remark:
    if selection.stage is Stage.NOTHING:
        return _why_not_now(view)
    return Remark.TAKE_UP_FIRST if selection.stage is Stage.CHOOSE else Remark.FITS_NOWHERE


def leads(before: Selection, after: Selection, action: Action) -> bool:
    """Whether a key that changes the one to the other brings the action nearer."""
    match action:
        case Buy(position=position):
            return before.stage is not Stage.LOOK and after.position == position
        case Place():
            here, there = before.ghost, after.ghost
            return bool(here and there) and _keys_to(action, there) < _keys_to(action, here)


def _keys_to(place: Place, ghost: Ghost | None) -> int:
    """Arrows and turns from the ghost to the place."""
    assert ghost is not None
    (line, column), (to_line, to_column) = divmod(ghost.first, SIDE), divmod(place.first, SIDE)
    quarters = STEPS.index(place.second - place.first) - ghost.towards
    return abs(to_line - line) + abs(to_column - column) + quarters % len(STEPS)


# Where the ghost is ------------------------------------------------------------------------------


def _inside(first: int, towards: int) -> Ghost:
    """With the first half there, or, at the edge, the second one."""
    if first + STEPS[towards] in NEIGHBOURS[first]:
        return Ghost(first, towards)
    return Ghost(first - STEPS[towards], towards)


def _with_ghost(view: View, selection: Selection, in_hand: int) -> Selection:
    """Where it was last if the tile fits there, else on the nearest place where it does."""
    last = selection.ghost or _MIDDLE
    found = placements(own_board(view), in_hand)
    if not found or obstacle(view, last) is None:
        return selection._replace(ghost=last if found else selection.ghost)
    first, second = min(found, key=lambda pair: _distance(last, pair))
    return selection._replace(ghost=Ghost(first, STEPS.index(second - first)))


def nearest(view: View, ghost: Ghost) -> Ghost | None:
    """The place for the bought tile to which this ghost has the shortest way; None: there is
    none."""
    found = placements(own_board(view), view.tile) if view.tile else ()
    pair = min(found, key=lambda pair: _distance(ghost, pair), default=None)
    return None if pair is None else Ghost(pair[0], STEPS.index(pair[1] - pair[0]))


def _distance(ghost: Ghost, pair: tuple[int, int]) -> int:
    """Steps that the two halves would go."""
    return sum(
        abs(one // SIDE - other // SIDE) + abs(one % SIDE - other % SIDE)
        for one, other in zip(ghost.cells, pair, strict=True)
    )
