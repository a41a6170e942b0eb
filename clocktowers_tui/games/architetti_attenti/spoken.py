"""Architetti Attenti in sentences and typed commands, for plain mode."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from clocktowers_tui.games.architetti_attenti import choosing, reasons
from clocktowers_tui.games.architetti_attenti.actions import TILES
from clocktowers_tui.games.architetti_attenti.choosing import NOTHING, Selection, Stage
from clocktowers_tui.games.architetti_attenti.face import FACE
from clocktowers_tui.games.architetti_attenti.words import (
    halves_words,
    kind_words,
    laid_words,
    part_title,
    tile_words,
)
from clocktowers_tui.games.spoken import (
    Asks,
    Read,
    heard,
    move,
    number,
    sentence,
    spoken,
)
from clocktowers_tui.games.standings import points_in_words, ranked
from clocktowers_tui.text.fitting import fit
from clocktowers_tui.text.i18n import _, ngettext
from protocol.games.architetti_attenti import (
    CELLS,
    HALL,
    MOVES,
    SIDE,
    TILES as HALVES,
    Outcome,
    Phase,
    Place,
    View,
)
from protocol.games.architetti_attenti.board import (
    NEIGHBOURS,
    cell_name,
    cell_named,
    is_double,
    kinds,
)
from protocol.games.moves import Moves

_ROW: Final = 3
"""Where `since` tells it."""
_NAME_CELLS: Final = 20
"""So much is said of a name that nobody has."""


def turn(view: View, names: Sequence[str]) -> Sequence[str]:
    """The row with what each tile costs and adds; or the tile to build and its best place."""
    if view.seat is None or view.turn != view.seat:
        return []
    match view.phase:
        case Phase.BUY:
            new = sum(map(bool, kinds(view.boards[view.seat]))) == 1
            return [*(ground(view) if new else ()), _gems(view), *_row(view)]
        case Phase.PLACE:
            return [_to_build(view), _best(view, 0), *standing(view)]
        case Phase.OVER:
            return []


def since(view: View, before: View | None, names: Sequence[str]) -> Sequence[str]:
    """The row with the best place of each tile, and what it adds there; of the bought one, whose
    name was said, where it goes."""
    if before is None:
        return [sentence(FACE.expected(view, names)), *turn(view, names)]
    if view.phase is Phase.PLACE:
        half = kind_words(HALVES[view.tile][0])
        first = _("Build it, the {half} first.").format(half=half)
        built = _("Build it.") if is_double(view.tile) else first
        return [built, _best(view, 0), *standing(view)]
    there = [n for n, tile in enumerate(view.row, 1) if tile]
    worth = {n: "" if choosing.lacking(view, n) else f", {_at_best(view, n)}" for n in there}
    row = (f"{n}, {_priced(view, n)}{worth[n]}" for n in there)
    told = _("The row: {tiles}.").format(tiles="; ".join(row))
    dear = [n for n in there if choosing.lacking(view, n)]
    limit = _("From tile {n} on you have too few gems.").format(n=dear[0]) if dear else ""
    asked = sentence(FACE.expected(view, names))
    return [asked, _gems(view), limit, told]


def brief(view: View, before: View | None, names: Sequence[str]) -> Sequence[str]:
    """The row, or the best place."""
    told = since(view, before or view, names)
    return [told[0], told[1 if view.phase is Phase.PLACE else _ROW]]


def standing(view: View) -> Sequence[str]:
    """What a listener hears once."""
    return [_("place alone builds it at the best place at first sight.")]


def _to_build(view: View) -> str:
    first = _("To build: {tile}; the {half} goes on the cell that you type first.")
    half = kind_words(HALVES[view.tile][0])
    told = _("To build: {tile}.") if is_double(view.tile) else first
    return told.format(tile=tile_words(view.tile), half=half)


def ground(view: View) -> Sequence[str]:
    """How the cells are called."""
    told = _(
        "Your town has columns {left} to {right} from the left, and rows 1 to {n} from the top; "
        "the town hall stands on {hall}."
    )
    left, right = cell_name(0)[0], cell_name(SIDE - 1)[0]
    return [told.format(left=left, right=right, n=SIDE, hall=cell_name(HALL))]


def parts(view: View, names: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """What the player builds; everybody's points; their own town, to a watcher all of them; the
    row."""
    seats = sorted(range(len(view.boards)), key=lambda seat: seat != view.seat)
    shown = seats if view.seat is None else seats[:1]
    towns = [line for seat in shown for line in _town(view, seat, names)]
    points = [_points(view, seat, names) for seat in seats]
    over = view.phase is Phase.OVER
    left = ngettext("{n} tile is left.", "{n} tiles are left.", view.left).format(n=view.left)
    tile = [_to_build(view)] if view.phase is Phase.PLACE and view.turn == view.seat else []
    row = [*([] if over else _row(view)), left]
    return {"tile": tile, "points": points, "town": towns, "row": row}


def ending(view: View, outcome: Outcome, names: Sequence[str]) -> Sequence[str]:
    """Part by part, the winner's first."""
    none = _("nothing")
    return [f"{names[seat]}: {_made_of(view, seat) or none}." for seat in ranked(outcome)]


