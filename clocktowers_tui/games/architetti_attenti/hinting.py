"""A hint as the player's own choice, and what speaks for it.

Law: all of it follows from the view, so a hint tells nothing that the player could not see.
"""

from clocktowers_tui.games.advising import Advice
from clocktowers_tui.games.architetti_attenti import choosing, placing, preview
from clocktowers_tui.games.architetti_attenti.choosing import Selection, Stage
from clocktowers_tui.games.architetti_attenti.words import part_title, tile_words
from clocktowers_tui.text.i18n import _, ngettext
from protocol.games.architetti_attenti import Action, Buy, Phase, Place, View
from protocol.games.architetti_attenti.board import cell_name, placements


def towards(view: View, selection: Selection, action: Action) -> Selection:
    """The selection that a key would play so; the same one for what is impossible. A tile that is
    to be bought floats where it would bring most at once."""
    if view.seat is None or view.turn != view.seat:
        return selection
    match action:
        case Buy(position=position) if _can_buy(view, position):
            begun = selection._replace(stage=Stage.CHOOSE)
            return choosing.at_its_best(view, choosing.take_up(view, begun, position).selection)
        case Place(first=first, second=second) if view.phase is Phase.PLACE:
            if (first, second) not in placements(choosing.own_board(view), view.tile):
                return selection
            return selection._replace(stage=Stage.PLACE, ghost=placing.ghost_on(first, second))
        case _:
            return selection


def _can_buy(view: View, position: int) -> bool:
    there = view.phase is Phase.BUY and bool(view.row[position - 1])
    return there and choosing.affordable(view, position)


def gain(view: View, selection: Selection) -> int:
    """The points that the tile in hand would add where it lies."""
    assert view.seat is not None
    after = preview.with_ghost(view, selection)
    return 0 if after is None else after.total - preview.points(view, view.seat).total


def _most(view: View, selection: Selection) -> int:
    """The points that the tile in hand would add at its best place."""
    best = placing.best(view, choosing.tile(view, selection), selection.ghost)
    return gain(view, selection._replace(ghost=best))


def advice(view: View, selection: Selection) -> Advice | None:
    """What to say of a hint, when `towards` has made this selection of it."""
    tile = choosing.tile(view, selection)
    if view.seat is None or not tile:
        return None
    ghost = choosing.shown_ghost(view, selection)
    what = tile_words(tile)
    # Where a tile that is not bought yet goes is asked again when it is.
    if ghost is not None and selection.stage is Stage.PLACE:
        cells = " ".join(map(cell_name, ghost.cells))
        what = _("{tile} on {cells}").format(tile=what, cells=cells)
    points = gain(view, selection)
    brings = ngettext("{n} point", "{n} points", points).format(n=f"{points:+}")
    if selection.stage is Stage.LOOK:
        brings = _("{points} at its best place").format(points=brings)
    return Advice(what, _why(view, selection), brings)


def _why(view: View, selection: Selection) -> str:
    """The parts of the score that change, the largest gain first; else the gems; else that it
    harms least, as when another place would bring more now."""
    assert view.seat is not None
    if selection.stage is Stage.PLACE and gain(view, selection) < _most(view, selection):
        return _("it leaves the best places for later tiles")
    before, after = preview.points(view, view.seat), preview.with_ghost(view, selection)
    if after is not None:
        gains = {part: getattr(after, part) - getattr(before, part) for part in preview.PARTS}
        changed = sorted((part for part in gains if gains[part]), key=lambda part: -gains[part])
        if changed and gains[changed[0]] > 0:
            return ", ".join(f"{part_title(part)} {gains[part]:+}" for part in changed)
    gems = view.on_row[selection.position - 1] if selection.stage is Stage.LOOK else 0
    if gems:
        return ngettext("{n} gem lies on it", "{n} gems lie on it", gems).format(n=gems)
    return _("it leaves the best places for later tiles")
