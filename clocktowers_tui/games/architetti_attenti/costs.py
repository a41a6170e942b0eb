"""Why an action was a mistake, for a review: what boards, gems and the row show.

Law: each sentence holds in the position, whatever else its weight is guessed by.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain, combinations
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from clocktowers_tui.games.architetti_attenti import choosing, reasons
from clocktowers_tui.games.architetti_attenti.choosing import Selection
from clocktowers_tui.games.architetti_attenti.hinting import choice, towards
from clocktowers_tui.games.architetti_attenti.words import (
    cells_words,
    part_title,
    shuts_words,
    tile_words,
)
from clocktowers_tui.games.face import Brought, Cost
from clocktowers_tui.games.spoken import sentence
from clocktowers_tui.games.standings import points_in_words
from clocktowers_tui.text.i18n import N_, _, ngettext
from protocol.games.architetti_attenti import (
    COPIES,
    KIND_BITS,
    SHEETS,
    SHOPS,
    STEPS,
    TILES,
    Action,
    Buy,
    Kind,
    Place,
    View,
    score,
    turns_after,
    turns_to_come,
)
from protocol.games.architetti_attenti.board import (
    POINTS,
    around,
    beside,
    cells_in,
    corners,
    lines,
    mask_of,
    most_points,
    only_shops,
    with_tile,
)
from protocol.games.architetti_attenti.evaluation import outlook
from protocol.games.architetti_attenti.score import Counting, rail_points, school_points
from protocol.recording import POINT

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
_POINTS: Final = 2
"""Points at once that are told of what a rival can buy;"""
_DIFFERS: Final = 2
"""what a number differs by, and"""
_MANY_GEMS: Final = 2
"""gems, that are told."""


def costs(view: View, action: Action, instead: Action, names: Sequence[str]) -> list[Cost]:
    """What weighs most comes first."""
    if view.seat is None:
        return []
    taken, other = (towards(view, choosing.NOTHING, one) for one in (action, instead))
    at_once, rest = _at_once(view, taken, other), list[Cost]()
    towns = [choosing.town_after(view, one) for one in (taken, other)]
    match action, instead, towns:
        case Buy(), Buy(), [(_board, gems), (_other, more)]:
            rest += _for_rival(view, action, instead, names)
            # Of gems that schools count the points at once tell.
            if choosing.gain_by_gems(view, taken) == choosing.gain_by_gems(view, other):
                rest += _gems_left(view, gems, more)
        case Place(), Place(), [(board, _gems), (better, _more)] if turns_after(view):
            rest += [_shut_in(view, board, better, not at_once)]
            rest += _later(view, action, instead, board, better)
    found = at_once + [one for one in rest if one.points < 0 or one.points >= _TOLD]
    found.sort(key=lambda one: -one.points)
    return [one._replace(said=sentence(one.said)) for one in found]


def _at_once(view: View, taken: Selection, other: Selection) -> list[Cost]:
    now, most = (choosing.gain(view, one) for one in (taken, other))
    less, more = (reasons.gains(view, one).get("schools", 0) for one in (taken, other))
    said = _("it brings {points} now, the better one {most}")
    if less < 0 and (now < 0 or less < more):
        said += ": " + _("your schools lose {n} with the gems you pay")
    said = said.format(points=points_in_words(now), most=most, n=-less)
    return [Cost(view.seat or 0, said, POINT * (most - now))] * (now != most)


def _gems_left(view: View, gems: int, most: int) -> Iterator[Cost]:
    if turns_after(view) >= _BUYS:
        yield Cost(view.seat or 0, _gems_words(view, gems, most), _GEM * (most - gems))


def _gems_words(view: View, gems: int, most: int) -> str:
    """With what they are for; of schools with the points."""
    if schools := _count(choosing.own_board(view), Kind.SCHOOL):
        said = ngettext(
            "it leaves {n} gem for your schools, not {most}",
            "it leaves {n} gems for your schools, not {most}",
            gems,
        )
        less, more = (school_points(schools, its) for its in (gems, most))
        points = _("{points}, not {n}").format(points=points_in_words(less), n=more)
        said += f" ({points})" if less != more else ""
    else:
        said = ngettext(
            "it leaves you {n} gem to choose tiles with, not {most}",
            "it leaves you {n} gems to choose tiles with, not {most}",
            gems,
        )
    return said.format(n=gems, most=most)


def _for_rival(view: View, action: Buy, instead: Buy, names: Sequence[str]) -> Iterator[Cost]:
    """What the next seat can make of the row at once, before a new tile comes."""
    rival = _next(view)
    if rival != view.seat and turns_to_come(view):
        (most, best), (less, _best) = (_best_buy(view, rival, one) for one in (action, instead))
        said = _("now {name} can {buy}: {points}, else only {n}").format(
            name=names[rival], buy=choice(view, Buy(best)), points=points_in_words(most), n=less
        )
        if abs(most - less) >= _FOR_RIVAL:
            yield Cost(rival, said, POINT * (most - less))


def _next(view: View) -> int:
    return ((view.seat or 0) + 1) % len(view.boards)


def _left_by(view: View, bought: Buy) -> Mapping[int, tuple[int, int]]:
    """Position → tile, and the gems on it, that the next seat can pay for after this purchase."""
    place = bought.position - 1
    left = {
        at + 1: (tile, gems + (at < place))
        for at, (tile, gems) in enumerate(zip(view.row, view.on_row, strict=True))
        if tile and at != place
    }
    return dict([*left.items()][: view.gems[_next(view)] + 1])


def _best_buy(view: View, seat: int, bought: Buy) -> tuple[int, int]:
    """The most that the row brings a seat after this purchase; and the position."""
    board, counting = view.boards[seat], Counting.of(view)
    now, found = choosing.points(view, seat).total, [(0, bought.position)]
    for cost, (position, (tile, on_it)) in enumerate(_left_by(view, bought).items()):
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
    brings less there. What is told the eye has to find: that a cell is taken, or that the tile
    would lie at the better place."""
    taken = {played.first, played.second}
    near = {*cells_in(around(1 << other.first | 1 << other.second))}
    tiles = {tile for tile in view.row if tile and Kind.SCHOOL not in TILES[tile]}
    found = [_more_of(view, tile, board, better, taken, near) for tile in tiles]
    worst = min([0, *(one.most - one.less for one in found)])
    seen = [one for one in found if {*one.at} & (taken | near)]
    for one in sorted(seen, key=lambda one: one.most - one.less)[-1:]:
        said = _("the better move lets {tile} from the market bring {points} on {cells}, not {n}")
        cells = one.at
        if takes := taken & {*one.at}:
            cells = (*takes,)
            said = _(
                "it takes {cells}, where {tile} from the market could bring {points}, elsewhere {n}"
            )
        more = max(0, one.most - one.less + worst)
        yield Cost(view.seat or 0, one.said(said, cells), POINT * more)


