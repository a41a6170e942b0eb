"""A card in a frame, small or large, and a row of them."""

from collections.abc import Sequence
from typing import NamedTuple

from clocktowers_tui.games.clocktowers.glyphs import Glyphs
from clocktowers_tui.games.clocktowers.inks import ROOFS, Ink
from clocktowers_tui.games.clocktowers.scale import Scale
from clocktowers_tui.games.clocktowers.words import card_detail, card_title
from clocktowers_tui.games.frames import Frame
from clocktowers_tui.games.spans import Block, Row, Span, cells, centred, cut, line
from clocktowers_tui.text.i18n import kept, pgettext
from protocol.games.clocktowers import FIRST_ROOF


class Held(NamedTuple):
    """One card of the row. `card` 0 = an empty place, of a hand one to be filled. `key`: what picks
    it now, "" for nothing. `left`: cards in the pile.

    `at`: the keys stand on it. `chosen`: it is taken up and waits for its tower, and `out` is then
    the place that discards it, in its corner. `fresh`: of a pile, somebody else has drawn here
    since the player's turn; of the player's own card, it is the one drawn last.
    """

    card: int
    key: str
    left: int | None = None
    at: bool = False
    chosen: bool = False
    out: Span | None = None
    fresh: bool = False


def framed_cards(held: Sequence[Held], gap: int, scale: Scale, glyphs: Glyphs) -> Block:
    """The cards side by side, `gap` cells between them."""
    rows: Block = [[] for _ in range(scale.card_height)]
    for index, one in enumerate(held):
        for row, part in zip(rows, framed(one, scale, glyphs), strict=True):
            row += [*([Span(" " * gap)] if index and gap else []), *part]
    return rows


@kept
def framed(held: Held, scale: Scale, glyphs: Glyphs) -> Block:
    """What is chosen has a heavy frame and its name on a bar; both are loud in every look."""
    frame = glyphs.heavy if held.chosen else glyphs.light
    ink = Ink.TURN if held.chosen else Ink.DIM
    side = Span(frame.down, ink)
    inner = scale.card_width - 2
    return [
        _top(held, frame, ink, inner, glyphs),
        *([side, *row, side] for row in _face(held, inner, scale, glyphs)),
        _foot(held, frame, ink, inner, scale),
    ]


def in_corner(gap: int, scale: Scale, x: int) -> bool:
    """Whether column `x` is in the right half of a card."""
    return x % (scale.card_width + gap) > scale.card_width // 2


def card_at(count: int, gap: int, scale: Scale, x: int) -> int | None:
    """Which of `count` cards stands at column `x` of the row."""
    index, within = divmod(x, scale.card_width + gap)
    return index if 0 <= index < count and within < scale.card_width else None


def count_text(held: Held, glyphs: Glyphs) -> str:
    """`x12`, marked where somebody else has drawn."""
    return f"{glyphs.fresh[0] if held.fresh else ''}x{held.left}"


def _top(held: Held, frame: Frame, ink: Ink, inner: int, glyphs: Glyphs) -> Row:
    """The key, and in the other corner the count of a pile or that the card is new."""
    at = held.at or held.chosen
    name = cut(held.key, inner - 2)
    out = 0 if held.out is None else cells([held.out])
    framed_name = f"[{name}]" if at and name and len(name) + 2 + out <= inner else name
    key = Span(framed_name, Ink.MARKED if at else Ink.BOLD)
    corner = held.out or _corner(held, inner - cells([key]), glyphs)
    corner = Span(cut(corner.text, inner - cells([key])), corner.ink)
    ink = Ink.TURN if at else ink
    rest = frame.across * (inner - cells([key, corner]))
    return [Span(frame.nw, ink), key, Span(rest, ink), corner, Span(frame.ne, ink)]


def _corner(held: Held, room: int, glyphs: Glyphs) -> Span:
    if held.left is not None:
        return Span(count_text(held, glyphs), Ink.FRESH if held.fresh else Ink.BOLD)
    word = pgettext("on the card drawn last, 3 cells", "new") if held.fresh else ""
    return Span(cut(glyphs.fresh[0] + word, room) if word else "", Ink.FRESH)


def _foot(held: Held, frame: Frame, ink: Ink, inner: int, scale: Scale) -> Row:
    """Its animal, if the face has no row for it."""
    told = 0 < held.card < FIRST_ROOF and not scale.has_detail_row
    within = _detail(held, inner) if told else []
    before = Span(frame.across * ((inner - cells(within)) // 2), ink)
    filled = line(inner, [before, *within], Span(frame.across, ink))
    return [Span(frame.sw, ink), *filled, Span(frame.se, ink)]


def _face(held: Held, inner: int, scale: Scale, glyphs: Glyphs) -> Block:
    rows = scale.card_height - 2
    blank: Row = [Span(" " * inner)]
    if not held.card:
        above = (rows - 1) // 2
        word = pgettext("on a card, 7 cells", "empty") if held.left is not None else ""
        empty: Row = [Span(centred(word, inner), Ink.DIM)]
        return [*[blank] * above, empty, *[blank] * (rows - 1 - above)]
    pictured = [_in_the_middle(row, inner) for row in scale.picture(held.card, glyphs)]
    if held.card >= FIRST_ROOF and not scale.has_detail_row:
        pictured = [*pictured[1:], _in_the_middle(_detail(held, inner), inner)]
    title = Span(centred(card_title(held.card), inner), Ink.MARKED if held.chosen else None)
    detail = [_in_the_middle(_detail(held, inner), inner)] * scale.has_detail_row
    below = [blank] * (rows - len(pictured) - 1 - len(detail))
    return [*pictured, *below, [title], *detail]


def _detail(held: Held, inner: int) -> Row:
    words = card_detail(held.card)
    if held.card >= FIRST_ROOF:
        # A blank at each end, but only where it costs no letter.
        ink = ROOFS[held.card - FIRST_ROOF]
        wide = [Span(f" {words} ", ink)]
        return wide if cells(wide) <= inner else [Span(words, ink)]
    return [Span(words)]


def _in_the_middle(row: Row, width: int) -> Row:
    return line(width, [Span(" " * max(0, (width - cells(row)) // 2)), *row])
