"""A hint as the player's own choice, and what speaks for it.

Law: all of it follows from the view, so a hint tells nothing that the player could not see.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from clocktowers_tui.games.architetti_attenti import choosing, reasons
from clocktowers_tui.games.architetti_attenti.choosing import Selection, Stage
from clocktowers_tui.games.architetti_attenti.words import (
    cells_words,
    laid_words,
    part_title,
    shuts_words,
    tile_words,
)
from clocktowers_tui.games.face import Advice, Brought, Cost, advice_in_words
from clocktowers_tui.games.spoken import sentence
from clocktowers_tui.games.standings import points_in_words
from clocktowers_tui.text.i18n import _, decimal, ngettext
from clocktowers_tui.text.spelling import ellipsis
from protocol.games.architetti_attenti import (
    TILES,
    Action,
    Buy,
    Kind,
    Phase,
    Place,
    View,
    score,
    turns_after,
    turns_to_come,
)
from protocol.games.architetti_attenti.board import around, cells_in, placements
from protocol.games.architetti_attenti.score import Counting
from protocol.recording import POINT
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
        yield reasons.parted(view, selection, gains, gems=False)
        for n in range(len(gains) - 1, 0, -1):
            some = reasons.parted(view, selection, dict([*gains.items()][:n]), gems=False)
            yield f"{some}, {ellipsis()}"


# Why an action was a mistake, for a review: what boards, gems and the row show -------------------


_GEM: Final = 5 * POINT // 4
"""Points that a gem is worth while some turns are left: it buys a better tile."""
_BUYS: Final = 3
"""Turns to come with which it does so."""
_CELL: Final = 2 * POINT
"""Points that a cell brings, unless it is shut in."""
_TOLD: Final = 2 * POINT
"""Points that have not come yet are told of from so many on;"""
_FOR_RIVAL: Final = 3
"""a rival's from so many on, for a new tile comes before, and may bring as much."""


def costs(view: View, action: Action, instead: Action, names: Sequence[str]) -> list[Cost]:
    """What weighs most comes first."""
    if view.seat is None:
        return []
    taken, other = (towards(view, choosing.NOTHING, one) for one in (action, instead))
    now, most = (choosing.gain(view, one) for one in (taken, other))
    less, more = (reasons.gains(view, one).get("schools", 0) for one in (taken, other))
    said = _("it brings {points} now, the better one {most}")
    if less < 0 and (now < 0 or less < more):
        said += ": " + _("your schools lose {n} with the gems you pay")
    said = said.format(points=points_in_words(now), most=most, n=-less)
    at_once, rest = [Cost(view.seat, said, POINT * (most - now))] * (now != most), list[Cost]()
    towns = [choosing.town_after(view, one) for one in (taken, other)]
    match action, instead, towns:
        case Buy(), Buy(), [(_board, gems), (_other, more)]:
            rest += _for_rival(view, action, instead, names)
            # Of gems that schools count the points at once tell.
            if choosing.gain_by_gems(view, taken) == choosing.gain_by_gems(view, other):
                rest += _gems_left(view, gems, more)
        case Place(), Place(), [(board, _gems), (better, _more)] if turns_after(view):
            rest += [_shut_in(view, board, better, now == most)]
            rest += _later(view, action, instead, board, better)
    found = at_once + [one for one in rest if one.points < 0 or one.points >= _TOLD]
    found.sort(key=lambda one: -one.points)
    return [one._replace(said=sentence(one.said)) for one in found]


def _gems_left(view: View, gems: int, most: int) -> Iterator[Cost]:
    if turns_after(view) >= _BUYS:
        said = ngettext(
            "it leaves you {n} gem, not {most}", "it leaves you {n} gems, not {most}", gems
        )
        said = said.format(n=gems, most=most)
        yield Cost(view.seat or 0, said, _GEM * (most - gems))


def _for_rival(view: View, action: Buy, instead: Buy, names: Sequence[str]) -> Iterator[Cost]:
    """What the next seat can make of the row at once, before a new tile comes."""
    rival = ((view.seat or 0) + 1) % len(view.boards)
    if rival != view.seat and turns_to_come(view):
        (most, best), (less, _best) = (_best_buy(view, rival, one) for one in (action, instead))
        said = _("now {name} can {buy}: {points}, else only {n}").format(
            name=names[rival], buy=choice(view, Buy(best)), points=points_in_words(most), n=less
        )
        if abs(most - less) >= _FOR_RIVAL:
            yield Cost(rival, said, POINT * (most - less))


