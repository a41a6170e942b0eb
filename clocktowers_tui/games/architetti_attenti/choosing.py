"""What the player is about to do: a tile, then its place, and what that adds. Pure."""

from collections.abc import Container, Mapping, Sequence
from enum import Enum, StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from clocktowers_tui.games.keys import Step, not_now
from clocktowers_tui.text.i18n import N_
from protocol.games.architetti_attenti import (
    CELLS,
    HALL,
    ROW,
    SIDE,
    STEPS,
    Action,
    Buy,
    Kind,
    Parts,
    Phase,
    Place,
    View,
    score,
    turns_after,
)
from protocol.games.architetti_attenti.board import (
    NEIGHBOURS,
    beside,
    cells_in,
    has_room,
    is_double,
    mask_of,
    placements,
    with_tile,
)
from protocol.games.architetti_attenti.evaluation import UNIT, outlook
from protocol.games.architetti_attenti.score import Counting

_KEPT: Final = 1 << 5
"""Tiles whose places are remembered: those that a player compares, and those of a reason."""


class Ghost(NamedTuple):
    """Where a tile would lie: the neighbouring cells of its first and its second half."""

    first: int
    second: int

    @property
    def towards(self) -> int:
        """Where the second half is (`STEPS`)."""
        return STEPS.index(self.second - self.first)


BESIDE_HALL: Final = Ghost(HALL + 1, HALL + 2)
"""Where the first ghost begins."""


def inside(first: int, towards: int) -> Ghost:
    """With the first half there, or, at the edge, the second one."""
    second = first + STEPS[towards]
    return Ghost(first, second) if second in NEIGHBOURS[first] else Ghost(2 * first - second, first)


def is_free(board: bytes, ghost: Ghost) -> bool:
    return not any(board[cell] for cell in ghost)


def nearest(board: bytes, ghost: Ghost, but: Container[Ghost] = ()) -> Ghost | None:
    """The place for a tile that is nearest to a ghost, the same one if it is free, lying as it does
    where two are as near. `but`: cells of places that will not do. None: there is no room."""
    places = (Ghost(first, second) for first in range(CELLS) for second in NEIGHBOURS[first])
    fitting = (one for one in places if is_free(board, one) and one not in but)

    def rank(one: Ghost) -> tuple[int, bool]:
        return _distance(ghost, one), one.towards != ghost.towards

    return min(fitting, key=rank, default=None)


def best(view: View, tile: int) -> Ghost | None:
    """Where a tile goes at first sight: by the estimate of the level `hard`, and of places that are
    worth less by less than a point, which no review blames, where it brings the player of this view
    most at once. None: it fits nowhere."""
    board, gems, counting = own_board(view), view.gems[view.seat or 0], Counting.of(view)
    found = outlook(counting, turns_after(view)).places(board, tile, gems)
    least = max((ahead for ahead, _way in found), default=0) - UNIT
    now = worth(board, gems, counting, tile)

    def rank(one: tuple[int, tuple[int, int]]) -> tuple[int, int, int]:
        ahead, way = one
        return now[way].total, ahead, -_distance(BESIDE_HALL, way)

    level = [one for one in found if one[0] >= least]
    return Ghost(*max(level, key=rank)[1]) if level else None


def shut_in(board: bytes) -> Sequence[int]:
    """The free cells beside which none is free: no tile fits there."""
    free = mask_of(board, Kind.FREE)
    return [*cells_in(free & ~beside(free))]


@lru_cache(_KEPT)
def worth(
    board: bytes, gems: int, counting: Counting, tile: int
) -> Mapping[tuple[int, int], Parts]:
    """Cells of a tile's halves → what the board is worth with it there."""
    return {
        place: score.parts(with_tile(board, tile, *place), gems, counting)
        for place in placements(board, tile)
    }


def _distance(ghost: Ghost, place: tuple[int, int]) -> int:
    """Steps that the two halves would go."""
    return sum(map(_steps, ghost, place))