def read(view: View, names: Sequence[str], word: str, rest: Sequence[str]) -> Read:
    """Only a number buys that tile."""
    match word:
        case "" | "buy":
            return move(_moves(), ["buy", *rest])
        case "place":
            return _build(view, [one for one in rest if one != "on"])
        case "best" if not rest and view.phase is Phase.BUY and view.turn == view.seat:
            return _row(view)
        case "best":
            said = _best(view, max(0, number(rest)))
            return Asks([said], "best {}") if number(rest) < 0 else [said]
        case "try":
            return _try(view, rest)
        case _:
            return _asked_town(view, names, " ".join(rest))


def _moves() -> Moves:
    """As they are typed."""
    which = _("Name a tile of the row by its number, from 1 to {n}.").format(n=len(TILES))
    return MOVES.said(
        position=heard(MOVES.field("position"), which)._replace(shown=("TILE",)),
        cells=heard(MOVES.field("cells"), _two_cells()),
    )


def _two_cells() -> str:
    return _("Name two cells side by side, for example: {example}").format(example="e3 f3")


def _build(view: View, where: Sequence[str]) -> Read:
    if not where and view.phase is Phase.PLACE and view.seat is not None:
        best = choosing.best(view, view.tile)
        return [_("No tile fits any more.")] if best is None else _placed(view, *best)
    if view.phase is Phase.BUY and view.turn == view.seat:
        return [_("First buy a tile: type buy and its number.")]
    found = move(_moves(), ["place", *where]) if len(where) == 2 else [_two_cells()]
    if not isinstance(found, Place):
        return Asks(found, "place {}")
    return _placed(view, found.first, found.second)


def _placed(view: View, first: int, second: int) -> Place:
    """Of a tile with equal halves the smaller cell comes first."""
    if is_double(view.tile):
        first, second = sorted((first, second))
    return Place(first, second)


def _try(view: View, rest: Sequence[str]) -> Asks | Sequence[str]:
    """What it adds, without playing it."""
    position = number(rest)
    where = rest[1:] if position > 0 else rest
    cells = [cell for one in where if (cell := cell_named(one)) is not None]
    if view.seat is None or view.turn != view.seat or view.phase is Phase.OVER:
        return [_("It is not your turn yet.")]
    if len(where) != 2 or len(cells) != 2 or cells[1] not in NEIGHBOURS[cells[0]]:
        return Asks([_two_cells()], " ".join(["try", *rest[: position > 0], "{}"]))
    selection = _looking(view, position)
    if selection is None:
        said = _("Type which tile: {example}").format(example=f"try 1 {' '.join(where)}")
        return Asks([said], " ".join(["try", "{}", *where]))
    selection = selection._replace(ghost=choosing.Ghost(*cells))
    if not choosing.fits(view, selection.ghost):
        return [_("It does not fit there.")]
    return [_adds(view, selection)]


