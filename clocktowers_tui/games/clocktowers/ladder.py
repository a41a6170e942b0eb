"""At which height the next roof of each colour fits, and what a card needs that fits nowhere."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Final

from rich.cells import cell_len

from clocktowers_tui.games.clocktowers.inks import ROOFS, Glyphs
from clocktowers_tui.games.clocktowers.words import card_words, colour_words, roof_letter
from clocktowers_tui.games.painting import Voice
from clocktowers_tui.games.spans import Block, Row, Span, cells, line, side_by_side, wrapped
from clocktowers_tui.games.spoken import sentence
from clocktowers_tui.text.i18n import _, ngettext
from clocktowers_tui.text.spelling import kept
from protocol.games.clocktowers import (
    CODES,
    FIRST_CLOCK,
    FIRST_ROOF,
    PILES,
    Choice,
    Pile,
    View,
    height_of,
    ladder_of,
)

_ORDER: Final = "rbygp"
_COLOURS: Final = tuple(CODES.index("R" + letter) - FIRST_ROOF for letter in _ORDER)

_ENTRY: Final = len("B# 1-2")
"""Cells of a colour: kept free, so that choosing moves nothing."""
_GAP: Final = 2
"""Cells between two colours."""


def heights(mask: int) -> list[int]:
    """The bits that are set, ascending."""
    return [height for height in range(mask.bit_length()) if mask >> height & 1]


def ladder_rows(
    view: View, names: Sequence[str], width: int, glyphs: Glyphs, picked: Choice | None = None
) -> Block:
    """`Next roof  R▲ 3    B● 1-2 …`, broken between colours into as few rows as it takes, in
    columns where these fit; the title says what is counted if that takes no row more. A play of a
    roof that is `picked` shows where its colour steps to: `B● →6`."""
    titles = ladder_titles(view, names)
    whole, brief = (_rows(shown_ladder(view), one, width, glyphs, picked) for one in titles)
    return whole if len(whole) == len(brief) and cell_len(titles[0]) <= width else brief


@kept
def _rows(ladder: bytes, title: str, width: int, glyphs: Glyphs, picked: Choice | None) -> Block:
    table = [[[Span(word, Voice.DIM)]] for word in wrapped(title, width)]
    for colour in _COLOURS:
        calm = max(_ENTRY, cells(_entry(ladder, colour, None, glyphs)))
        entry = line(calm, _entry(ladder, colour, picked, glyphs))
        if sum(_GAP + cells(one) for one in table[-1]) + calm <= width:
            table[-1].append(entry)
        else:
            table.append([entry])
    columns = [max(map(cells, column)) for column in zip_longest(*table, fillvalue=[])]
    if sum(columns) + _GAP * (len(columns) - 1) <= width:
        table = [[*map(line, columns, row)] for row in table]
    return [line(width, side_by_side([[one] for one in row], _GAP)[0]) for row in table]


def rung_rows(view: View, width: int, glyphs: Glyphs, picked: Choice | None = None) -> Block:
    """A row for each colour: `▲ R  red      1-2`."""
    rows = []
    for colour in _COLOURS:
        sign, fits = _entry(shown_ladder(view), colour, picked, glyphs)
        name = Span(f" {colour_words(FIRST_ROOF + colour)}")
        left = line(max(0, width - cells([fits])), [sign, name])
        rows.append(line(width, [*left, fits]))
    return rows


def _entry(ladder: bytes, colour: int, picked: Choice | None, glyphs: Glyphs) -> Row:
    fits = "-".join(map(str, heights(ladder[colour]))) or "-"
    ink = Voice.BOLD
    if picked and picked.points and getattr(picked.action, "card", 0) == FIRST_ROOF + colour:
        fits, ink = f"{glyphs.step}{picked.next_height}", Voice.LOUD
    letter = roof_letter(FIRST_ROOF + colour)
    return [Span(letter + glyphs.shapes[colour], ROOFS[colour]), Span(f" {fits}", ink)]


def heights_in_words(fitting: Sequence[int]) -> str:
    """`3`, `1 or 2`; `-` where none fits any more."""
    return _(" or ").join(map(str, fitting)) or "-"


def floors_in_words(fitting: Sequence[int]) -> str:
    """How high a tower is, or may be: `3 floors`, `1 or 2 floors`."""
    said = ngettext("{n} floor", "{n} floors", max(fitting, default=0))
    return said.format(n=heights_in_words(fitting))


def needed_floors(fitting: Sequence[int]) -> str:
    """How high a roof asks a tower to be: `exactly 2 floors`, `1 or 2 floors`."""
    said = "{floors}" if fitting[1:] else _("exactly {floors}")
    return said.format(floors=floors_in_words(fitting))


def shown_ladder(view: View) -> bytes:
    """The player's own; to watchers, that of the turn."""
    return ladder_of(view, _whose(view))


def _whose(view: View) -> int:
    return view.seat if view.seat is not None else view.turn or 0


