"""What brings points, and why the tile in hand would change them: a few words for each part of the
score.

Each is told at several lengths, the longest first; `fitting` takes the first that has room.
"""

from collections.abc import Iterator, Mapping, Sequence

from rich.cells import cell_len

from clocktowers_tui.games.architetti_attenti import choosing, preview
from clocktowers_tui.games.architetti_attenti.choosing import Selection
from clocktowers_tui.games.architetti_attenti.inks import Ink
from clocktowers_tui.games.architetti_attenti.tally import Change, Thing, changes
from clocktowers_tui.text.i18n import _, ngettext
from protocol.games.architetti_attenti import TILES, Blocks, Kind, Parks, Rails, View
from protocol.games.architetti_attenti.board import cell_name


def fitting(texts: Sequence[str], room: int) -> str:
    """The first that takes at most `room` cells; "" when none does."""
    return next((text for text in texts if cell_len(text) <= room), "")


def what_scores(part: str, view: View) -> Sequence[str]:
    """What brings points for a part; for the total, what wins; and what gems are for."""
    match part:
        case "houses":
            return [_("1 each")]
        case "blocks":
            squares = _("house squares 2x2: 4, 3x3: 9")
            if view.blocks is Blocks.ALL:
                squares = _("any house square 2x2: 4, 3x3: 9")
            return [squares, _("squares 2x2: 4, 3x3: 9"), "2x2: 4, 3x3: 9", "2x2 4, 3x3 9"]
        case "parks":
            if view.parks is Parks.HOUSES:
                return [_("1 for each house beside any park"), _("1 by a house")]
            return [
                _("1 for each house beside each park"),
                _("1 a house around each"),
                _("1 by a house"),
            ]
        case "rails":
            if view.rails is Rails.STRETCH:
                return [_("2 for each track between stations"), _("2 a joined one")]
            return [
                _("stations x tracks between them"),
                _("stations x tracks"),
                _("stops x rails"),
            ]
        case "shops":
            return [
                _("2, 3, 4 kinds in a row: 5, 10, 15"),
                _("in a row: 5, 10, 15"),
                _("rows 5 10 15"),
            ]
        case "schools":
            return [
                _("5 gems bring 10, fewer 1 each"),
                _("5 gems bring 10"),
                _("5 gems: 10"),
            ]
        case "total":
            return [_("most points win"), _("the most win")]
        case _:
            return [_("pay for tiles, go on schools"), _("pay for tiles")]


def goal(view: View) -> Sequence[tuple[Ink | None, str]]:
    """What wins, and what brings points, a sentence for each; and the ink of what it is about,
    which stands before a colon."""
    houses = _("Houses: 1 each; squares 2x2 add 4, 3x3 add 9.")
    if view.blocks is Blocks.ALL:
        houses = _("Houses: 1 each; any 2x2 adds 4, any 3x3 adds 9.")
    parks = _("Parks: 1 for each house around each of them.")
    if view.parks is Parks.HOUSES:
        parks = _("Parks: 1 for each house around any of them.")
    rails = _("Rails: stations times the tracks between them.")
    if view.rails is Rails.STRETCH:
        rails = _("Rails: 2 for each track between stations.")
    return [
        (Ink.BOLD, _("The most points win when the tiles run out.")),
        (Ink.HOUSE, houses),
        (Ink.PARK, parks),
        (Ink.TRACK, rails),
        (Ink.BOOKSHOP, _("Shops: 2, 3, 4 kinds side by side: 5, 10, 15.")),
        (Ink.SCHOOL, _("Schools: 5 gems bring 10, fewer 1 each.")),
        (Ink.GEM, _("Gems: pay 1 a skipped tile, get those on yours.")),
    ]


def goal_in_a_line(room: int) -> str:
    """What is hardest to guess, in so many cells; "" where there is no room."""
    said = [
        _("Points: 2x2 houses 4, 3x3 9; parks by houses; shops in rows 5 10 15; 5 gems 10"),
        _("Points: 2x2 houses 4, 3x3 9; shops in rows 5 10 15; 5 gems 10"),
        _("2x2 houses 4, 3x3 9; shops in rows 5 10 15; 5 gems 10"),
    ]
    return fitting(said, room)


def why(view: View, selection: Selection, becomes: str) -> Mapping[str, Sequence[str]]:
    """Part → why the tile in hand would change its points; parts that stay the same have none.
    `becomes` stands between before and after."""
    return {
        part: list(_why(part, change, view, selection, becomes))
        for part, change in changes(view, selection).items()
        if change.gain
    }


def _why(
    part: str, change: Change, view: View, selection: Selection, becomes: str
) -> Iterator[str]:
    sizes = _turned(change.before, change.after, becomes)
    match part:
        case "houses":
            yield _built(view, selection, Kind.HOUSE)
        case "blocks":
            yield sizes
        case "parks":
            n = change.gain
            yield ngettext("{n} house beside a park", "{n} houses beside parks", n).format(n=n)
            yield _built(view, selection, Kind.HOUSE, Kind.PARK)
        case "rails" if view.rails is Rails.STRETCH:
            n = len(change.after)
            yield ngettext("{n} track joined", "{n} tracks joined", n).format(n=n)
        case "rails":
            yield _("stations x tracks {sizes}").format(sizes=sizes)
            yield sizes
        case "shops":
            yield _("row of {sizes}").format(sizes=sizes)
            yield sizes
        case _:
            yield from _schools(change, view, selection, becomes)


def _schools(change: Change, view: View, selection: Selection, becomes: str) -> Iterator[str]:
    """That a school is built, or what becomes of the gems that go on schools."""
    assert view.seat is not None
    built = _built(view, selection, Kind.SCHOOL)
    school = [_("school {cell}").format(cell=built)] if built else []
    now, then = view.gems[view.seat], preview.gems_after(view, selection)
    told = _("gems rise from {now} to {then}")
    if then < now:
        told = _("gems fall from {now} to {then}")
    gems = [told.format(now=now, then=then)] if now != then else []
    less = [_("gems {change}").format(change=f"{now} {becomes} {then}")] if gems else []
    yield ", ".join([*school, *gems])
    yield ", ".join([*school, *less])
    yield (less or school)[-1]


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
    halves = zip(ghost.cells, TILES[choosing.tile(view, selection)], strict=True)
    return " ".join(cell_name(cell) for cell, kind in halves if kind in wanted)
