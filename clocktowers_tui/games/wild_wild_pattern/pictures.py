"""Cards as pictures: a Wheel in the menu, and what a match has come to for its result."""

from collections.abc import Mapping, Sequence
from enum import Enum
from itertools import compress
from typing import Final

from rich.style import Style

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.painting import Painted, Voice, painted
from clocktowers_tui.games.spans import (
    Block,
    Rect,
    Span,
    centred,
    line,
    measurable,
    paint,
    side_by_side,
)
from clocktowers_tui.games.standings import ranked
from clocktowers_tui.games.wild_wild_pattern.cards import (
    DRAWN,
    Rim,
    back_block,
    card_block,
    ink_of,
)
from clocktowers_tui.games.wild_wild_pattern.inks import GLYPHS, PAINTING, Glyphs, Ink
from clocktowers_tui.games.wild_wild_pattern.sight import SMALL, Scale, beside, place_of
from clocktowers_tui.games.wild_wild_pattern.words import money
from clocktowers_tui.text.i18n import _, pgettext
from protocol.games.wild_wild_pattern import DecidedBy, Outcome, View
from protocol.games.wild_wild_pattern.cards import Colour, Object, card, object_of

_ROOMY: Final = 45
"""Cells from which on the arrows have room beside them."""
_RIMMED: Final = 14
"""Cells of a card with room for a drawing in its rim."""
_WHEEL: Final = [card(obj, colour) for obj, colour in zip(Object, (*Colour, *Colour), strict=False)]


def card_art(look: Look, width: int, height: int) -> Painted:
    """A Wheel of drawn cards, or four of them, where there is room, or else a small one."""
    inks, glyphs = PAINTING.styles(look), GLYPHS[look.glyphs]
    if (scale := _scale(width, height, 3)) is not None:
        places = [place_of(scale, place) for place in range(len(_WHEEL))]
        arrows = beside(scale)
        middle = Rect(scale.width + scale.across, scale.height + 1, scale.width, scale.height)
        placed = [(middle, back_block(scale, glyphs))]
    elif (scale := _scale(width - 2, height, 2)) is not None:
        places, arrows, placed = _square(scale), _round(scale), []
    else:
        return _small(inks, glyphs)
    cards = zip(places, _WHEEL, strict=False)
    placed += [(place, card_block(one, scale, glyphs)) for place, one in cards]
    for x, y, room, way in arrows:
        placed.append((Rect(x, y, room, 1), [[Span(centred(glyphs.arrows[way], room), Voice.DIM)]]))
    across = max(place.x for place in places) + scale.width
    return painted(paint(across, max(place.y for place in places) + scale.height, placed), inks)


def _square(scale: Scale) -> list[Rect]:
    """Four cards, in the order of a Wheel."""
    across, down = scale.width + scale.across, scale.height + scale.down
    corners = ((0, 0), (across, 0), (across, down), (0, down))
    return [Rect(x, y, scale.width, scale.height) for x, y in corners]


def _round(scale: Scale) -> tuple[tuple[int, int, int, int], ...]:
    """Their arrows, as those of a Wheel."""
    far, middle, level = _square(scale)[2], scale.width // 2, (scale.height - 1) // 2
    return (
        (scale.width, level, scale.across, 0),
        (far.x + middle, scale.height, 1, 1),
        (scale.width, far.y + level, scale.across, 2),
        (middle, scale.height, 1, 3),
    )


def _scale(width: int, height: int, cards: int) -> Scale | None:
    """The largest at which so many cards fit across and down, with drawings in their rims."""
    between = 1 if width < _ROOMY else 3
    across, down = (width - (cards - 1) * between) // cards, (height - cards + 1) // cards
    scale = Scale(min(across, 3 * down), min(down, across * 3 // 5), between)
    return scale if scale.width >= _RIMMED and scale.height >= DRAWN else None


def _small(inks: Mapping[Enum | None, Style], glyphs: Glyphs) -> Painted:
    right, down, left, up = ((f" {arrow} ", inks[Voice.DIM]) for arrow in glyphs.arrows)
    wheel = [(f" {glyphs.signs[object_of(one)]} ", inks[ink_of(one)]) for one in _WHEEL]
    between = (" " * 9, Style())
    return [
        [wheel[0], right, wheel[1], right, wheel[2]],
        [up, between, down],
        [wheel[7], ("?".center(9), inks[Voice.BOLD]), wheel[3]],
        [up, between, down],
        [wheel[6], left, wheel[5], left, wheel[4]],
    ]


# What a match has come to ------------------------------------------------------------------------


def end_art(
    look: Look, view: View, outcome: Outcome, names: Sequence[str], width: int, height: int
) -> Painted:
    """The cards that players have brought to the Bank last, a row of them for each, the best first,
    as far as there is room; or the Wheel of the Wild Wild Pattern, with all its cards lit."""
    glyphs, said, rim = GLYPHS[look.glyphs], view.declared, Rim()
    brought = {
        visit.seat: (money(visit.paid), bytes(sorted(visit.cards)))
        for visit in view.bank
        if visit.cards
    }
    if outcome.decided_by is DecidedBy.WILD_PATTERN and said is not None:
        brought = {said.seat: (money(outcome.scores[said.seat]), said.wheel)}
        rim = Rim("", Ink.HIT, glyphs.pair)
    rows: Block = []
    sizes = [one for one in _SIZES if len(brought) * (one.height + 1) < height]
    for seat in (one for one in ranked(outcome) if one in brought):
        paid, cards = brought[seat]
        fits = (len(cards) * (one.width + 1) <= width + 1 for one in sizes)
        scale = next(compress(sizes, fits), SMALL)
        most = (width + 1) // (scale.width + 1)
        deep = -(-len(cards) // most) if most else 0
        if not deep or len(rows) + deep * scale.height >= height:
            continue
        across = -(-len(cards) // deep)
        ink = Voice.LOUD if seat in outcome.winners else Voice.BOLD
        told = _("{money} from the Bank").format(money=paid)
        if outcome.decided_by is DecidedBy.WILD and seat in outcome.winners:
            told = pgettext("the Bank, 18 cells", "WILD")
        title = [Span(f"{measurable(names[seat])}: ", ink), Span(told, Ink.MONEY)]
        rows.append(line(width, title))
        for below in range(0, len(cards), across):
            some = cards[below : below + across]
            drawn = side_by_side([card_block(card, scale, glyphs, rim) for card in some], 1)
            rows += [line(width, row) for row in drawn]
    return painted(rows, PAINTING.styles(look))


_SIZES: Final = (Scale(26, 11), Scale(20, 8), Scale(17, 6), SMALL._replace(width=12))
"""Cards with whole words."""