def ladder_titles(view: View, names: Sequence[str]) -> tuple[str, str]:
    """Whose next roofs, with what is counted, and without."""
    if len(view.ladder) == 1:
        # TRANSLATORS: title of the table of how high a tower must be for the next roof of each
        # colour.
        title = _("Next roof")
    elif view.seat is not None:
        title = _("Your next roof")
    else:
        title = _("{name}: next roof").format(name=names[_whose(view)])
    return _("{title} needs floors").format(title=title), title


# What a card needs that fits on none of the player's towers, and which roofs can still come ------


def needed(view: View, card: int) -> str:
    """One sentence. A floor always fits: it starts a tower."""
    if card >= FIRST_ROOF:
        return _needs_roof(view, card)
    if card >= FIRST_CLOCK:
        return _("A clock needs a tower of floors without a clock.")
    return sentence(_("no tower takes it now"))


def _needs_roof(view: View, card: int) -> str:
    taking = heights(row_of(view, card))
    if not taking:
        return unfit(card)
    return _("The {roof} needs a clock on {floors}.").format(
        roof=card_words(card), floors=needed_floors(taking)
    )


def unfit(roof: int) -> str:
    """That it goes on none of the player's towers any more, and what to do with it."""
    return _("The {card} fits no tower any more: discard it.").format(card=card_words(roof))


def complete(tower: int) -> str:
    """Why nothing goes on this tower any more; counted from 0."""
    return _("Tower {n} is complete: it takes no more cards.").format(n=tower + 1)


def is_spent(view: View) -> bool:
    """Whether no tower of the player's gets a roof any more: only roofs bring points."""
    clocks = gets(view, Pile.CLOCK)
    alive = dict(own_towers(view)).keys() - roofless_towers(view)
    alive -= set() if clocks else dict(open_towers(view)).keys()
    starts = clocks and gets(view, Pile.FLOOR) and rooflessness(view, 0, grows=True) < 2
    return view.seat is not None and not alive and not starts


def spent_in_words(view: View) -> str:
    """Why no tower of the player's scores any more."""
    alive = dict(own_towers(view)).keys() - roofless_towers(view)
    if alive or rooflessness(view, 0, grows=gets(view, Pile.FLOOR)) < 2:
        return _("No clock is left: your towers score no more")
    return _("No roof fits any more: your towers score no more")


def roofless_towers(view: View) -> set[int]:
    """The player's towers that no roof will fit, not even once they have grown."""
    grow = dict(open_towers(view)) if gets(view, Pile.FLOOR) else {}
    towers = own_towers(view)
    return {n for n, one in towers if rooflessness(view, height_of(one), grows=n in grow) == 2}


def gets(view: View, pile: int, but: int = 0) -> bool:
    """Whether the player has a card of this kind beside that one, or may draw one."""
    return sum(PILES[card] == pile for card in view.hand) > bool(but) or bool(view.left[pile])


def roofs(view: View) -> Sequence[int]:
    """Those that the player holds, and those to come."""
    return [*[card for card in view.hand if card >= FIRST_ROOF], *to_come(view)]


def to_come(view: View) -> range:
    """The roofs that may still lie in the pile."""
    return range(FIRST_ROOF, len(CODES) if view.left[Pile.ROOF] else FIRST_ROOF)


def fitting(view: View, cards: Iterable[int], height: int) -> Iterator[int]:
    """The roofs among these cards that go on a tower of that height now."""
    return (card for card in cards if fits(view, card, height))


def fits(view: View, card: int, height: int) -> bool:
    """Whether this is a roof for the player's tower of that height now."""
    return bool(row_of(view, card) >> height & 1)


def is_needed(view: View, card: int, height: int) -> bool:
    """Whether this is a roof that asks for that height, now or after others of its colour."""
    return bool(row_of(view, card) & (2 << height) - 1)


def rooflessness(view: View, height: int, *, grows: bool = False) -> int:
    """0: one of the roofs that the player may have fits a tower of that height; 1: one will, once
    its colour is higher, or the tower that `grows` is; 2: none will."""
    rows, heights = ladder_of(view, view.seat or 0), 0
    for roof in roofs(view):
        heights |= rows[roof - FIRST_ROOF]
    if heights >> height & 1:
        return 0
    later = heights if grows else heights & (2 << height) - 1
    return 1 if later else 2


def row_of(view: View, card: int) -> int:
    """The heights that take this roof of the player's, as bits; 0 for any other card."""
    if card < FIRST_ROOF:
        return 0
    return ladder_of(view, view.seat or 0)[card - FIRST_ROOF]


def own_towers(view: View) -> Iterator[tuple[int, bytes]]:
    """Those that are not complete, by their number on the board."""
    if view.seat is not None:
        town = view.towns[view.seat]
        towers = enumerate(zip(town.towers, town.points, strict=True), 1)
        yield from ((number, tower) for number, (tower, points) in towers if not points)


def open_towers(view: View) -> Iterator[tuple[int, bytes]]:
    """Those that take floors and a clock."""
    return ((n, tower) for n, tower in own_towers(view) if tower[-1] < FIRST_CLOCK)
