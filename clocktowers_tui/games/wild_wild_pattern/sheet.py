"""The Bank's sheet, what the Bank pays, and the goal."""

from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import zip_longest
from typing import Final

from rich.cells import cell_len

from clocktowers_tui.games.painting import Voice
from clocktowers_tui.games.spans import Block, Row, Span, cells, cut, flowed, line, wrapped
from clocktowers_tui.games.wild_wild_pattern.cards import fitting, named_alike, titled
from clocktowers_tui.games.wild_wild_pattern.inks import Glyphs, Ink
from clocktowers_tui.games.wild_wild_pattern.sight import Scene
from clocktowers_tui.games.wild_wild_pattern.words import cards_counted, line_words, money
from clocktowers_tui.text.i18n import _, pgettext
from protocol.games.wild_wild_pattern import Mode, Options, View, Visit
from protocol.games.wild_wild_pattern.bank import MAX_CARDS, Line, in_play, lines
from protocol.games.wild_wild_pattern.cards import Object


def goal(options: Options) -> Sequence[str]:
    """Sentences, the most needed first."""
    return [sentence for paragraph in paragraphs(options) for sentence in paragraph]


def brief(options: Options) -> Sequence[str]:
    """One line each in the 42 columns beside the Wheel."""
    return [
        _("Shoot at a card: make a new pattern."),
        _("Declare a suit: win the card under yours."),
        _("Declare a colour: you choose the card."),
        *_wins(options),
    ][:_BRIEF]


_BRIEF: Final = 6


def paragraphs(options: Options) -> Sequence[Sequence[str]]:
    """What a pattern is; what it pays; how one wins."""
    pattern = [
        _("A pattern: after (or before) every A comes a B."),
        _("An A with its B is a pair: you need two."),
        _("One is an object, one a colour or a suit."),
        _("Shoot at a card: make a new pattern."),
        _("Be first! Your card must be in a pair.") if options.in_pair else _("Be first!"),
        _("A pattern that was there before is wrong."),
    ]
    pays = [
        _("Declare a suit: win the card under yours."),
        _("Declare a colour: you choose the card."),
        _("Three pairs or more win you two cards."),
        _("If you are wrong you lose your card, and each opponent takes one."),
    ]
    return [pattern, pays, [*_wins(options)]]


def _wins(options: Options) -> Iterator[str]:
    yield wild(options)
    if options.mode is Mode.SALOON:
        yield _("Be the richest above $3 when a round ends.")
    else:
        yield _("After each round the poorest are out.")
    yield _("Five cards end the round: the Bank pays.")
    yield _("With 6 cards the Bank pays nothing.")


def wild(options: Options) -> str:
    """What WILD is. With one card for each colour and object, five of one object are five colours,
    too."""
    if options.five_colours_win:
        return _("WILD: five colours win the match at once.")
    return _("WILD: five of one object win it at once.")


# The Bank's sheet: line by line what each visit is paid, and what everybody has after it ---------


_TITLE: Final = 19
_WIDEST: Final = 20


def met(visit: Visit, options: Options) -> list[Line]:
    """The lines that a visit meets, in the order of the sheet."""
    return lines(visit.cards, Object(visit.target), five_colours_win=options.five_colours_win)


def pays(one: Line) -> Span:
    """What a line pays."""
    if one is Line.WILD:
        return Span(pgettext("at the Bank, 6 cells", "WINS"), Voice.LOUD)
    return Span(money(one.cents), Ink.MONEY)


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
        [Span(cut(title, width), Voice.BOLD)],
        *heads,
        *table[top : top + room],
        [Span("")],
        *sums,
        [Span(cut(closes, width), Voice.DIM)],
    ]


def _row(title: str, columns: Sequence[Row], each: int, ink: Enum | None = None) -> Row:
    found = line(_TITLE, [Span(cut(title, _TITLE - 1), ink)])
    for column in columns:
        blank = Span(" " * max(0, each - cells(column)))
        found += [blank, *column]
    return found


