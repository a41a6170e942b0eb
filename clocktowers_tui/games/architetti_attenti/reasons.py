"""What points are made of, what the tile in hand would change of them, and why."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from rich.cells import cell_len

from clocktowers_tui.games.architetti_attenti import choosing
from clocktowers_tui.games.architetti_attenti.choosing import PARTS, Selection
from clocktowers_tui.games.architetti_attenti.words import (
    cells_words,
    counted_words,
    kind_letter,
    part_title,
    shuts_words,
)
from clocktowers_tui.games.spoken import sentence
from clocktowers_tui.text.i18n import N_, _, ngettext
from protocol.games.architetti_attenti import (
    SHOPS,
    TILES,
    Blocks,
    Kind,
    Parks,
    Rails,
    View,
    turns_after,
)
from protocol.games.architetti_attenti.board import mask_of
from protocol.games.architetti_attenti.score import FULL_SCHOOL, Counting, Thing, things

Tally: TypeAlias = Mapping[str, Counter[Thing]]
"""Part → its things, wherever they stand."""


def tally(board: bytes, gems: int, counting: Counting) -> Tally:
    """Everything that brings points."""
    found: dict[str, Counter[Thing]] = {part: Counter() for part in PARTS}
    for thing in things(board, gems, counting):
        found[thing.part][thing._replace(cells=())] += 1
    return found


# Every part of the points that the tile in hand would bring, as one sum --------------------------


def gains(view: View, selection: Selection) -> Mapping[str, int]:
    """Part → the points that the tile in hand would change it by, the largest first; without those
    that stay the same. Where two are level, houses say least."""
    return _largest_first(choosing.gains(view, selection))


def _largest_first(found: Mapping[str, int]) -> Mapping[str, int]:
    ranked = sorted(found, key=lambda part: (found[part], [*SIGNS].index(part)), reverse=True)
    return {part: found[part] for part in ranked if found[part]}


def parts_in_words(gains: Mapping[str, int]) -> str:
    """`Schools +10, Shops +5`."""
    return ", ".join(f"{part_title(part)} {gain:+}" for part, gain in _largest_first(gains).items())


def parted(view: View, selection: Selection, gains: Mapping[str, int]) -> str:
    """The same with what is said of gems: `Schools +10 if you keep 5 gems, Shops +5`."""
    told = {part: [parts_in_words({part: gain})] for part, gain in gains.items()}
    after = choosing.town_after(view, selection)
    if gains.get("schools", 0) > 0 and after is not None:
        # These points stand only when the gems are still there at the end.
        told["schools"] += kept(view, *after)
    return ", ".join(map(" ".join, told.values()))


def kept(view: View, board: bytes, gems: int) -> Sequence[str]:
    """On which gems the points of a board's schools count until the end; empty for none."""
    held = tally(board, gems, Counting.of(view))["schools"]
    n = sum(thing.size[0] * times for thing, times in held.items())
    if not n or not turns_after(view):
        return []
    return [ngettext("if you keep {n} gem", "if you keep {n} gems", n).format(n=n)]


def shut(view: View, selection: Selection) -> str:
    """That the tile in hand shuts cells in; "" where it does not, or no turn comes."""
    after = choosing.town_after(view, selection)
    if after is None or not turns_after(view):
        return ""
    cells = {*choosing.shut_in(after[0])} - {*choosing.shut_in(choosing.own_board(view))}
    return sentence(shuts_words(cells)) if cells else ""


# What brings points, and why the tile in hand would change them: a few words for each part of
# the score.
#
# Each is told at several lengths, the longest first; `fitting` takes the first that has room.


SIGNS: Final[Mapping[str, Sequence[Kind]]] = {
    "houses": (Kind.HOUSE,),
    "blocks": (),
    "parks": (Kind.PARK,),
    "rails": (Kind.TRACK, Kind.STATION),
    "shops": SHOPS,
    "schools": (Kind.SCHOOL,),
}
"""Part of the score → the signs that stand for it."""


_TIPS_FOR: Final = 12
"""After so many tiles a player has read the tips."""
_ABOUT_HOUSES: Final = (0, 3)
"""Tiles built when houses are spoken of; what is said more often nobody reads."""


def about(tile: int) -> str:
    """The part of the score that a tile is for: houses, which all count the same, are for
    blocks."""
    others = {*TILES[tile]} - {Kind.HOUSE}
    return next((part for part, kinds in SIGNS.items() if others & {*kinds}), "blocks")


