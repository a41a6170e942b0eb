"""The Bank's sheet: line by line what each visit is paid, and what everybody has after it."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from rich.cells import cell_len

from clocktowers_tui.games.spans import Block, Row, Span, cells, cut, line, wrapped
from clocktowers_tui.games.wild_wild_pattern.cards import Form, fitting, flowed, named
from clocktowers_tui.games.wild_wild_pattern.glyphs import Glyphs
from clocktowers_tui.games.wild_wild_pattern.inks import Ink
from clocktowers_tui.games.wild_wild_pattern.sight import Scene
from clocktowers_tui.games.wild_wild_pattern.words import cards_counted, line_words, money
from clocktowers_tui.text.i18n import _, pgettext
from protocol.games.wild_wild_pattern import FiveColours, Options, Visit
from protocol.games.wild_wild_pattern.bank import CENTS, MAX_CARDS, Line, lines
from protocol.games.wild_wild_pattern.cards import Object

_TITLE: Final = 19
_WIDEST: Final = 20


def met(visit: Visit, options: Options) -> list[Line]:
    """The lines that a visit meets, in the order of the sheet."""
    return lines(visit.cards, Object(visit.target), five_colours_win=five_colours_win(options))


def five_colours_win(options: Options) -> bool:
    return options.five_colours is FiveColours.WIN


def wins() -> Span:
    """What stands in the place of a price behind Wild."""
    return Span(pgettext("at the Bank, 6 cells", "WINS"), Ink.TURN)


def sheet_block(scene: Scene, width: int, height: int, glyphs: Glyphs, closes: str) -> Block:
    """`height` rows at most. `closes`: how the player goes on."""
    visits, options = scene.view.bank, scene.view.options
    each = min(_WIDEST, (width - _TITLE) // max(1, len(visits)))
    heads = _heads(scene, visits, each, glyphs)
    found = [one for one in Line if any(one in met(visit, options) for visit in visits)]
    table: Block = [_line(visits, options, one, each) for one in found]
    sums = [*_sums(visits, each), *_why_nothing(visits, width)]
    room = max(1, height - len(heads) - len(sums) - 3)
    top = min(scene.top, max(0, len(table) - room))
    title = _("What the Bank paid")
    if len(table) > room:
        title += f" ({top + 1}-{min(len(table), top + room)}/{len(table)})"
        closes += ". " + _("Up and down show the rest.")
    return [
        [Span(cut(title, width), Ink.BOLD)],
        *heads,
        *table[top : top + room],
        [Span("")],
        *sums,
        [Span(cut(closes, width), Ink.DIM)],
    ]


def _row(title: str, columns: Sequence[Row], each: int, ink: Ink | None = None) -> Row:
    found = line(_TITLE, [Span(cut(title, _TITLE - 1), ink)])
    for column in columns:
        blank = Span(" " * max(0, each - cells(column)))
        found += [blank, *column]
    return found


def _heads(scene: Scene, visits: Sequence[Visit], each: int, glyphs: Glyphs) -> Block:
    names = [scene.names[visit.seat] for visit in visits]
    shown: list[Row] = [[Span(cut(name, each - 1, glyphs.ellipsis), Ink.BOLD)] for name in names]
    targets: list[Row] = [[Span(fitting(visit.target, each - 1, glyphs))] for visit in visits]
    rows = [_row("", shown, each), _row(_("Target"), targets, each, Ink.DIM)]
    form = _form(visits, each, glyphs)
    packed = [
        flowed([named(card, form, glyphs) for card in sorted(visit.cards)], each - 1)
        for visit in visits
    ]
    for row, columns in enumerate(zip_longest(*packed, fillvalue=[])):
        rows.append(_row(_("Cards") if row == 0 else "", columns, each, Ink.DIM))
    return rows


def _form(visits: Sequence[Visit], each: int, glyphs: Glyphs) -> Form:
    """The longest in which every card fits."""
    cards = [card for visit in visits for card in visit.cards]
    return next(
        (form for form in Form if all(cells([named(card, form, glyphs)]) < each for card in cards)),
        Form.CODE,
    )


def _line(visits: Sequence[Visit], options: Options, one: Line, each: int) -> Row:
    columns: list[Row] = []
    for visit in visits:
        if one not in met(visit, options):
            columns.append([Span("-", Ink.DIM)])
        elif one is Line.WILD:
            columns.append([wins()])
        else:
            columns.append([Span(money(CENTS[one]), Ink.MONEY)])
    return _row(line_words(one), columns, each)


def _sums(visits: Sequence[Visit], each: int) -> Block:
    paid: list[Row] = [[Span(money(visit.paid), Ink.MONEY)] for visit in visits]
    has: list[Row] = [[Span(money(visit.money), Ink.BOLD)] for visit in visits]
    rows = [_row(_("The Bank pays"), paid, each), _row(_("In the purse"), has, each, Ink.BOLD)]
    notes: list[Row] = [_note(visit, each) for visit in visits]
    if any(cells(note) for note in notes):
        rows.append(_row("", notes, each))
    return rows


def _why_nothing(visits: Sequence[Visit], width: int) -> Block:
    if all(len(visit.cards) <= MAX_CARDS for visit in visits):
        return []
    text = _("With more than five cards you get nothing.")
    return [[Span(row, Ink.BOLD)] for row in wrapped(text, width)]


def _note(visit: Visit, each: int) -> Row:
    """Players that are out, and players that were paid nothing for too many cards."""
    if visit.eliminated:
        return [Span(pgettext("at the Bank, 9 cells", "OUT"), Ink.TURN)]
    if len(visit.cards) > MAX_CARDS:
        text = cards_counted(len(visit.cards)) + "!"
        return [Span(text if cell_len(text) < each else str(len(visit.cards)), Ink.TURN)]
    return []
