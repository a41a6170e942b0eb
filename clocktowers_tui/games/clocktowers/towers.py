"""The parts of a tower, in four sizes, and the towers and cards made of these."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from clocktowers_tui.games.clocktowers.inks import (
    CATS,
    CLOCKS,
    HATS,
    MICE,
    ROOFS,
    WALLS,
    WINDOWS,
    Glyphs,
    Ink,
)
from clocktowers_tui.games.clocktowers.words import animal_letter, roof_letter
from clocktowers_tui.games.spans import Block, Row, Span, centred
from protocol.games.clocktowers import ANIMALS, FIRST_ROOF, PILES, STOREYS, Pile, height_of


def roof(card: int, glyphs: Glyphs, width: int) -> Block:
    """One row."""
    colour = card - FIRST_ROOF
    left, right = (Span(part, HATS[colour]) for part in glyphs.hat)
    face = f"{roof_letter(card)} {glyphs.shapes[colour]}"
    return [[left, Span(centred(face, width - 2), ROOFS[colour]), right]]


def dial(beast: str, tint: int, glyphs: Glyphs) -> list[Span]:
    """One row."""
    return [Span(glyphs.clock_mouse if beast else glyphs.clock, CLOCKS[tint])]


def storey(beast: str, tint: int, rows: int, glyphs: Glyphs, lit: bool) -> list[Span]:
    """One row, or two with a sill."""
    inner = animal(beast, tint, glyphs) or windows(tint, glyphs, lit=lit)
    return [inner, Span(glyphs.sill * len(glyphs.windows), WALLS[tint])][:rows]


def windows(tint: int, glyphs: Glyphs, *, lit: bool) -> Span:
    """Lit, or dark: then they look like the wall."""
    return Span(glyphs.windows, WINDOWS[tint]) if lit else Span(glyphs.dark, WALLS[tint])


def animal(beast: str, tint: int, glyphs: Glyphs) -> Span | None:
    """A cat or a mouse, three cells wide."""
    animals = {"c": Span(glyphs.cat, CATS[tint]), "m": Span(glyphs.mouse, MICE[tint])}
    return animals.get(beast)


def paired(cards: bytes, first: int, width: int, glyphs: Glyphs, *, lit: bool) -> Block:
    """From the top, two storeys a row, of the floors from `first` on: the lower one stands left,
    and an odd one beside a blank. Above them the clock, or it and the roof in one row."""
    storeys = [*_storeys(cards, first, glyphs, lit=lit)]
    has_top = bool(cards) and not STOREYS[cards[-1]]
    if len(storeys) % 2:
        storeys.append((Span(" ", WALLS[storeys[-1][1]]), storeys[-1][1]))
    rows = [_pair(storeys[n : n + 2], width - 2, glyphs) for n in range(0, len(storeys), 2)]
    if lit:
        rows.append(_cap(cards, width, glyphs))
    elif has_top:
        tint = (len(cards) - 1) % 2
        left, right = (Span(wall, WALLS[tint]) for wall in glyphs.belfry)
        (face,) = dial(ANIMALS[cards[-1]], tint, glyphs)
        rows.append([left, Span(centred(face.text, width - 2), face.ink), right])
    return rows[::-1]


def _storeys(cards: bytes, first: int, glyphs: Glyphs, *, lit: bool) -> Iterator[tuple[Span, int]]:
    """Each in one cell, with its tint."""
    for place, card in enumerate(cards[first:], first):
        tint, beast = place % 2, ANIMALS[card]
        window = windows(tint, glyphs, lit=lit)
        for storey in range(STOREYS[card]):
            above = storey + 1 == STOREYS[card]
            letter = animal_letter(beast)
            shown = Span(letter, (CATS if beast == "c" else MICE)[tint]) if letter else None
            yield (shown if shown and above else window._replace(text=window.text[0])), tint


def _pair(storeys: Sequence[tuple[Span, int]], inner: int, glyphs: Glyphs) -> Row:
    (lower, tint), (right, over) = storeys
    half = inner - inner // 2
    left = [Span(glyphs.walls[tint], WALLS[tint]), Span(centred(lower.text, half), lower.ink)]
    text = right.text.ljust(inner - half)
    return [*left, Span(text, right.ink), Span(glyphs.walls[over], WALLS[over])]


def _cap(cards: bytes, width: int, glyphs: Glyphs) -> Row:
    """A roof and the clock below it."""
    colour = cards[-1] - FIRST_ROOF
    clock = glyphs.clock_mouse if ANIMALS[cards[-2]] else glyphs.clock
    face = f"{roof_letter(cards[-1])}{glyphs.shapes[colour]}{clock}"
    if width == len(face):
        return [Span(face, ROOFS[colour])]
    left, right = (Span(part, HATS[colour]) for part in glyphs.hat)
    return [left, Span(centred(face, width - 2), ROOFS[colour]), right]


def is_complete(cards: bytes) -> bool:
    return bool(cards) and cards[-1] >= FIRST_ROOF


def hidden_text(floors: Sequence[int]) -> str:
    """`+3mc`: the storeys of these floors, then m and c for the animals among them: +3cm would be a
    length."""
    animals = {ANIMALS[card] for card in floors}
    marks = "".join(animal_letter(beast) for beast in "mc" if beast in animals)
    return f"+{sum(STOREYS[card] for card in floors)}{marks}"


# The parts of a tower nine cells wide: a roof of two rows, a dial, storeys with sills ------------


def large_roof(card: int, glyphs: Glyphs) -> Block:
    colour = card - FIRST_ROOF
    hat, ink, shape = HATS[colour], ROOFS[colour], glyphs.shapes[colour]
    left, right = (Span(part, hat) for part in glyphs.hat)
    top = [Span("  "), left, Span(f" {shape} ", ink), right, Span("  ")]
    return [top, [left, Span(f" {shape} {roof_letter(card)} {shape} ", ink), right]]


def large_dial(beast: str, tint: int, glyphs: Glyphs) -> list[Span]:
    top, hands, foot = (Span(part, CLOCKS[tint]) for part in glyphs.dial)
    mouse = Span(hands.text[0] + glyphs.mouse + hands.text[-1], MICE[tint])
    return [top, mouse if beast else hands, foot]


def large_storey(beast: str, tint: int, rows: int, glyphs: Glyphs, lit: bool) -> list[Span]:
    """A sill below, a blank row above, as there is room."""
    pair = windows(tint, glyphs, lit=lit)
    three = Span(f"{pair.text} {pair.text[0]}", pair.ink)
    inner = animal(beast, tint, glyphs) or three
    sill = Span(glyphs.sill * len(three.text), WALLS[tint])
    return [*([Span("", WALLS[tint])] if rows > 2 else []), inner, *([sill] if rows > 1 else [])]


# The parts of a tower fifteen cells wide, for the largest terminals: stepped gables, faces,
# wide dials.


_TOWER: Final = 15
_INNER: Final = 11
_CAT: Final = ("/\\_/\\", "( o.o )")
_MOUSE: Final = ("()_()", "( °.° )")


def huge_storey(beast: str, tint: int, rows: int, glyphs: Glyphs, lit: bool) -> list[Span]:
    """Two rows of windows or of a face; a blank row above and a sill below, as there is room."""
    body = _face(beast, tint, glyphs) if beast else _windows(tint, glyphs, lit)
    sill = Span(glyphs.sill * _INNER, WALLS[tint])
    return [*([Span("", WALLS[tint])] if rows > 3 else []), *body, *([sill] if rows > 2 else [])]


def _face(beast: str, tint: int, glyphs: Glyphs) -> list[Span]:
    texts, inks = (_CAT, CATS) if beast == "c" else (_MOUSE, MICE)
    plain = glyphs.mouse.isascii()
    return [Span(text.replace("°", "o") if plain else text, inks[tint]) for text in texts]


def _windows(tint: int, glyphs: Glyphs, lit: bool) -> list[Span]:
    upper, lower = glyphs.panes if lit else glyphs.dark_panes
    ink = (WINDOWS if lit else WALLS)[tint]
    return [Span(f" {part} {part} {part} ", ink) for part in (upper, lower)]


def huge_dial(beast: str, tint: int, glyphs: Glyphs) -> list[Span]:
    frame, inner = glyphs.light, _INNER - 4
    line = frame.across * inner
    middle = glyphs.mouse if beast else glyphs.hands
    inks = (CLOCKS, MICE if beast else CLOCKS, CLOCKS)
    within = [
        Span(f" {frame.down}{centred(text, inner)}{frame.down} ", ink[tint])
        for text, ink in zip(("12", f"9 {middle} 3", "6"), inks, strict=True)
    ]
    top, foot = f" {frame.nw}{line}{frame.ne} ", f" {frame.sw}{line}{frame.se} "
    return [Span(top, CLOCKS[tint]), *within, Span(foot, CLOCKS[tint])]


def huge_roof(card: int, glyphs: Glyphs) -> Block:
    """A gable in steps of two cells, with the colour's shape and letter."""
    colour = card - FIRST_ROOF
    shape, letter = glyphs.shapes[colour], roof_letter(card)
    texts = ("", shape, f"{shape} {letter} {shape}", "")
    return [
        _step(text, 1 + 4 * level, HATS[colour], ROOFS[colour], glyphs)
        for level, text in enumerate(texts)
    ]