class _Laid(NamedTuple):
    """A tile that may be laid in a turn to come: the most that it then brings on the better board,
    without gems, so without a school; where, and for which part; and the most on the other one."""

    tile: int
    most: int
    at: tuple[int, ...]
    part: str
    less: int

    def said(self, words: str, cells: Sequence[int]) -> str:
        points = f"{points_in_words(self.most)} ({part_title(self.part)})"
        told = {"tile": tile_words(self.tile), "points": points, "n": self.less}
        return words.format(cells=cells_words(cells), **told)


def _more_of(
    view: View,
    tile: int,
    board: bytes,
    better: bytes,
    taken: Collection[int] = (),
    near: Collection[int] = (),
) -> _Laid:
    """Where several places bring as much, one on the cells that are taken, or near."""
    counting = Counting.of(view)
    now, less = (score.parts(one, 0, counting) for one in (better, board))
    places = choosing.worth(board, 0, counting, tile).values()
    n = max((has.total for has in places), default=less.total) - less.total
    worth = choosing.worth(better, 0, counting, tile)
    found = {at: (worth[at].total, len({*taken} & {*at}), len({*near} & {*at})) for at in worth}
    if not found:
        return _Laid(tile, 0, (), "total", n)
    at = max(found, key=lambda at: (found[at], at))
    gains = {part: getattr(worth[at], part) - getattr(now, part) for part in choosing.PARTS}
    most = worth[at].total - now.total
    return _Laid(tile, most, at, reasons.deciding(gains, most) or "total", n)


# What the judge's estimate says that the board does not show at once: the part of a town in which
# most is lost, and what of it stands on the boards.


def _count(board: bytes, *wanted: Kind) -> int:
    return sum(mask_of(board, kind).bit_count() for kind in wanted)


def _free_around(board: bytes) -> int:
    """The free cells around parks: in each a house brings a point."""
    parks = mask_of(board, Kind.PARK)
    return (around(parks) & mask_of(board, Kind.FREE)).bit_count()


