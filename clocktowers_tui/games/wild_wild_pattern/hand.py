"""The player's card, large, and beside it what to do now."""

from collections.abc import Sequence

from clocktowers_tui.games.spans import Block, Row, Span, block, wrapped
from clocktowers_tui.games.wild_wild_pattern.cards import Edge, back_block, card_block
from clocktowers_tui.games.wild_wild_pattern.glyphs import Glyphs
from clocktowers_tui.games.wild_wild_pattern.layout import Layout
from clocktowers_tui.games.wild_wild_pattern.sight import Scene
from clocktowers_tui.text.i18n import pgettext
from protocol.games.wild_wild_pattern import View
from protocol.games.wild_wild_pattern.cards import is_pattern

_GAP = 2


def hand_block(scene: Scene, found: Layout, glyphs: Glyphs, told: Sequence[str]) -> Block:
    """`told`: sentences beside the card."""
    rect, own = found.hand, found.own
    card = _own(scene.view, found, glyphs)
    room = rect.width - own.width - _GAP
    lines = [text for sentence in told for text in wrapped(sentence, room)]
    rows: list[Row] = []
    for y in range(rect.height):
        text = Span(lines[y] if y < len(lines) else "")
        rows.append([*card[y], Span(" " * _GAP), text])
    return block(rect.width, rect.height, rows)


def _own(view: View, found: Layout, glyphs: Glyphs) -> Block:
    label = pgettext("on one's own card, 12 cells", "Your card")
    if is_pattern(view.card):
        return card_block(view.card, found.own, glyphs, Edge(label))
    if view.seat is not None and view.in_hand[view.seat]:
        return back_block(found.own, glyphs, Edge(label))
    return [[Span(" " * found.own.width)] for _ in range(found.own.height)]