def _step(text: str, inner: int, hat: Ink, roof: Ink, glyphs: Glyphs) -> Row:
    left, right = (Span(part, hat) for part in glyphs.hat)
    side = Span(" " * ((_TOWER - inner - 2) // 2))
    blank = [side] if side.text else []
    return [*blank, left, Span(centred(text, inner), roof), right, *blank]


# The four sizes of the pictures, each as one value: how wide things are, how their parts look,
# and the towers and cards made of these.
#
# Law: all towers of a board have storeys of the same height, so that what looks higher is
# higher.


PAIRED: Final = 0
"""Rows of a storey where two share one; roof and clock share one then, too."""


class Scale(NamedTuple):
    """`pitches`: cells from one tower to the next, the roomiest first. `margin`: cells of a roof
    beyond the walls. `storeys`: rows that a storey may take, the most first; more than one only
    in a sky of `sky` rows. `whole`: it is for such a sky alone. `spare`: rows above an own tower
    that grows, for what a play gives.

    `roof`, `dial`, `storey`: rows of a card's parts, from the top.
    """

    tower_width: int
    margin: int
    pitches: tuple[int, ...]
    sky: int
    storeys: tuple[int, ...]
    whole: bool
    spare: int
    roof_rows: int
    clock_rows: int
    roof: Callable[[int, Glyphs], Block]
    dial: Callable[[str, int, Glyphs], list[Span]]
    storey: Callable[[str, int, int, Glyphs, bool], list[Span]]
    card_width: int
    card_height: int

    def takes(self, towers: Sequence[bytes], sky: int, storey: int, *, own: bool) -> bool:
        """Whether these towers stand in so many rows of sky, with storeys of so many; in pairs all
        do: of one that is too high the lowest floors share a row."""
        if storey == PAIRED or storey not in self.storeys:
            return storey in self.storeys
        if sky < self.sky and (self.whole or storey > 1):
            return False
        spare = self.spare if own and storey > 1 else 0
        return all(
            self.rows(cards, storey) + spare * (not is_complete(cards)) <= sky for cards in towers
        )

    def rows(self, cards: bytes, storey: int) -> int:
        """Of a tower."""
        height = height_of(cards)
        tops = [card for card in cards if not STOREYS[card]]
        if storey == PAIRED:
            return -(-height // 2) + bool(tops)
        above = (self.roof_rows if card >= FIRST_ROOF else self.clock_rows for card in tops)
        return height * storey + sum(above)

    def tower(self, cards: bytes, rows: int, storey: int, glyphs: Glyphs) -> Block:
        """From its top to the ground, in at most `rows` rows, `storey` rows a storey.

        Of a tower too high for them the lowest floors share one row: how many storeys it hides,
        and the animals among them (`+3c`).
        """
        lit = is_complete(cards)
        below = self._hidden(cards, rows, storey)
        hidden = Span(centred(hidden_text(cards[:below]), self.tower_width), CLOCKS[0])
        found = [[hidden]] if below else []
        if storey == PAIRED:
            above = paired(cards, below, self.tower_width, glyphs, lit=lit)
            return [*above, *found][: max(0, rows)]
        for place, card in enumerate(cards[below:], below):
            found = [*self._card_rows(card, place % 2, storey, glyphs, lit=lit), *found]
        return found[: max(0, rows)]

    def _hidden(self, cards: bytes, rows: int, storey: int) -> int:
        """How many of the lowest floors must share one row for a tower to fit in `rows`. The top
        stays, since ties are decided there."""
        floors = sum(STOREYS[card] > 0 for card in cards)
        count = 0
        while count < floors and self.rows(cards[count:], storey) + (count > 0) > rows:
            count += 1
        return count

    @property
    def picture_rows(self) -> int:
        """Of a card: two storeys, or a clock if that is higher."""
        return max(2, self.clock_rows)

    @property
    def has_detail_row(self) -> bool:
        """Whether a card has a row for its animal or colour: not all have, in their frames and with
        a title."""
        return self.card_height - 3 > self.picture_rows

    def picture(self, card: int, glyphs: Glyphs) -> Block:
        """What is drawn on a card."""
        storey, room = min(2, self.clock_rows), self.picture_rows
        rows = self._card_rows(card, 0, storey, glyphs, lit=True)[:room]
        return [*[[Span(" " * self.tower_width)]] * (room - len(rows)), *rows]

    def _card_rows(self, card: int, tint: int, storey: int, glyphs: Glyphs, *, lit: bool) -> Block:
        beast = ANIMALS[card]
        match _pile(card):
            case Pile.ROOF:
                return self.roof(card, glyphs)
            case Pile.CLOCK:
                clock = self.dial(beast, tint, glyphs)
                return [self._walled(part, tint, glyphs.belfry) for part in clock]
            case Pile.FLOOR:
                parts = self.storey(beast, tint, storey, glyphs, lit)
                parts += self.storey("", tint, storey, glyphs, lit) * (STOREYS[card] - 1)
        return [self._walled(part, tint, (glyphs.walls[tint],) * 2) for part in parts]

    def _walled(self, part: Span, tint: int, walls: Sequence[str]) -> Row:
        left, right = (Span(wall, WALLS[tint]) for wall in walls)
        margin = [Span(" ")] * self.margin
        inner = Span(centred(part.text, self.tower_width - 2 - 2 * self.margin), part.ink)
        return [*margin, left, inner, right, *margin]


def _pile(card: int) -> Pile:
    return Pile(PILES[card] or 0)


SMALL: Final = Scale(
    tower_width=5,
    margin=0,
    pitches=(6, 5),
    sky=10,
    storeys=(2, 1, PAIRED),
    whole=False,
    spare=2,
    roof_rows=1,
    clock_rows=1,
    roof=partial(roof, width=5),
    dial=dial,
    storey=storey,
    card_width=9,
    card_height=5,
)
MIDDLE: Final = SMALL._replace(tower_width=7, pitches=(9, 8), roof=partial(roof, width=7))
LARGE: Final = Scale(
    tower_width=9,
    margin=1,
    pitches=(11, 10, 9),
    sky=9,
    storeys=(3, 2, 1),
    whole=True,
    spare=1,
    roof_rows=2,
    clock_rows=3,
    roof=large_roof,
    dial=large_dial,
    storey=large_storey,
    card_width=11,
    card_height=8,
)
HUGE: Final = LARGE._replace(
    tower_width=15,
    pitches=(18, 17, 16, 15),
    sky=16,
    storeys=(4, 3, 2),
    roof_rows=4,
    clock_rows=5,
    roof=huge_roof,
    dial=huge_dial,
    storey=huge_storey,
    card_width=17,
    card_height=10,
)
SCALES: Final = (HUGE, LARGE, MIDDLE, SMALL)
"""For towns, the largest first."""