def _looking(view: View, position: int) -> Selection | None:
    """A tile of the row taken up, or the bought one; None where there is none."""
    if view.phase is Phase.PLACE:
        return NOTHING._replace(stage=Stage.PLACE)
    if 1 <= position <= len(view.row) and view.row[position - 1]:
        return NOTHING._replace(stage=Stage.LOOK, position=position)
    return None


def _adds(view: View, selection: Selection) -> str:
    """`On e3 f3 it adds 4 points.`"""
    said = _("On {cells} it {adds}.")
    return said.format(cells=halves_words(*selection.ghost), adds=_worth(view, selection))


def _best(view: View, position: int) -> str:
    """Where a tile goes best at first sight."""
    if view.seat is None or view.turn != view.seat or view.phase is Phase.OVER:
        return _("It is not your turn yet.")
    selection = _looking(view, position)
    if selection is None:
        return _("Type which tile: {example}").format(example="best 1")
    tile = choosing.tile(view, selection)
    cells = choosing.best(view, tile)
    if cells is None:
        return _("No tile fits any more.")
    found = selection._replace(ghost=cells)
    gain = choosing.gain(view, found)
    laid = halves_words(*cells) if is_double(tile) else laid_words(tile, *cells)
    by_gems = choosing.gain_by_gems(view, found)
    if by_gems > 0:
        said = _("Best place: {laid}; {points} now, {n} of them by its gems.")
    elif by_gems < 0:
        said = _("Best place: {laid}; {points} now, after {n} for its price.")
    else:
        said = _("Best place: {laid}; {points} now.")
    points = points_in_words(gain) + _kinds(view, found)
    told = said.format(laid=laid, points=points, n=abs(by_gems))
    return f"{told} {reasons.shut(view, found)}".strip()


def _gems(view: View) -> str:
    assert view.seat is not None
    n = view.gems[view.seat]
    return ngettext("You have {n} gem.", "You have {n} gems.", n).format(n=n)


def _row(view: View) -> list[str]:
    """A line for each tile: its number, what it costs, what lies on it, its best place."""
    return [_in_row(view, n) for n, tile in enumerate(view.row, 1) if tile]


def _in_row(view: View, position: int) -> str:
    """While a tile is built the others have the numbers and the prices of the next turn."""
    n = choosing.cost(view, position) + 1
    said = _("Tile {n}: {tile}").format(n=n, tile=_priced(view, position))
    if view.seat is None or view.seat != view.turn or view.phase is not Phase.BUY:
        return f"{said}."
    dear = _("you have too few gems")
    if choosing.lacking(view, position):
        return f"{said}, {dear}."
    return f"{said}. {_best(view, position)}"


def _priced(view: View, position: int) -> str:
    """A tile of the row, what it costs, and how many gems lie on it."""
    cost, gems = choosing.cost(view, position), view.on_row[position - 1]
    costs = _for_gems(cost) if cost else _("for free")
    on_it = ngettext("with {n} gem on it", "with {n} gems on it", gems).format(n=gems)
    return ", ".join([tile_words(view.row[position - 1]), costs, *([on_it] if gems else [])])


def _for_gems(n: int) -> str:
    # TRANSLATORS: what a tile costs, or what schools score for.
    return ngettext("for {n} gem", "for {n} gems", n).format(n=n)


def _at_best(view: View, position: int) -> str:
    """Where a tile of the row goes best, and what it adds there."""
    found = choosing.at_its_best(view, NOTHING._replace(stage=Stage.LOOK, position=position))
    said = _("on {cells} it {adds}")
    return said.format(cells=halves_words(*found.ghost), adds=_worth(view, found))


def _worth(view: View, selection: Selection) -> str:
    """What a tile adds where it lies, its price taken off: `adds 7 (Parks +6, Houses +1)`."""
    gain = choosing.gain(view, selection)
    said = _("adds {n}") if gain >= 0 else _("costs {points}")
    return said.format(n=gain, points=points_in_words(-gain)) + _kinds(view, selection)


def _kinds(view: View, selection: Selection) -> str:
    parts = reasons.parts_in_words(choosing.gains(view, selection))
    return f" ({parts})" if parts else ""


