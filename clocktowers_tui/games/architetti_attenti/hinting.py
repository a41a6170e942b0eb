"""A hint as the player's own choice, and what speaks for it.

Law: all of it follows from the view, so a hint tells nothing that the player could not see.
"""

from collections.abc import Iterator

from clocktowers_tui.games.architetti_attenti import choosing, reasons
from clocktowers_tui.games.architetti_attenti.choosing import Selection, Stage
from clocktowers_tui.games.architetti_attenti.words import (
    cells_words,
    laid_words,
    tile_words,
)
from clocktowers_tui.games.face import Advice, advice_in_words
from clocktowers_tui.text.i18n import _, ngettext
from clocktowers_tui.text.spelling import ellipsis
from protocol.games.architetti_attenti import Action, Buy, Phase, Place, View
from protocol.games.architetti_attenti.board import placements
from protocol.text import cells


def towards(view: View, selection: Selection, action: Action) -> Selection:
    """The selection that a key would play so; the same one for what is impossible. A tile that is
    to be bought floats at its best place."""
    if view.seat is None or view.turn != view.seat:
        return selection
    match action:
        case Buy(position=position) if view.phase is Phase.BUY:
            if not view.row[position - 1] or choosing.lacking(view, position):
                return selection
            taken: Selection
            taken = choosing.take_up(
                view, selection._replace(stage=Stage.CHOOSE), position
            ).selection
            return taken
        case Place(first=first, second=second) if view.phase is Phase.PLACE:
            if (first, second) not in placements(choosing.own_board(view), view.tile):
                return selection
            return selection._replace(stage=Stage.PLACE, ghost=choosing.Ghost(first, second))
        case _:
            return selection


def advice(view: View, selection: Selection, room: int | None = None) -> Advice | None:
    """What to say of a hint, when `towards` has made this selection of it: of what makes the points
    only the best part where all of it would take more than `room` cells."""
    tile = choosing.tile(view, selection)
    if view.seat is None or not tile:
        return None
    ghost = choosing.shown_ghost(view, selection)
    what = tile_words(tile)
    # Where a tile that is not bought yet goes is asked again when it is.
    if ghost is not None and selection.stage is Stage.PLACE:
        what = laid_words(tile, *ghost)
    points = choosing.gain(view, selection)
    brings = ngettext("{n} point", "{n} points", points).format(n=f"{points:+}") if points else ""
    told = [Advice(what, why, brings) for why in _whys(view, selection)]
    fitting = (one for one in told if room is None or cells(advice_in_words(one)) <= room)
    return next(fitting, told[-1])


def choice(view: View, action: Action) -> str:
    """What to do, for the middle of a sentence. Two actions have two names: of tiles that are alike
    the number is told, and each half of a tile has its cell."""
    match action:
        case Buy(position=position):
            what = tile_words(tile := view.row[position - 1])
            if view.row.count(tile) == 1:
                return _("buy {tile}").format(tile=what)
            gems = _gems(view, Selection(Stage.LOOK, position=position))
            said = _("buy tile {n}, {tile}").format(tile=what, n=position)
            return ", ".join(filter(None, (said, gems)))
        case Place(first=first, second=second):
            return _("put {laid}").format(laid=laid_words(view.tile, first, second))


def _why(view: View, selection: Selection) -> str:
    """Where another place brings more at once: that it stays free, or nothing. Else every part of
    the score that changes; or of a purchase the gems, or that it costs none."""
    if selection.stage is Stage.PLACE:
        ghost = selection.ghost
        at_once = choosing.most_at_once(view, selection)
        most, best = choosing.gain(view, at_once), at_once.ghost
        if most > choosing.gain(view, selection):
            told = ngettext(
                "on {cells} it would bring {n} point now: that stays free",
                "on {cells} it would bring {n} points now: that stays free",
                most,
            )
            told = told.format(n=f"{most:+}", cells=cells_words(best))
            return "" if {*best} & {*ghost} else told
    gains = reasons.gains(view, selection)
    if max(gains.values(), default=0) > 0:
        return reasons.parted(view, selection, gains)
    if selection.stage is Stage.PLACE:
        return ""
    free = not choosing.cost(view, selection.position)
    return _gems(view, selection) or (_("it costs no gem") if free else "")


def _gems(view: View, selection: Selection) -> str:
    """That gems lie on the tile; "" where none do."""
    gems = view.on_row[selection.position - 1] if selection.stage is Stage.LOOK else 0
    said = ngettext("{n} gem lies on it", "{n} gems lie on it", gems).format(n=gems)
    return said if gems else ""


def _whys(view: View, selection: Selection) -> Iterator[str]:
    """With the gems on the tile, and in fewer words: without those that schools need, then the best
    parts alone."""
    whole = _why(view, selection)
    if (gems := _gems(view, selection)) not in whole:
        yield f"{whole}, {gems}"
    yield whole
    gains = reasons.gains(view, selection)
    if whole == reasons.parted(view, selection, gains):
        yield reasons.parts_in_words(gains)
        for n in range(len(gains) - 1, 0, -1):
            some = reasons.parts_in_words(dict([*gains.items()][:n]))
            yield f"{some}, {ellipsis()}"