def _steps(cell: int, other: int) -> int:
    return abs(cell // SIDE - other // SIDE) + abs(cell % SIDE - other % SIDE)


# What the player is about to do: a tile, then its place. Pure values and functions.
#
# Laws: taking a tile up and moving it sends nothing; no key makes an action that the rules
# would refuse, for what they ask (the row, the gems, the free cells) lies open in the view.


Stage = Enum("Stage", "NOTHING CHOOSE LOOK PLACE")
"""`NOTHING`: it is somebody else's turn, the match is over, or one only watches; `LOOK`: a tile is
taken up, but not bought."""


class Selection(NamedTuple):
    """`position`: 1-4, of the tile taken up. `ghost` outlives a turn. `had`: the player's gems
    before the purchase, so that a turn's points are counted as one; None: nothing is bought, or
    nobody has seen it."""

    stage: Stage = Stage.NOTHING
    position: int = 1
    ghost: Ghost = BESIDE_HALL
    had: int | None = None


class Remark(StrEnum):
    """Why a key did nothing, with the names of keys in braces; or what it has found, which
    `sentences` says."""

    TAKE_UP_FIRST = N_("Pick a tile first: {tiles}.")
    NO_TILE_THERE = N_("No tile lies there: pick another.")
    BOUGHT_ALREADY = N_("You have your tile: {moves} and {turn} move it, {confirm} builds.")
    FITS_NOWHERE = N_("No room for any tile: {confirm} takes and discards it.")
    TOO_DEAR = "too dear"
    NO_PLACE = "no place"
    BEST_PLACE = "best place"


NOTHING: Final = Selection()


def settle(view: View, before: View | None, selection: Selection) -> Selection:
    """The selection to go on with when a view comes in: the same if nothing about it changed. In
    another match the ghost begins again, and each turn begins at the tile that costs nothing."""
    if before is not None and before.phase is Phase.OVER and view.phase is not Phase.OVER:
        selection = NOTHING
    if view.seat is None or view.turn != view.seat or view.phase is Phase.OVER:
        return selection._replace(stage=Stage.NOTHING, had=None)
    if before is not None and _what_counts(before) == _what_counts(view):
        return selection
    if view.phase is Phase.PLACE:
        bought = before is not None and before.phase is Phase.BUY and before.boards == view.boards
        had = before.gems[view.seat] if before is not None and bought else selection.had
        placing = selection._replace(stage=Stage.PLACE, had=had)
        if bought and selection.stage is not Stage.LOOK:
            return at_its_best(view, placing)
        return _where_it_fits(view, placing)
    return selection._replace(stage=Stage.CHOOSE, position=1, had=None)


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


def gems_before(view: View, selection: Selection) -> int:
    """What the player had when the turn began, as far as it was seen."""
    assert view.seat is not None
    return view.gems[view.seat] if selection.had is None else selection.had


def lacking(view: View, position: int) -> int:
    """Gems that the player lacks for the tile; 0: they can buy it."""
    return 0 if view.seat is None else max(0, cost(view, position) - view.gems[view.seat])


def too_dear(view: View, selection: Selection) -> int:
    """The same of the tile taken up; 0 where none is."""
    return lacking(view, selection.position) if selection.stage is Stage.LOOK else 0


def own_board(view: View) -> bytes:
    """Only for one who sits at the table."""
    assert view.seat is not None
    return view.boards[view.seat]


def tiles_built(view: View) -> int:
    """How many lie on the player's board."""
    return sum(map(bool, own_board(view))) // 2


def turns_done(view: View, seat: int) -> int:
    """How many tiles a seat has built or discarded."""
    # The town hall, always there, makes a board's count odd.
    return (CELLS - view.boards[seat].count(0)) // 2 + len(view.discarded[seat])


def shown_ghost(view: View, selection: Selection) -> Ghost | None:
    """Where the tile in hand would lie; None when there is none, or no room for any."""
    in_hand = tile(view, selection) and has_room(own_board(view))
    return selection.ghost if in_hand else None


def fits(view: View, ghost: Ghost) -> bool:
    """Whether a tile can lie there."""
    return is_free(own_board(view), ghost)


# Keys --------------------------------------------------------------------------------------------


def take_up(view: View, selection: Selection, position: int) -> Step:
    """Take a tile of the row up, to look at what it brings: nothing is bought yet. It floats at its
    best place, the same each time: so players can compare tiles."""
    if selection.stage is Stage.PLACE:
        return Step(selection, remark=Remark.BOUGHT_ALREADY)
    if selection.stage is Stage.NOTHING:
        return Step(selection, remark=not_now(view))
    if not 1 <= position <= ROW or not view.row[position - 1]:
        return Step(selection, remark=Remark.NO_TILE_THERE)
    found = selection._replace(stage=Stage.LOOK, position=position)
    ghost = best(view, tile(view, found))
    return Step(found._replace(ghost=ghost or selection.ghost))


def pick(view: View, selection: Selection, position: int) -> Step:
    """A click on a tile of the row takes it up, a second one buys it."""
    again = selection.stage is Stage.LOOK and position == selection.position
    return confirm(view, selection) if again else take_up(view, selection, position)


def to_best(view: View, selection: Selection) -> Step:
    """The ghost goes to the best place of the tile in hand."""
    if shown_ghost(view, selection) is None:
        return Step(selection, remark=_why_no_ghost(view, selection))
    return Step(at_its_best(view, selection), remark=Remark.BEST_PLACE)


def move(view: View, selection: Selection, across: int, down: int) -> Step:
    """The ghost by one cell, as long as all of it stays on the board."""
    if (ghost := shown_ghost(view, selection)) is None:
        return Step(selection, remark=_why_no_ghost(view, selection))
    corners = [(cell % SIDE + across, cell // SIDE + down) for cell in ghost]
    if not all(0 <= x < SIDE and 0 <= y < SIDE for x, y in corners):
        return Step(selection)
    return Step(selection._replace(ghost=Ghost(*(SIDE * y + x for x, y in corners))))


def turn(view: View, selection: Selection, quarters: int = 1) -> Step:
    """So many quarters clockwise round its first half; at the edge it steps back onto the board."""
    if (ghost := shown_ghost(view, selection)) is None:
        return Step(selection, remark=_why_no_ghost(view, selection))
    return Step(
        selection._replace(ghost=inside(ghost.first, (ghost.towards + quarters) % len(STEPS)))
    )


def point(view: View, selection: Selection, cell: int) -> Step:
    """A click on the player's own board moves the ghost there, and turns it where it fits only so;
    a click on the ghost confirms."""
    if (ghost := shown_ghost(view, selection)) is None:
        return Step(selection, remark=_why_no_ghost(view, selection))
    if cell in ghost:
        return confirm(view, selection)
    there = inside(cell, ghost.towards)
    turned = (Ghost(cell, other) for other in NEIGHBOURS[cell])
    fitting = (one for one in (there, *turned) if fits(view, one))
    return Step(selection._replace(ghost=next(fitting, there)))


def confirm(view: View, selection: Selection) -> Step:
    """Enter: take a tile up, buy it where it fits, or place the bought one; where that does not
    fit, it goes to the nearest place where it does."""
    match selection.stage:
        case Stage.CHOOSE:
            return take_up(view, selection, selection.position)
        case Stage.LOOK:
            if too_dear(view, selection):
                return Step(selection, remark=Remark.TOO_DEAR)
            if town_after(view, selection) is None:
                return Step(selection, remark=Remark.NO_PLACE)
            return Step(selection, action=Buy(selection.position))
        case Stage.PLACE:
            return _place(view, selection)
        case Stage.NOTHING:
            return Step(selection, remark=not_now(view))


def back(selection: Selection) -> Selection:
    """One step back; the same selection when there is none."""
    return selection._replace(stage=Stage.CHOOSE) if selection.stage is Stage.LOOK else selection


def _place(view: View, selection: Selection) -> Step:
    ghost = selection.ghost
    if not fits(view, ghost):
        return Step(_where_it_fits(view, selection))
    first, second = sorted(ghost) if is_double(view.tile) else ghost
    return Step(selection, action=Place(first, second))


def _where_it_fits(view: View, selection: Selection) -> Selection:
    """With the ghost where it was or as near as it fits; where there is no room, it stays."""
    found = nearest(own_board(view), selection.ghost)
    return selection._replace(ghost=found or selection.ghost)


def beside_hall(view: View, selection: Selection) -> Selection:
    """With the ghost where the first one begins, or as near as it fits."""
    return _where_it_fits(view, selection._replace(ghost=BESIDE_HALL))


def away_from(view: View, selection: Selection, sought: Sequence[Action]) -> Selection:
    """With the ghost on none of these places, but as near to where it was as there is room."""
    places = [place for place in sought if isinstance(place, Place)]
    if selection.stage is not Stage.PLACE or not places:
        return selection
    cells = [Ghost(place.first, place.second) for place in places]
    if is_double(view.tile):
        cells += [Ghost(second, first) for first, second in cells]
    found = nearest(own_board(view), selection.ghost, cells)
    return selection._replace(ghost=found or selection.ghost)


def at_its_best(view: View, selection: Selection) -> Selection:
    """With the tile in hand at its best place; where there is no room, the ghost stays."""
    found = best(view, tile(view, selection))
    return selection._replace(ghost=found or selection.ghost)


def most_at_once(view: View, selection: Selection) -> Selection:
    """With the tile in hand where it brings most in this turn; the same where there is no room."""
    in_hand, gems = tile(view, selection), gems_after(view, selection)
    found = worth(own_board(view), gems, Counting.of(view), in_hand) if in_hand else {}
    most = max(found, key=lambda way: found[way].total, default=selection.ghost)
    return selection._replace(ghost=Ghost(*most))


def _why_no_ghost(view: View, selection: Selection) -> str:
    if selection.stage is Stage.NOTHING:
        return not_now(view)
    return Remark.TAKE_UP_FIRST if selection.stage is Stage.CHOOSE else Remark.FITS_NOWHERE


def leads(before: Selection, after: Selection, action: Action) -> bool:
    """Whether a key that changes the one to the other brings the action nearer."""
    match action:
        case Buy(position=position):
            return before.stage is not Stage.LOOK and after.position == position
        case Place():
            place = Ghost(action.first, action.second)
            return _keys_to(place, after.ghost) < _keys_to(place, before.ghost)


def _keys_to(place: Ghost, ghost: Ghost) -> int:
    """Arrows and turns from the ghost to the place."""
    quarters = (place.towards - ghost.towards) % len(STEPS)
    return _steps(ghost.first, place.first) + quarters


# What boards are worth, and what the tile in hand would add where its ghost lies -----------------


PARTS: Final = tuple(Parts.__struct_fields__)
"""The kinds of points, as on the score sheet."""


def points(view: View, seat: int) -> Parts:
    """What a seat has now."""
    return score.parts(view.boards[seat], view.gems[seat], Counting.of(view))


def shares(view: View, seat: int) -> tuple[int, ...]:
    """Cell → the points that what stands there brings."""
    return score.shares(view.boards[seat], view.gems[seat], Counting.of(view))


def with_ghost(view: View, selection: Selection) -> Parts | None:
    """What the player would have with the tile in hand where its ghost lies, bought and paid; None
    when it does not fit there. Where no tile fits any more only the gems count."""
    after = town_after(view, selection)
    return None if after is None else score.parts(*after, Counting.of(view))


def before(view: View, selection: Selection) -> Parts:
    """What the player had when the turn began: what a purchase changes counts when it is built."""
    return score.parts(own_board(view), gems_before(view, selection), Counting.of(view))


def gains(view: View, selection: Selection) -> dict[str, int]:
    """Part → the points that the turn would add with the tile in hand where it lies, the same
    before it is bought and after; empty where it does not fit."""
    after = with_ghost(view, selection)
    if after is None:
        return {}
    now = before(view, selection)
    return {part: getattr(after, part) - getattr(now, part) for part in PARTS}


def gain(view: View, selection: Selection) -> int:
    """All of them; 0 where it does not fit."""
    return sum(gains(view, selection).values())


def gain_by_gems(view: View, selection: Selection) -> int:
    """What of them paid and gained gems bring or cost, wherever the tile lies."""
    after = score.parts(own_board(view), gems_after(view, selection), Counting.of(view))
    return after.total - before(view, selection).total


def town_after(view: View, selection: Selection) -> tuple[bytes, int] | None:
    """The player's board and gems with the tile in hand, as `with_ghost` counts them."""
    in_hand = tile(view, selection)
    if view.seat is None or not in_hand:
        return None
    board, ghost = view.boards[view.seat], shown_ghost(view, selection)
    if ghost is not None:
        if not fits(view, ghost):
            return None
        board = with_tile(board, in_hand, *ghost)
    return board, gems_after(view, selection)


def gems_after(view: View, selection: Selection) -> int:
    """What the player has left when the tile in hand is bought."""
    assert view.seat is not None
    gems = view.gems[view.seat]
    if selection.stage is not Stage.LOOK:
        return gems
    paid = cost(view, selection.position)
    # What cannot be paid can still be looked at.
    return max(0, gems - paid) + view.on_row[selection.position - 1]
