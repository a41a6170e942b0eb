"""Why an action was a mistake, for a review: what boards, gems and the row show.

Law: each sentence holds in the position, whatever else its weight is guessed by.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from clocktowers_tui.games.architetti_attenti import choosing, reasons
from clocktowers_tui.games.architetti_attenti.choosing import Selection
from clocktowers_tui.games.architetti_attenti.hinting import choice, towards
from clocktowers_tui.games.architetti_attenti.words import (
    cells_words,
    counted_words,
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
    around,
    beside,
    cells_in,
    corners,
    joined,
    mask_of,
)
from protocol.games.architetti_attenti.evaluation import outlook
from protocol.games.architetti_attenti.score import Counting
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
    """With what they are for."""
    if _count(view.boards[view.seat or 0], Kind.SCHOOL):
        said = ngettext(
            "it leaves {n} gem for your schools, not {most}",
            "it leaves {n} gems for your schools, not {most}",
            gems,
        )
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


_Grows: TypeAlias = tuple[str, Callable[[bytes], int]]


def _count(board: bytes, *wanted: Kind) -> int:
    return sum(mask_of(board, kind).bit_count() for kind in wanted)


def _free(board: bytes, near: Callable[[int], int], *wanted: Kind) -> int:
    """The free cells near these kinds."""
    cells = near(sum(mask_of(board, kind) for kind in wanted))
    return (cells & mask_of(board, Kind.FREE)).bit_count()


def _longest(board: bytes) -> tuple[int, int]:
    """The tracks and stations of the longest railway."""
    tracks, stations = mask_of(board, Kind.TRACK), mask_of(board, Kind.STATION)
    found = [(0, 0)]
    while tracks:
        its, stops = joined(tracks & -tracks, tracks, stations)
        tracks &= ~its
        found.append((its.bit_count(), stops.bit_count()))
    return max(found)


def _squares(board: bytes) -> tuple[int, int]:
    """The free ones of 2x2 and of 3x3 cells."""
    twos, threes = corners(mask_of(board, Kind.FREE))
    return twos.bit_count(), threes.bit_count()


_ROOM: Final[Sequence[_Grows]] = (
    (N_("free places for 3x3 blocks"), lambda board: _squares(board)[1]),
    (N_("free places for 2x2 blocks"), lambda board: _squares(board)[0]),
)
"""Whatever is to be built."""
_CAUSES: Final = 2
"""What more is told nobody reads."""
_GROWS: Final[Mapping[str, Sequence[_Grows]]] = {
    "houses": ((N_("your houses"), lambda board: _count(board, Kind.HOUSE)),),
    "parks": (
        (N_("your parks"), lambda board: _count(board, Kind.PARK)),
        (N_("free cells around your parks"), lambda board: _free(board, around, Kind.PARK)),
    ),
    "shops": (
        (N_("free cells beside your shops"), lambda board: _free(board, beside, *SHOPS)),
        (N_("your shops"), lambda board: _count(board, *SHOPS)),
    ),
    "rails": (
        (N_("tracks of your longest railway"), lambda board: _longest(board)[0]),
        (N_("stations of your longest railway"), lambda board: _longest(board)[1]),
        (N_("your stations"), lambda board: _count(board, Kind.STATION)),
    ),
    "schools": ((N_("your schools"), lambda board: _count(board, Kind.SCHOOL)),),
}
"""Part of the estimate → what makes it grow, what is plainest first."""
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
    at_once, found = _at_once(view, taken, other), list[Cost]()
    for seat, its in enumerate(parts):
        sign = 1 if seat == view.seat else -1
        gains = {part: sign * (most - less) for part, (less, most) in its.items()}
        whole = sum(gains.values())
        for part in sorted(gains, key=lambda part: -gains[part]):
            if gains[part] <= 0 or whole <= 0:
                break
            said = ""
            if seat == view.seat:
                said = next(_of_own(view, part, gains[part], action, instead), "")
            elif isinstance(action, Buy) and isinstance(instead, Buy) and seat == _next(view):
                said = _of_rival(view, part, action, instead, names)
            if said:
                found.append(Cost(seat, sentence(said), min(gains[part], whole)))
                break
    if not found and isinstance(action, Buy) and isinstance(instead, Buy):
        waits = _can_wait(view, action, instead, names)
        found += [Cost(view.seat, sentence(said)) for said in waits]
    found.sort(key=lambda one: -one.points)
    less_now = _("It brings more now, less later. {said}")
    if found[:1] and found[0].seat == view.seat and any(one.points < 0 for one in at_once):
        found[0] = found[0]._replace(said=less_now.format(said=found[0].said))
    seen = [one._replace(said=sentence(one.said)) for one in at_once if one.points >= _TOLD]
    none = Cost(view.seat, _("The board shows no single reason: more comes later."))
    return (seen + found)[:_CAUSES] or [none]


def _of_own(view: View, part: str, gain: int, action: Action, instead: Action) -> Iterator[str]:
    """Why a part of the own town can grow more after the better action."""
    taken, other = (towards(view, choosing.NOTHING, one) for one in (action, instead))
    played, best = (choosing.town_after(view, one) for one in (taken, other))
    if played is None or best is None:
        return
    (board, gems), (better, more) = played, best
    bought = [one.position for one in (action, instead) if isinstance(one, Buy)]
    if part == "schools" and gems < more:
        yield _gems_words(view, gems, more)
    tiles = [tile for tile in _may_come(view, *bought) if {*TILES[tile]} & {*_BRING[part]}]
    found = [_more_of(view, tile, board, better) for tile in tiles if turns_after(view)]
    found = [one for one in found if _PART.get(one.part, one.part) == part]
    laid = max(found, key=lambda one: one.most - one.less, default=None)
    more_laid = 0 if laid is None else POINT * (laid.most - laid.less)
    grows = (*_ROOM, *_GROWS[part]) if part == "houses" else (*_GROWS[part], *_ROOM)
    counts = ((_(what), many(better), many(board)) for what, many in grows)
    told = [
        _("{what}: {n} with the better move, {less} as played").format(what=what, n=n, less=less)
        for what, n, less in counts
        if n > less
    ]
    if laid is not None and more_laid >= _TOLD:
        said = _("with the better move {tile} can bring {points} on {cells}, not {n}")
        told.insert(0 if 3 * more_laid >= gain else 1, laid.said(said, laid.at))
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


def _of_rival(view: View, part: str, action: Buy, instead: Buy, names: Sequence[str]) -> str:
    """The tile that the next seat would buy by the estimate, where the better purchase does not
    leave it, or leaves fewer gems on it; "" where it is not for this part."""
    position, else_left = _would_buy(view, action), _left_by(view, instead)
    if not position:
        return ""
    tile, gems = _left_by(view, action)[position]
    if any(it == tile and on_it >= gems for it, on_it in else_left.values()):
        return ""
    said = things = ""
    if part == "schools" and gems:
        said = ngettext(
            "now {name} can {buy}, and gets {n} gem",
            "now {name} can {buy}, and gets {n} gems",
            gems,
        )
    elif {*TILES[tile]} & {*_BRING[part]}:
        board = view.boards[_next(view)]
        has = [(kind, _count(board, kind)) for kind in _BRING[part]]
        things = ", ".join(counted_words(kind, n) for kind, n in has if n)
        if things:
            said = _("now {name} can {buy} to go with {things}")
        elif position == instead.position:
            said = _("now {name} can {buy}, which the better move takes")
    buy = choice(_view_after(view, action), Buy(position))
    return said.format(name=names[_next(view)], buy=buy, n=gems, things=things)


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