def _best_buy(view: View, seat: int, bought: Buy) -> tuple[int, int]:
    """The most that the row brings a seat after this purchase; and the position."""
    place, board, counting = bought.position - 1, view.boards[seat], Counting.of(view)
    left = [
        (at + 1, tile, gems + (at < place))
        for at, (tile, gems) in enumerate(zip(view.row, view.on_row, strict=True))
        if tile and at != place
    ]
    now, found = choosing.points(view, seat).total, [(0, bought.position)]
    for cost, (position, tile, on_it) in enumerate(left[: view.gems[seat] + 1]):
        worth = choosing.worth(board, view.gems[seat] - cost + on_it, counting, tile).values()
        found += [(max(one.total for one in worth) - now, position)] if worth else []
    return max(found)


def _shut_in(view: View, board: bytes, better: bytes, level: bool) -> Cost:
    shut, fewer = map(choosing.shut_in, (board, better))
    said = shuts_words([cell for cell in shut if cell not in fewer])
    said = _("{said}, and brings no more at once").format(said=said) if level else said
    return Cost(view.seat or 0, said, _CELL * (len(shut) - len(fewer)))


def _later(view: View, played: Place, other: Place, board: bytes, better: bytes) -> Iterator[Cost]:
    """The tile of the row that can bring most more on the better board, less what another one
    brings less there; without gems, so without a school. What is told the eye has to find: that a
    cell is taken, or that the tile would lie at the better place."""
    counting, taken = Counting.of(view), {played.first, played.second}
    near = {*cells_in(around(1 << other.first | 1 << other.second))}

    def most(board: bytes, tile: int) -> tuple[int, int, int, tuple[int, int]]:
        """The points; where several places bring as much, one on taken cells or near; the place."""
        now = score.parts(board, 0, counting).total
        worth = choosing.worth(board, 0, counting, tile).items()
        found = ((has.total - now, len(taken & {*at}), len(near & {*at}), at) for at, has in worth)
        return max(found, default=(0, 0, 0, (0, 0)))

    tiles = [tile for tile in {*view.row} if tile and Kind.SCHOOL not in TILES[tile]]
    found = [(*most(better, tile), most(board, tile)[0], tile) for tile in tiles]
    worst = min([0, *(points - less for points, *_at, less, _tile in found)])
    seen = [one for one in found if one[1] or one[2]]
    for points, takes, _near, at, n, tile in sorted(seen, key=lambda one: one[0] - one[4])[-1:]:
        said = _(
            "it takes {cells}, where {tile} from the market could bring {points}, elsewhere {n}"
        )
        if not takes:
            said = _(
                "the better move lets {tile} from the market bring {points} on {cells}, not {n}"
            )
        told = {"cells": cells_words(taken & {*at} or at), "tile": tile_words(tile), "n": n}
        has, now = choosing.worth(better, 0, counting, tile)[at], score.parts(better, 0, counting)
        gains = {part: getattr(has, part) - getattr(now, part) for part in choosing.PARTS}
        part = part_title(reasons.deciding(gains, points) or "total")
        told["points"] = f"{points_in_words(points)} ({part})"
        more = max(0, points - n + worst)
        yield Cost(view.seat or 0, said.format_map(told), POINT * more)


def later(view: View, parts: Sequence[Brought], names: Sequence[str]) -> list[Cost]:
    """Which parts of the town bring more by the end, and what the rest brings."""
    found = list[Cost]()
    for seat, its in enumerate(parts):
        said, sign = _("as played, {name} gets more by the end: {parts}"), -1
        if seat == view.seat:
            said, sign = _("by the end the better move brings more: {parts}"), 1
        gains = {part: sign * (more - less) for part, (less, more) in its.items()}
        if (whole := sum(gains.values())) <= 0:
            continue
        told = [part for part in gains if 2 * gains[part] >= max(gains.values())]
        told.sort(key=lambda part: -gains[part])
        shown = [(part_title(part), gains[part]) for part in told]
        rest = whole - sum(gains[part] for part in told)
        if 4 * abs(rest) >= whole:
            shown.append((_("the rest"), rest))
        points = ", ".join(f"{title} {decimal(more / POINT, '+.1f')}" for title, more in shown)
        found.append(Cost(seat, sentence(said.format(name=names[seat], parts=points)), whole))
    return sorted(found, key=lambda one: -one.points)