def fitting(texts: Sequence[str], room: int) -> str:
    """The first that takes at most `room` cells; "" when none does."""
    return next((text for text in texts if cell_len(text) <= room), "")


_SCORES: Final[Mapping[str, Sequence[str]]] = {
    "houses": (N_("1 each"),),
    "blocks": (N_("4 for 2x2 houses, 9 for 3x3"), "2x2: 4, 3x3: 9"),
    "parks": (
        N_("1 for each house on the 8 cells around it"),
        N_("1 per house around it"),
        N_("1 per house"),
    ),
    "rails": (
        N_("stations times tracks that join them"),
        N_("stations x tracks between them"),
        N_("stations x tracks"),
        N_("station x track"),
        N_("join stations"),
    ),
    "shops": (
        N_("5, 10, 15 for 2, 3, 4 kinds in a row"),
        N_("5 for 2 kinds in a row"),
        N_("5 for 2 kinds"),
        N_("2 kinds: 5"),
    ),
    "schools": (
        N_("10 for 5 gems at the end, else 1 each"),
        N_("10 for 5 gems at the end"),
        N_("10 for 5 gems"),
        N_("5 gems: 10"),
    ),
    "total": (N_("most points win"), N_("most wins")),
    "gems": (
        N_("pay 1 per skipped tile; schools score gems"),
        N_("pay 1 per skip"),
    ),
}
"""What brings points for a part; for the total, what wins; and what gems are for."""
_OTHERWISE: Final[Mapping[str | None, Sequence[str]]] = {
    Blocks.ALL: (N_("4 for any 2x2 houses, 9 for any 3x3"), "2x2: 4, 3x3: 9"),
    Parks.HOUSES: (
        N_("1 for each house with a park around it"),
        N_("1 per house by a park"),
        N_("1 per house"),
    ),
    Rails.STRETCH: (N_("2 for each track between stations"), N_("2 per track")),
}
"""The same where the table has chosen this."""


def what_scores(part: str, view: View) -> Sequence[str]:
    """As `_SCORES` has it, in fewer and fewer words."""
    chosen = {"blocks": view.blocks, "parks": view.parks, "rails": view.rails}.get(part)
    return [_(text) for text in _OTHERWISE.get(chosen, _SCORES[part])]


def scoring(part: str, view: View) -> Sequence[str]:
    """The same behind the part's name."""
    return [f"{part_title(part)}: {what}" for what in what_scores(part, view)]


def goal() -> str:
    """What wins."""
    return _("When the tiles run out, the most points win.")


def tip(view: View, room: int) -> str:
    """What brings points, in so many cells: first what houses bring, then, another one each turn,
    what a tile in the row is for; "" for players who have read that, or where there is no room."""
    built = choosing.tiles_built(view)
    if built >= _TIPS_FOR:
        return ""
    told = (fitting(texts, room) for texts in _about_row(view)) if built else ()
    about_row = [*filter(None, told)]
    if about_row:
        return about_row[built % len(about_row)]
    houses = [
        _("A house scores 1, four in a square 4 more, each house beside a park 1 more."),
        _("A house scores 1, four in a square 4 more."),
    ]
    return fitting(houses, room) if built in _ABOUT_HOUSES else ""


def _about_row(view: View) -> Iterator[Sequence[str]]:
    """Each in fewer and fewer words."""
    offered = {about(tile) for tile in view.row if tile} - {"blocks"}
    for part in (one for one in SIGNS if one in offered):
        yield [f"{told}." for told in scoring(part, view)]
    if any(view.on_row):
        yield [_("You get the gems on the tile that you buy.")]


def deciding(gains: Mapping[str, int], total: int) -> str | None:
    """Of these parts the one that explains the total's sign: the largest change with that sign, or
    else the largest; None where no part changes."""
    sign = -1 if total < 0 else 1
    changed = (part for part, gain in gains.items() if gain)
    return max(changed, key=lambda part: (gains[part] * sign > 0, abs(gains[part])), default=None)