def _shop_points(board: bytes) -> int:
    return sum(map(most_points, lines(only_shops(board))))


def _for_shops(board: bytes) -> int:
    """The free cells in which a shop brings as much as a pair."""
    least = _shop_points(board) + POINTS[2]
    return sum(
        any(
            _shop_points(b"".join((board[:cell], bytes([shop]), board[cell + 1 :]))) >= least
            for shop in SHOPS
        )
        for cell in cells_in(beside(sum(mask_of(board, shop) for shop in SHOPS)))
        if not board[cell]
    )


def _with_stations(board: bytes, more: int, counting: Counting) -> int:
    """The most that the rails bring with so many more stations beside tracks."""
    tracks, stations = mask_of(board, Kind.TRACK), mask_of(board, Kind.STATION)
    free = [1 << cell for cell in cells_in(beside(tracks) & mask_of(board, Kind.FREE))]
    ways = combinations(free, min(more, len(free)))
    return max(rail_points(tracks, stations | sum(way), counting.rails) for way in ways)


def _more_stations(board: bytes, better: bytes, counting: Counting) -> tuple[int, int, int]:
    """With how few more stations the better board's rails bring more, how much, and the other's;
    zeros where they never do."""
    for n in (1, 2):
        less, most = (_with_stations(one, n, counting) for one in (board, better))
        if most > less:
            return n, most, less
    return 0, 0, 0


def _squares(board: bytes, side: int) -> int:
    """The free ones."""
    return corners(mask_of(board, Kind.FREE))[side - 2].bit_count()


_CAUSES: Final = 2
"""What more is told nobody reads."""
_Grows: TypeAlias = tuple[str, Callable[[bytes], int], int]
"""What is said of a number, which differs by two at least; how it is counted; the points of one."""
_SQUARES: Final[Sequence[_Grows]] = (
    (
        N_("free places for 3x3 blocks, 9 points each"),
        lambda board: _squares(board, 3),
        0,
    ),
    (
        N_("free places for 2x2 blocks, 4 points each"),
        lambda board: _squares(board, 2),
        0,
    ),
)
"""These are told of every part."""
_GROWS: Final[Mapping[str, Sequence[_Grows]]] = {
    "parks": (
        (
            N_("free cells around your parks, where a house brings 1 point more"),
            _free_around,
            POINT,
        ),
    ),
    "shops": (
        (
            N_("free cells where a shop would bring 5 points or more"),
            _for_shops,
            POINT,
        ),
    ),
}
"""Part of the estimate → what makes it grow."""
_BRING: Final[Mapping[str, Collection[Kind]]] = {
    "houses": (Kind.HOUSE,),
    "parks": (Kind.PARK, Kind.HOUSE),
    "shops": SHOPS,
    "rails": (Kind.TRACK, Kind.STATION),
    "schools": (),
}
"""Part of the estimate → of what a tile that brings points for it has a half."""


def later(
    view: View, action: Action, instead: Action, parts: Sequence[Brought], names: Sequence[str]
) -> list[Cost]:
    """Of each seat's town the part in which most is lost, as far as the board shows a cause. Where
    it shows none, that is said."""
    if view.seat is None:
        return []
    taken, other = (towards(view, choosing.NOTHING, one) for one in (action, instead))
    at_once = _at_once(view, taken, other)
    found = _causes(view, action, instead, parts, names, _DIFFERS)
    found = found or _causes(view, action, instead, parts, names, 1)
    if not found and isinstance(action, Buy) and isinstance(instead, Buy):
        waits = _can_wait(view, action, instead, names)
        found += [(0, Cost(view.seat, sentence(said))) for said in waits]
    lost = sum(
        (most - less) * (1 if seat == view.seat else -1)
        for seat, its in enumerate(parts)
        for less, most in its.values()
    )
    # What is told to be worth about what was lost explains it best.
    found.sort(key=lambda one: abs((one[0] or one[1].points) - lost))
    worths, causes = [told for told, _cost in found], [cost for _told, cost in found]
    less_now = _("It brings more now, less later. {said}")
    more_now = -sum(one.points for one in at_once if one.points < 0)
    if causes[:1] and causes[0].seat == view.seat and 0 < more_now < worths[0]:
        causes[0] = causes[0]._replace(said=less_now.format(said=causes[0].said))
    towns = [choosing.town_after(view, one) for one in (taken, other)]
    bought = isinstance(action, Buy) and isinstance(instead, Buy)
    level = choosing.gain_by_gems(view, taken) == choosing.gain_by_gems(view, other)
    match towns:
        case [(_board, gems), (_better, more)] if bought and more - gems >= _MANY_GEMS:
            words = sentence(_gems_words(view, gems, more))
            # Of gems that schools count the points at once tell.
            if all(one.said != words for one in causes) and level:
                causes.append(Cost(view.seat, words, _GEM * (more - gems)))
    seen = [one._replace(said=sentence(one.said)) for one in at_once if one.points >= _TOLD]
    none = Cost(view.seat, _("The board shows no single reason: more comes later."))
    return (seen + causes)[:_CAUSES] or [none]