def _town(view: View, seat: int, names: Sequence[str]) -> Iterator[str]:
    """Row by row from the top, cell by cell."""
    mine = seat == view.seat
    yield (_("Your town, row by row:") if mine else _("The town of {name}, row by row:")).format(
        name=names[seat]
    )
    standing = kinds(view.boards[seat])
    for start in range(0, CELLS, SIDE):
        built = [cell for cell in range(start, start + SIDE) if standing[cell]]
        if built:
            told = (f"{cell_name(cell)} {kind_words(standing[cell])}" for cell in built)
            yield ", ".join(told) + "."


def _points(view: View, seat: int, names: Sequence[str]) -> str:
    """All of them, and what they are made of."""
    made = _made_of(view, seat)
    gems = ngettext("{n} gem", "{n} gems", view.gems[seat]).format(n=view.gems[seat])
    points = points_in_words(choosing.points(view, seat).total)
    return f"{names[seat]}: {points}{f' ({made})' if made else ''}, {gems}."


def _made_of(view: View, seat: int) -> str:
    found = choosing.points(view, seat)
    parts = ((part, getattr(found, part)) for part in choosing.PARTS)
    told = {part: f"{part_title(part)} {worth}" for part, worth in parts if worth}
    if "schools" in told:
        told["schools"] += f" {_for_gems(view.gems[seat])}"
    return ", ".join(told.values())


def _asked_town(view: View, names: Sequence[str], called: str) -> Sequence[str]:
    """Of the player with that name or number, or around that cell of the own; without a word, the
    own."""
    named = [
        seat
        for seat, name in enumerate(names)
        if called in (name.lower(), str(seat + 1)) or (called and name.lower().startswith(called))
    ]
    if not named and view.seat is not None and (cell := cell_named(called)) is not None:
        return [_around(view, view.seat, cell)]
    if called and not named:
        return [_("Nobody called {name} plays here.").format(name=fit(called, _NAME_CELLS))]
    return [*_town(view, named[0] if called else view.seat or 0, names)]


def _around(view: View, seat: int, at: int) -> str:
    """What stands on a cell, and on the cells that touch it at a side or a corner."""
    standing = kinds(view.boards[seat])
    line, column = divmod(at, SIDE)
    near = (one for one in range(CELLS) if one != at and standing[one])
    touching = [
        f"{cell_name(one)} {kind_words(standing[one])}"
        for one in near
        if abs(one // SIDE - line) <= 1 and abs(one % SIDE - column) <= 1
    ]
    here = f"{cell_name(at)}: {kind_words(standing[at])}."
    around = _("Around it: {cells}.").format(cells=", ".join(touching) or _("nothing"))
    return f"{here} {around}"


def _owned(view: View, seat: int, names: Sequence[str]) -> Sequence[str]:
    return [_points(view, seat, names), *_town(view, seat, names)]


def _scored(before: View, view: View, names: Sequence[str]) -> Iterator[str]:
    """What has changed of whose points, by kind, and how many that makes."""
    for seat, name in enumerate(names):
        was, now = choosing.points(before, seat), choosing.points(view, seat)
        if was != now:
            gains = {part: getattr(now, part) - getattr(was, part) for part in choosing.PARTS}
            said = _("{parts}: you have {points}.")
            said = said if seat == view.seat else _("{parts}: {name} has {points}.")
            points, parts = (
                points_in_words(now.total),
                reasons.parts_in_words(gains),
            )
            yield said.format(parts=parts, name=name, points=points)


_MEANT: Final = {
    "tiles": ("row",),
    **dict.fromkeys(("take", "draw"), ("buy",)),
    **dict.fromkeys(("build", "put", "lay"), ("place",)),
}

SPOKEN: Final = spoken(
    FACE,
    parts,
    turn=turn,
    since=since,
    brief=brief,
    standing=standing,
    ground=ground,
    ending=ending,
    read=read,
    owned=_owned,
    scored=_scored,
    meant=lambda view: _MEANT,
)