def why(view: View, selection: Selection, becomes: str) -> Mapping[str, Sequence[str]]:
    """Part → why the tile in hand would change its points; parts that stay the same have none.
    `becomes` stands between before and after."""
    after = choosing.town_after(view, selection)
    if after is None:
        return {}
    counting = Counting.of(view)
    now = tally(choosing.own_board(view), choosing.gems_before(view, selection), counting)
    then = tally(*after, counting)
    told = dict[str, Sequence[str]]()
    for part, gain in gains(view, selection).items():
        gone = sorted((now[part] - then[part]).elements())
        come = sorted((then[part] - now[part]).elements())
        sizes = _turned(gone, come, becomes)
        match part:
            case "houses":
                told[part] = [_built(view, selection, Kind.HOUSE)]
            case "blocks":
                told[part] = [sizes]
            case "parks":
                touch = ngettext("{n} house touches a park", "{n} houses touch parks", gain)
                cells = _built(view, selection, Kind.HOUSE, Kind.PARK)
                told[part] = [touch.format(n=gain), cells]
            case "rails" if view.rails is Rails.STRETCH:
                joined = ngettext("{n} track joined", "{n} tracks joined", len(come))
                told[part] = [joined.format(n=len(come))]
            case "rails":
                told[part] = [*_reasons_railways(come)]
            case "shops":
                told[part] = [_("row of {sizes}").format(sizes=sizes)]
            case _:
                told[part] = [*_schools(view, selection, becomes, come)]
    return told


def gems_lacking(board: bytes, gems: int) -> Sequence[str]:
    """How many gems more would fill the next school of a board; empty where none does."""
    n = FULL_SCHOOL - gems % FULL_SCHOOL
    said = ngettext("{n} more fills a school", "{n} more fill a school", n).format(n=n)
    return [said] * (gems < FULL_SCHOOL * mask_of(board, Kind.SCHOOL).bit_count())


def _reasons_railways(after: Sequence[Thing]) -> Iterator[str]:
    """What is joined now: `2 stations, 2 tracks`, or with their letters `2N 2R`."""
    sizes = [thing.size for thing in after if thing.worth]
    yield " + ".join(
        f"{counted_words(Kind.STATION, stations)}, {counted_words(Kind.TRACK, tracks)}"
        for stations, tracks in sizes
    )
    letters = kind_letter(Kind.STATION), kind_letter(Kind.TRACK)
    yield " + ".join(f"{size[0]}{letters[0]} {size[1]}{letters[1]}" for size in sizes)


def _schools(
    view: View, selection: Selection, becomes: str, come: Sequence[Thing]
) -> Iterator[str]:
    """That a school is built, or what becomes of the gems that go on schools."""
    now, then = choosing.gems_before(view, selection), choosing.gems_after(view, selection)
    built = _built(view, selection, Kind.SCHOOL)
    school = [_("school {cell}").format(cell=built)] if built else []
    filled = max((thing.size for thing in come), default=(0,))
    if built and now == then and filled[0]:
        counts = ngettext("{n} gem counts on {cell}", "{n} gems count on {cell}", filled[0])
        yield counts.format(cell=built, n=filled[0])
    paid = choosing.cost(view, selection.position)
    gems = [_gems_told(now, then, back=then != now - paid)] if now != then else []
    less = [_("gems {change}").format(change=f"{now} {becomes} {then}")] if gems else []
    yield ", ".join([*school, *gems])
    yield ", ".join([*school, *less])
    yield (less or school)[-1]


def _gems_told(now: int, then: int, *, back: bool) -> str:
    """`back`: gems come with the tile, so that what is lost is not what is paid."""
    if then < now and not back:
        return paid_in_words(now - then)
    told = _("gems rise from {now} to {then}")
    if then < now:
        told = _("gems fall from {now} to {then}")
    return told.format(now=now, then=then)


def paid_in_words(gems: int) -> str:
    return ngettext("you pay {n} gem", "you pay {n} gems", gems).format(n=gems)


def _turned(before: Sequence[Thing], after: Sequence[Thing], becomes: str) -> str:
    """`2x2 > 3x3`, or `2x2` where nothing was there."""
    sides = (
        " + ".join("x".join(map(str, thing.size)) for thing in things) for things in (before, after)
    )
    return f" {becomes} ".join(side for side in sides if side)


def _built(view: View, selection: Selection, *wanted: Kind) -> str:
    """The cells on which the tile in hand puts such things."""
    ghost = choosing.shown_ghost(view, selection)
    if ghost is None:
        return ""
    halves = zip(ghost, TILES[choosing.tile(view, selection)], strict=True)
    return cells_words(cell for cell, kind in halves if kind in wanted)