def _causes(
    view: View,
    action: Action,
    instead: Action,
    parts: Sequence[Brought],
    names: Sequence[str],
    least: int,
) -> list[tuple[int, Cost]]:
    """Of each seat the cause, and what it is told to be worth; `least`: as in `_of_own`."""
    found = list[tuple[int, Cost]]()
    for seat, its in enumerate(parts):
        sign = 1 if seat == view.seat else -1
        gains = {part: sign * (most - less) for part, (less, most) in its.items()}
        whole = sum(gains.values())
        for part in sorted(gains, key=lambda part: -gains[part]):
            if gains[part] <= 0 or whole <= 0:
                break
            told = list[tuple[str, int]]()
            if seat == view.seat:
                told += _of_own(view, part, gains[part], action, instead, least)
            elif isinstance(action, Buy) and isinstance(instead, Buy) and seat == _next(view):
                told += _of_rival(view, part, action, instead, names)
            if told:
                said, worth = told[0]
                found.append((worth, Cost(seat, sentence(said), min(gains[part], whole))))
                break
    return found


def _of_own(
    view: View, part: str, gain: int, action: Action, instead: Action, least: int
) -> Iterator[tuple[str, int]]:
    """Why a part of the own town can grow more after the better action, and by how much as far as
    that is told. `least`: what a number has to differ by."""
    taken, other = (towards(view, choosing.NOTHING, one) for one in (action, instead))
    played, best = (choosing.town_after(view, one) for one in (taken, other))
    if played is None or best is None:
        return
    (board, gems), (better, more) = played, best
    bought = [one.position for one in (action, instead) if isinstance(one, Buy)]
    if part == "schools" and more - gems >= least:
        yield _gems_words(view, gems, more), _GEM * (more - gems)
    tiles = [tile for tile in _may_come(view, *bought) if {*TILES[tile]} & {*_BRING[part]}]
    found = [_more_of(view, tile, board, better) for tile in tiles if turns_after(view)]
    found = [one for one in found if _PART.get(one.part, one.part) == part]
    laid = max(found, key=lambda one: one.most - one.less, default=None)
    more_laid = 0 if laid is None else POINT * (laid.most - laid.less)
    told = list[tuple[str, int]]()
    if part == "rails":
        n, most, less = _more_stations(board, better, Counting.of(view))
        said = ngettext(
            "with {n} more station your rails would bring {most} points, as played {less}",
            "with {n} more stations your rails would bring {most} points, as played {less}",
            n,
        )
        told = [(said.format(n=n, most=most, less=less), POINT * (most - less))] * bool(n)
    schools = _count(better, Kind.SCHOOL) - _count(board, Kind.SCHOOL)
    if part == "schools" and schools > 0:
        told = [(_("with a school more, 5 gems bring 10 points"), 0)]
    grows = (*_SQUARES, *_GROWS.get(part, ()))
    for what, many, each in grows if part == "houses" else grows[::-1]:
        n, less = many(better), many(board)
        if n - less >= least:
            said = _("{what}: {n} with the better move, {less} as played")
            told.append((said.format(what=_(what), n=n, less=less), each * (n - less)))
    if laid is not None and more_laid >= _TOLD:
        said = _("with the better move {tile} can bring {points} on {cells}, not {n}")
        # Of rails the tile that can come says more than stations alone.
        first = 3 * more_laid >= gain or all(more_laid >= worth for _said, worth in told)
        told.insert(0 if first else 1, (laid.said(said, laid.at), more_laid))
    yield from told


_PART: Final = {"blocks": "houses"}
"""Part of the score → part of the estimate, where that has another name."""
_TILE_OF: Final = {frozenset(halves): tile for tile, halves in enumerate(TILES)}


