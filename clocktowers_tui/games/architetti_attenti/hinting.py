"""A hint as the player's own choice, and what speaks for it.

Law: all of it follows from the view, so a hint tells nothing that the player could not see.
"""

from collections.abc import Sequence
from typing import Final

from clocktowers_tui.games.advising import Advice
from clocktowers_tui.games.architetti_attenti import choosing, placing, preview, reasons
from clocktowers_tui.games.architetti_attenti.choosing import Selection, Stage
from clocktowers_tui.games.architetti_attenti.tally import changes
from clocktowers_tui.games.architetti_attenti.words import part_title, tile_words
from clocktowers_tui.text.i18n import _, ngettext
from protocol.games.architetti_attenti import (
    SHOPS,
    TILES,
    Action,
    Buy,
    Kind,
    Phase,
    Place,
    View,
)
from protocol.games.architetti_attenti.board import cell_name, placements
from protocol.text import cells

_SIZED: Final = ("blocks", "rails", "shops")
_SHORT: Final = 13
"""Cells of what makes the points, so that a hint takes one line."""


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


def advice(view: View, selection: Selection) -> Advice | None:
    """What to say of a hint, when `towards` has made this selection of it."""
    tile = choosing.tile(view, selection)
    if view.seat is None or not tile:
        return None
    ghost = choosing.shown_ghost(view, selection)
    what = tile_words(tile)
    # Where a tile that is not bought yet goes is asked again when it is.
    if ghost is not None and selection.stage is Stage.PLACE:
        names = " ".join(map(cell_name, ghost.cells))
        what = _("{tile} on {cells}").format(tile=what, cells=names)
    points = preview.gain(view, selection)
    brings = ngettext("{n} point", "{n} points", points).format(n=f"{points:+}") if points else ""
    if brings and selection.stage is Stage.LOOK:
        brings = _("{points} at best").format(points=brings)
    return Advice(what, _why(view, selection), brings)


def choice(view: View, action: Action) -> str:
    """What to do, for the middle of a sentence."""
    match action:
        case Buy(position=position):
            return _("buy {tile}").format(tile=tile_words(view.row[position - 1]))
        case Place(first=first, second=second):
            where = " ".join(map(cell_name, (first, second)))
            return _("{tile} on {cells}").format(tile=tile_words(view.tile), cells=where)


def _why(view: View, selection: Selection) -> str:
    """One reason: that a better place stays free; or that the points come with the gems, not with
    the place; or the part of the score that gains most; or the gems; or what the tile can bring
    later."""
    assert view.seat is not None
    if selection.stage is Stage.PLACE and (most := _kept(view, selection)):
        told = ngettext(
            "the place for {n} point stays free", "the place for {n} points stays free", most
        )
        return told.format(n=f"{most:+}")
    if bought := _bought(view, selection):
        rest = preview.gain(view, selection) - bought
        told = _("buying it {bought}, the place {rest}")
        return told.format(bought=f"{bought:+}", rest=f"{rest:+}")
    gains = {part: change.gain for part, change in changes(view, selection).items()}
    # Where two parts are level, houses say least.
    most_of = max(reversed(gains), key=lambda part: gains[part], default="")
    if gains.get(most_of, 0) > 0:
        here = reasons.of_place(view, selection) if selection.stage is Stage.PLACE else None
        if here not in (None, most_of, "houses") and gains.get(here, 0) > 0:
            told, just = _told(most_of, gains[most_of]), _told(here, gains[here])
            return _("{most}, here {just}").format(most=told, just=just)
        return _made(most_of, gains[most_of], reasons.why(view, selection, "->")[most_of])
    gems = view.on_row[selection.position - 1] if selection.stage is Stage.LOOK else 0
    if gems:
        return ngettext("{n} gem lies on it", "{n} gems lie on it", gems).format(n=gems)
    return _later(choosing.tile(view, selection))


def _bought(view: View, selection: Selection) -> int:
    """The points that the gems make, paid and got, wherever the tile will lie."""
    return preview.gain(view, selection._replace(ghost=None))


def _made(part: str, gain: int, why: Sequence[str]) -> str:
    """`Blocks +4 (2x2)`: with what makes the points, where the part alone does not say it."""
    told, made = _told(part, gain), why[-1]
    return f"{told} ({made})" if part in _SIZED and cells(made) <= _SHORT else told


def _told(part: str, gain: int) -> str:
    return f"{part_title(part)} {gain:+}"


def _kept(view: View, selection: Selection) -> int:
    """The points of the best place, where that is a better one and stays free; else 0."""
    best = placing.best(view, choosing.tile(view, selection), selection.ghost)
    most = preview.gain(view, selection._replace(ghost=best))
    if best is None or selection.ghost is None or most <= preview.gain(view, selection):
        return 0
    return 0 if {*best.cells} & {*selection.ghost.cells} else most


def _later(tile: int) -> str:
    """What the half of a tile that is no house can bring."""
    kinds = TILES[tile]
    if Kind.SCHOOL in kinds:
        return _("a school with 5 gems brings 10 at the end")
    if any(kind in SHOPS for kind in kinds):
        return _("2 different shops side by side bring 5")
    if Kind.PARK in kinds:
        return _("a park brings 1 for each house beside it")
    if Kind.HOUSE in kinds:
        return _("a block of four houses brings 4 more")
    return _("two stations joined by one track bring 2")