def _heads(scene: Scene, visits: Sequence[Visit], each: int, glyphs: Glyphs) -> Block:
    names = [scene.names[visit.seat] for visit in visits]
    shown: list[Row] = [[Span(cut(name, each - 1, glyphs.ellipsis), Voice.BOLD)] for name in names]
    targets: list[Row] = [[Span(fitting(visit.target, each - 1, glyphs))] for visit in visits]
    rows = [_row("", shown, each), _row(_("Target"), targets, each, Voice.DIM)]
    cards = [card for visit in visits for card in sorted(visit.cards)]
    named = dict(zip(cards, named_alike(cards, each - 1, glyphs), strict=True))
    packed = [
        flowed(([named[card]] for card in sorted(visit.cards)), 1, each - 1) for visit in visits
    ]
    for row, columns in enumerate(zip_longest(*packed, fillvalue=[])):
        rows.append(_row(_("Cards") if row == 0 else "", columns, each, Voice.DIM))
    return rows


def _line(visits: Sequence[Visit], options: Options, one: Line, each: int) -> Row:
    paid = [pays(one) if one in met(visit, options) else _NOTHING for visit in visits]
    return _row(line_words(one), [[price] for price in paid], each)


_NOTHING: Final = Span("-", Voice.DIM)


def _sums(visits: Sequence[Visit], each: int) -> Block:
    paid: list[Row] = [[Span(money(visit.paid), Ink.MONEY)] for visit in visits]
    has: list[Row] = [[Span(money(visit.money), Voice.BOLD)] for visit in visits]
    rows = [_row(_("The Bank pays"), paid, each), _row(_("In the purse"), has, each, Voice.BOLD)]
    notes: list[Row] = [_note(visit, each) for visit in visits]
    if any(cells(note) for note in notes):
        rows.append(_row("", notes, each))
    return rows


def _why_nothing(visits: Sequence[Visit], width: int) -> Block:
    if all(len(visit.cards) <= MAX_CARDS for visit in visits):
        return []
    text = _("With more than five cards you get nothing.")
    return [[Span(row, Voice.BOLD)] for row in wrapped(text, width)]


def _note(visit: Visit, each: int) -> Row:
    """Players that are out, and players that were paid nothing for too many cards."""
    if visit.eliminated:
        return [Span(pgettext("at the Bank, 9 cells", "OUT"), Voice.LOUD)]
    if len(visit.cards) > MAX_CARDS:
        text = cards_counted(len(visit.cards)) + "!"
        return [Span(text if cell_len(text) < each else str(len(visit.cards)), Voice.LOUD)]
    return []


# What the Bank pays, as the card on the table has it: all lines, and the player's own Target -----


_PRICE: Final = 6
_GAP: Final = 4


def prices_block(view: View, width: int, glyphs: Glyphs, closes: str) -> Block:
    """`closes`: how the player goes on. At most 17 rows of 60 cells, as the smallest board has."""
    rules = (
        _("A line pays once, for exactly that many: three of a colour do not pay as two."),
        wild(view.options),
        _("With more than five cards you get nothing."),
    )
    words = [row for text in rules for row in wrapped(text, width)]
    return [
        [Span(cut(_("What the Bank pays after a round"), width), Voice.BOLD)],
        [Span("")],
        *_table(view.options),
        [Span("")],
        *_target(view, glyphs),
        *([Span(text)] for text in words),
        [Span(cut(closes, width), Voice.DIM)],
    ]


def prices_aside(view: View, width: int, height: int, glyphs: Glyphs, closes: str) -> Block:
    """The same beside the Wheel, in one column; the prices first, for 17 rows of 30 cells."""
    lines = [_price(one) for one in in_play(five_colours_win=view.options.five_colours_win)]
    rows = [*lines, *_target(view, glyphs)]
    return [*rows[: height - 1], [Span(cut(closes, width), Voice.DIM)]]


def _table(options: Options) -> Iterator[Row]:
    """Two columns, read downwards."""
    found = in_play(five_colours_win=options.five_colours_win)
    deep = (len(found) + 1) // 2
    for left, right in zip(found[:deep], [*found[deep:], None], strict=False):
        yield [*_price(left), Span(" " * _GAP), *(_price(right) if right else [])]


def _price(one: Line) -> Row:
    price = pays(one)
    title = line(_TITLE, [Span(cut(line_words(one), _TITLE - 1))])
    return [*title, Span(" " * (_PRICE - cells([price]))), price]


def _target(view: View, glyphs: Glyphs) -> Block:
    """Spectators and players that are out have none."""
    if view.seat is None or not view.standing[view.seat]:
        return []
    return [[Span(_("Your Target: ")), Span(titled(view.targets[view.seat], glyphs), Voice.BOLD)]]