def _may_come(view: View, *gone: int) -> set[int]:
    """The tiles of the row but for these positions, and those of which not all have been seen."""
    seen = Counter([view.tile, *view.row, *chain.from_iterable(view.discarded)])
    for board in view.boards:
        for cell, byte in enumerate(board):
            # Each tile has one half on whose right or below which the other one lies.
            if 0 < byte & KIND_BITS < Kind.TOWN_HALL and byte >> 4 < 2:
                other = board[cell + STEPS[byte >> 4]]
                seen[_TILE_OF[frozenset((Kind(byte & KIND_BITS), Kind(other & KIND_BITS)))]] += 1
    sheets = SHEETS[len(view.boards)] if view.left else 0
    unseen = {tile for tile, copies in enumerate(COPIES) if copies * sheets > seen[tile]}
    row = {tile for at, tile in enumerate(view.row, 1) if tile and at not in gone}
    return {tile for tile in unseen | row if Kind.SCHOOL not in TILES[tile]}


def _of_rival(
    view: View, part: str, action: Buy, instead: Buy, names: Sequence[str]
) -> Iterator[tuple[str, int]]:
    """The tile that the next seat would buy by the estimate, where the better purchase does not
    leave it, or leaves fewer gems on it, and what it brings; none where it is not for this part."""
    position, else_left = _would_buy(view, action), _left_by(view, instead)
    if not position:
        return
    tile, gems = _left_by(view, action)[position]
    if any(it == tile and on_it >= gems for it, on_it in else_left.values()):
        return
    if not ({*TILES[tile]} & {*_BRING[part]} or (part == "schools" and gems)):
        return
    seat, counting = _next(view), Counting.of(view)
    board, has = view.boards[seat], view.gems[seat]
    left = has - [*_left_by(view, action)].index(position) + gems
    now, worth = score.parts(board, has, counting), choosing.worth(board, left, counting, tile)
    buy = choice(_view_after(view, action), Buy(position))
    ways = sorted(worth, key=lambda way: (getattr(worth[way], part), worth[way].total))
    its = worth[ways[-1]] if ways else now
    gains = {one: getattr(its, one) - getattr(now, one) for one in choosing.PARTS}
    if (total := its.total - now.total) >= _POINTS and (gains[part] or part != "rails"):
        which = reasons.deciding(gains, total) or part
        said = _("now {name} can {buy}: {points} ({part} {most}, not {less})")
        counts = {"most": getattr(its, which), "less": getattr(now, which)}
        points = points_in_words(total)
        named = {"name": names[seat], "buy": buy, "points": points, "part": part_title(which)}
        yield said.format(**named, **counts), POINT * total
    elif part == "rails":
        way = outlook(counting, turns_after(view)).best(board, tile, has)[1]
        after = board if way is None else with_tile(board, tile, *way)
        n, most, less = _more_stations(board, after, counting)
        said = ngettext(
            "now {name} can {buy}: with {n} more station {part} {most}, not {less}",
            "now {name} can {buy}: with {n} more stations {part} {most}, not {less}",
            n,
        )
        told = {"name": names[seat], "part": part_title(part), "most": most, "less": less}
        if n:
            yield said.format(buy=buy, n=n, **told), POINT * (most - less)


def _can_wait(view: View, action: Buy, instead: Buy, names: Sequence[str]) -> Iterator[str]:
    """That the next seat would sooner buy another tile than the one that was bought."""
    position, tile = _would_buy(view, instead), view.row[action.position - 1]
    if position and turns_after(view) and view.row[position - 1] != tile:
        said = _("{tile} can wait: {name} would sooner {buy}")
        buy = choice(_view_after(view, instead), Buy(position))
        yield said.format(tile=tile_words(tile), name=names[_next(view)], buy=buy)


def _view_after(view: View, bought: Buy) -> View:
    """With the row and its gems as the next seat finds them."""
    left = _left_by(view, bought)
    row, on_row = zip(*(left.get(at, (0, 0)) for at in range(1, len(view.row) + 1)), strict=True)
    return replace(view, row=bytes(row), on_row=bytes(on_row))


def _would_buy(view: View, bought: Buy) -> int:
    """The position that is worth most to the next seat then, by the estimate; 0: it has none."""
    seat, left = _next(view), _left_by(view, bought)
    board, ahead = view.boards[seat], outlook(Counting.of(view), turns_after(view))
    worths = {
        position: ahead.best(board, tile, view.gems[seat] - cost + on_it)[0]
        for cost, (position, (tile, on_it)) in enumerate(left.items())
    }
    return max(worths, key=lambda position: worths[position], default=0)
