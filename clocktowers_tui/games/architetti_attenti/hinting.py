"""A hint as the player's own choice, and what speaks for it.

Law: all of it follows from the view, so a hint tells nothing that the player could not see.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from clocktowers_tui.games.architetti_attenti import choosing, reasons
from clocktowers_tui.games.architetti_attenti.choosing import Selection, Stage
from clocktowers_tui.games.architetti_attenti.words import (
    WEIGHED,
    cells_words,
    laid_words,
    tile_words,
)
from clocktowers_tui.games.face import Advice, Cost, advice_in_words
from clocktowers_tui.games.spoken import sentence
from clocktowers_tui.games.standings import points_in_words
from clocktowers_tui.text.i18n import _, ngettext
from clocktowers_tui.text.spelling import ellipsis
from protocol.games import Prospect
from protocol.games.architetti_attenti import (
    CELLS,
    TILES,
    Action,
    Buy,
    Gets,
    Phase,
    Place,
    View,
    turns_after,
)
from protocol.games.architetti_attenti.board import kinds, placements
from protocol.text import cells


def towards(view: View, selection: Selection, action: Action) -> Selection:
    """The selection that a key would play so; the same one for what is impossible. A tile that is
    to be bought floats where it would bring most at once."""
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
            tile = view.row[position - 1]
            one_of_several = view.row.count(tile) > 1
            said = _("buy tile {n}, {tile}") if one_of_several else _("buy {tile}")
            return said.format(tile=tile_words(tile), n=position)
        case Place(first=first, second=second):
            return _("put {laid}").format(laid=laid_words(view.tile, first, second))


def _why(view: View, selection: Selection) -> str:
    """Where another place brings more at once: that it stays free, or nothing. Else every part of
    the score that changes; or of a purchase the gems, or what the tile is for."""
    if selection.stage is Stage.PLACE:
        ghost = selection.ghost
        best = choosing.best(view, choosing.tile(view, selection), ghost) or ghost
        most = choosing.gain(view, selection._replace(ghost=best))
        if most > choosing.gain(view, selection):
            told = ngettext(
                "the place for {n} point, {cells}, stays free",
                "the place for {n} points, {cells}, stays free",
                most,
            )
            told = told.format(n=f"{most:+}", cells=cells_words(best))
            return "" if {*best} & {*ghost} else told
    gains = reasons.gains(view, selection)
    if max(gains.values(), default=0) > 0:
        return reasons.parted(view, selection, gains)
    if selection.stage is Stage.PLACE:
        return ""
    return (
        _gems(view, selection)
        or reasons.scoring(reasons.about(choosing.tile(view, selection)), view)[0]
    )


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
        yield reasons.parted(view, selection, gains, gems=False)
        for n in range(len(gains) - 1, 0, -1):
            some = reasons.parted(view, selection, dict([*gains.items()][:n]), gems=False)
            yield f"{some}, {ellipsis()}"


# Why an action was a mistake, for a review. What holds of a better one as well is no reason ------


def costs(view: View, action: Action, instead: Action, names: Sequence[str]) -> list[Cost]:
    """What weighs most comes first."""
    if view.seat is None:
        return []
    taken, other = (towards(view, choosing.NOTHING, one) for one in (action, instead))
    found = [*_at_once(view, taken, other)]
    towns = [choosing.town_after(view, one) for one in (taken, other)]
    boards = [kinds(town[0]) for town in towns if town is not None]
    if view.phase is Phase.PLACE and len(boards) == len(towns) and turns_after(view):
        narrower = reasons.narrower(boards[0], boards[1], choosing.own_board(view))
        found += [Cost(view.seat, sentence(said), part, room=True) for said, part in narrower]
    return found


_ENOUGH: Final = 2
"""Points at once that are reason enough, and gems."""


def _at_once(view: View, taken: Selection, other: Selection) -> Iterator[Cost]:
    """Points that the other brings now; where these are few, what it gives the player more of. And
    gems that it leaves."""
    own = view.seat or 0
    now, then = (choosing.gain(view, one) for one in (taken, other))
    if now < then:
        said = _("it brings {points} now, not {most}").format(
            points=points_in_words(now), most=then
        )
        yield Cost(own, sentence(said))
    if view.phase is Phase.BUY and then - now < _ENOUGH:
        towns = [choosing.town_after(view, one) or (b"", 0) for one in (taken, other)]
        for said, part in reasons.fewer(*(board for board, _gems in towns)):
            yield Cost(own, sentence(said), part)
    gems, most = (choosing.gems_after(view, one) for one in (taken, other))
    if gems < most:
        said = ngettext(
            "it leaves you {n} gem, not {most}", "it leaves you {n} gems, not {most}", gems
        )
        less = WEIGHED.index("schools") if most - gems < _ENOUGH else None
        yield Cost(own, sentence(said.format(n=gems, most=most)), less)


def foreseen(view: View, came: Prospect, name: str) -> str:
    """The tile that a rival can take; or what a tile can bring on the board after a better place.
    "" for what no match can have. `name`: the rival's, "" = the reader."""
    tile, cells = came.where, divmod(came.what, CELLS)
    if tile not in range(1, len(TILES)) or max(cells) >= CELLS:
        return ""
    points = points_in_words(came.points)
    if came.kind == Gets.TILE:
        said = _("now {name} can buy {tile}") if name else _("now you can buy {tile}")
        rails = reasons.rails_words(view.boards[came.seat])
        if name and rails and reasons.about(tile) == "rails" and came.points < _ENOUGH:
            said = _("now {name}, with {rails}, can buy {tile}")
        said = said.format(name=name, rails=rails, tile=tile_words(tile))
        return sentence(f"{said}: {points}" if came.points else said)
    said = _("later {laid} could bring {points}, now only {n}")
    laid = laid_words(tile, *cells)
    return sentence(said.format(laid=laid, points=points, n=came.instead))
