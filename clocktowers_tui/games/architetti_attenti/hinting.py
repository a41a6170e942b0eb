"""A hint as the player's own choice, and what speaks for it.

Law: all of it follows from the view, so a hint tells nothing that the player could not see.
"""

from collections.abc import Iterator, Sequence

from clocktowers_tui.games.architetti_attenti import choosing, reasons
from clocktowers_tui.games.architetti_attenti.choosing import Selection, Stage
from clocktowers_tui.games.architetti_attenti.sentences import because
from clocktowers_tui.games.architetti_attenti.words import (
    WEIGHED,
    laid_words,
    part_title,
    tile_words,
)
from clocktowers_tui.games.face import Advice, Cost, advice_in_words
from clocktowers_tui.games.spoken import sentence
from clocktowers_tui.games.standings import points_in_words
from clocktowers_tui.text.i18n import _, ngettext
from clocktowers_tui.text.spelling import ellipsis
from protocol.games.architetti_attenti import (
    Action,
    Buy,
    Phase,
    Place,
    View,
    score,
    turns_after,
    turns_to_come,
)
from protocol.games.architetti_attenti.board import placements
from protocol.games.architetti_attenti.score import Counting
from protocol.text import cells


def towards(view: View, selection: Selection, action: Action) -> Selection:
    """The selection that a key would play so; the same one for what is impossible. A tile that is
    to be bought floats where it would bring most at once."""
    if view.seat is None or view.turn != view.seat:
        return selection
    match action:
        case Buy(position=position) if view.phase is Phase.BUY:
            if not view.row[position - 1] or not choosing.affordable(view, position):
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
    the score that changes; or the gems; or what the tile is for."""
    if selection.stage is Stage.PLACE:
        ghost = selection.ghost
        best = choosing.best(view, choosing.tile(view, selection), ghost) or ghost
        most = choosing.gain(view, selection._replace(ghost=best))
        if most > choosing.gain(view, selection):
            told = ngettext(
                "the place for {n} point stays free", "the place for {n} points stays free", most
            )
            return "" if {*best} & {*ghost} else told.format(n=f"{most:+}")
    gains = reasons.gains(view, selection)
    if max(gains.values(), default=0) > 0:
        return reasons.parted(view, selection, gains)
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


# What an action costs that another keeps, for a review. What holds of both is no cost -----------


def costs(view: View, action: Action, instead: Action, names: Sequence[str]) -> list[Cost]:
    """What weighs most comes first."""
    if view.seat is None:
        return []
    taken, other = (towards(view, choosing.NOTHING, one) for one in (action, instead))
    if view.phase is not Phase.BUY:
        return [Cost(view.seat, sentence(said), n) for said, n in _of_building(view, taken, other)]
    own = [*_of_buying(view, taken, other)]
    seat = (view.seat + 1) % len(view.boards)
    most = _leaves(view, taken, other, seat)
    if seat == view.seat or most <= _leaves(view, other, taken, seat):
        return own
    said, tile = _("now {name} can buy {tile}: {points}"), choosing.tile(view, other)
    parts = {"name": names[seat], "tile": tile_words(tile), "points": points_in_words(most)}
    return [*own, Cost(seat, sentence(said.format_map(parts)))]


def _of_buying(view: View, taken: Selection, other: Selection) -> Iterator[Cost]:
    """A part of the score that falls further; or gems: those paid less those on the tile."""
    own, row = view.seat or 0, view.on_row
    paid, less = (choosing.cost(view, at) - row[at - 1] for at in (taken.position, other.position))
    gains, kept = (reasons.gains(view, one) for one in (taken, other))
    least = min(gains, key=lambda part: gains[part], default="")
    if least and gains[least] < min(0, kept.get(least, 0)):
        part = WEIGHED.index("houses" if least == "blocks" else least)
        yield Cost(own, sentence(because(view, taken, least)), part)
    elif paid > max(0, less):
        said = ngettext("it costs you {n} gem", "it costs you {n} gems", paid).format(n=paid)
        yield Cost(own, sentence(said), WEIGHED.index("schools"))


def _leaves(view: View, taken: Selection, other: Selection, seat: int) -> int:
    """The points that the other tile brings the next seat when this one is taken; 0 where no turn
    follows or that seat cannot pay it."""
    price = choosing.cost(view, other.position) - (taken.position < other.position)
    tile = choosing.tile(view, other)
    if not tile or not turns_to_come(view) or price > view.gems[seat]:
        return 0
    return _most(view, seat, view.boards[seat], tile)


def _of_building(
    view: View, taken: Selection, other: Selection
) -> Iterator[tuple[str, int | None]]:
    """Points that the other place brings now, or more of a part of them; by how much less a tile of
    the row then brings at most: the one that loses most, if none gains as much; and the room that a
    part has to grow. Each with its part, where it is of one."""
    now, then = (choosing.gain(view, one) for one in (taken, other))
    if now < then:
        said = _("it brings {points}, not {most}")
        yield said.format(points=points_in_words(now), most=then), None
    else:
        yield from _parts_less(view, taken, other)
    towns = [choosing.town_after(view, one) for one in (taken, other)]
    boards = [town[0] for town in towns if town is not None]
    if len(boards) < len(towns) or not turns_after(view):
        return
    brings = {
        tile: [_most(view, view.seat or 0, board, tile) for board in boards]
        for tile in view.row
        if tile
    }
    lost = {tile: most - least for tile, (least, most) in brings.items()}
    tile = max(lost, key=lambda one: lost[one], default=0)
    if tile and lost[tile] > max(0, -min(lost.values())):
        said, points = _("{tile} would then bring {points}, not {most}"), brings[tile]
        less = points_in_words(points[0])
        yield said.format(tile=tile_words(tile), points=less, most=points[1]), None
    yield from reasons.narrower(*boards)


def _parts_less(view: View, taken: Selection, other: Selection) -> Iterator[tuple[str, int]]:
    """The parts of the score of which the other place brings more now."""
    for index, part in enumerate(WEIGHED):
        counted = ("houses", "blocks") if part == "houses" else (part,)
        gains = (reasons.gains(view, one) for one in (taken, other))
        now, then = (sum(gain.get(each, 0) for each in counted) for gain in gains)
        if now < then:
            said = _("{part}: it brings {points} now, not {most}")
            points = points_in_words(now)
            yield said.format(part=part_title(part), points=points, most=then), index


def _most(view: View, seat: int, board: bytes, tile: int) -> int:
    """What a tile brings a seat with this board at most, at once and paid with nothing."""
    gems, counting = view.gems[seat], Counting.of(view)
    now = score.parts(board, gems, counting).total
    found = choosing.worth(board, gems, counting, tile).values()
    return max((parts.total - now for parts in found), default=0)
