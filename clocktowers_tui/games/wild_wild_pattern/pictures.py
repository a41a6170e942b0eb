"""Cards as pictures: a Wheel in the menu, and what a match has come to for its result."""

from collections.abc import Mapping, Sequence
from enum import Enum
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
    drawing,
    ink_of,
)
from clocktowers_tui.games.wild_wild_pattern.inks import GLYPHS, PAINTING, Glyphs, Ink
from clocktowers_tui.games.wild_wild_pattern.sight import SMALL, Scale, beside, place_of
from clocktowers_tui.games.wild_wild_pattern.words import money
from protocol.games.wild_wild_pattern import DecidedBy, Outcome, View
from protocol.games.wild_wild_pattern.cards import Colour, Object, card, object_of

_ROOMY: Final = 45
"""Cells from which on the arrows have room beside them."""
_RIMMED: Final = 14
"""Cells of a card with room for a drawing in its rim."""
_WHEEL: Final = [card(obj, colour) for obj, colour in zip(Object, (*Colour, *Colour), strict=False)]


def card_art(look: Look, width: int, height: int) -> Painted:
    """A Wheel of drawn cards where there is room for it, or else a small one."""
    inks, glyphs = PAINTING.styles(look), GLYPHS[look.glyphs]
    if (scale := _scale(width, height)) is None:
        return _small(inks, glyphs)
    placed = [
        (place_of(scale, place), _card(one, scale, glyphs)) for place, one in enumerate(_WHEEL)
    ]
    middle = Rect(scale.width + scale.across, scale.height + 1, scale.width, scale.height)
    placed.append((middle, back_block(scale, glyphs)))
    for x, y, room, way in beside(scale):
        placed.append((Rect(x, y, room, 1), [[Span(centred(glyphs.arrows[way], room), Voice.DIM)]]))
    whole = 3 * scale.width + 2 * scale.across, 3 * scale.height + 2 * scale.down
    return painted(paint(*whole, placed), inks)


def _card(one: int, scale: Scale, glyphs: Glyphs) -> Block:
    """Without its rim where the drawing needs all the room."""
    width, height = scale.width, scale.height
    if width >= _RIMMED:
        return card_block(one, scale, glyphs)
    obj = object_of(one)
    art = drawing(obj, width, height, glyphs.halves) or [centred(glyphs.signs[obj], width)]
    above = (height - len(art)) // 2
    rows = [*[" " * width] * above, *art, *[" " * width] * (height - above - len(art))]
    return [[Span(row, ink_of(one))] for row in rows]


def _scale(width: int, height: int) -> Scale | None:
    """The largest that fits, if there are drawings on its cards."""
    between = 1 if width < _ROOMY else 3
    across, down = (width - 2 * between) // 3, (height - 2) // 3
    scale = Scale(min(across, 3 * down), min(down, across * 3 // 5), between)
    return scale if scale.height >= DRAWN else None


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
    brought = {visit.seat: (visit.paid, bytes(sorted(visit.cards))) for visit in view.bank}
    if outcome.decided_by is DecidedBy.WILD_PATTERN and said is not None:
        brought = {said.seat: (outcome.scores[said.seat], said.wheel)}
        rim = Rim("", Ink.HIT, glyphs.pair)
    rows: Block = []
    for seat in (one for one in ranked(outcome) if one in brought):
        paid, cards = brought[seat]
        scale = _BROAD if len(cards) * (_BROAD.width + 1) <= width else SMALL
        most = (width + 1) // (scale.width + 1)
        deep = -(-len(cards) // most) if most else 0
        if not deep or len(rows) + deep * SMALL.height >= height:
            continue
        across = -(-len(cards) // deep)
        ink = Voice.LOUD if seat in outcome.winners else Voice.BOLD
        title = [Span(measurable(names[seat]), ink), Span(f"  +{money(paid)}", Ink.MONEY)]
        rows.append(line(width, title))
        for below in range(0, len(cards), across):
            some = cards[below : below + across]
            drawn = side_by_side([card_block(card, scale, glyphs, rim) for card in some], 1)
            rows += [line(width, row) for row in drawn]
    return painted(rows, PAINTING.styles(look))


_BROAD: Final = SMALL._replace(width=12)
"""A card with whole words."""
