"""What the signs of the board mean, and what each brings."""

from collections.abc import Iterator, Sequence
from typing import Final

from clocktowers_tui.games.architetti_attenti import reasons
from clocktowers_tui.games.architetti_attenti.glyphs import Glyphs
from clocktowers_tui.games.architetti_attenti.inks import KINDS, Ink
from clocktowers_tui.games.architetti_attenti.sight import Scene
from clocktowers_tui.games.architetti_attenti.words import (
    kind_letter,
    kind_title,
    kind_words,
    part_title,
)
from clocktowers_tui.games.spans import Block, Row, Span, cells, wrapped
from clocktowers_tui.text.i18n import _
from protocol.games.architetti_attenti import TILES, Kind, View

_INSET: Final = 3
_GAP: Final = 2


def rules(view: View, width: int, glyphs: Glyphs) -> Block:
    """What wins, then each part of the score behind its signs."""
    rows: Block = [[Span(row, Ink.BOLD)] for row in wrapped(reasons.goal(), width)]
    rows += _with_rule(_named(Kind.TOWN_HALL, glyphs), _("no tile lies on it"), width)
    for part, kinds in reasons.SIGNS.items():
        signs = _joined([_named(kind, glyphs) for kind in kinds]) or [Span(part_title(part))]
        rows += _with_rule(signs, reasons.what_scores(part, view)[0], width)
    gem = [Span(glyphs.gem, Ink.GEM), Span(f" {part_title('gems')}")]
    return [*rows, *_with_rule(gem, reasons.what_scores("gems", view)[0], width)]


def names(scene: Scene, width: int, height: int, glyphs: Glyphs) -> Block:
    """What each sign in sight is called; where there is no room for that, what each letter
    means."""
    # Every sign can lie in the market.
    whole = scene.shows("row")
    known = (kinds for part, kinds in reasons.SIGNS.items() if whole or scene.shows(part))
    kinds = [*(kind for kinds in known for kind in kinds), Kind.TOWN_HALL]
    rows = _filled([_named(kind, glyphs) for kind in kinds], _GAP, width)
    return rows if len(rows) <= height else _filled([*map(_lettered, kinds)], 1, width)


def leads(part: str, tile: int, glyphs: Glyphs) -> Iterator[Row]:
    """What stands before the rule of a part, for a tile in hand: its signs with their names, then
    the signs alone; none for a part without signs. In one ink, for it changes as the tile moves."""
    kinds = reasons.SIGNS[part]
    here = [kind for kind in kinds if kind in TILES[tile]] or kinds
    for name in (_named, _sign) if here else ():
        named = _joined([name(kind, glyphs) for kind in here])
        yield [Span("".join(span.text for span in named) + ": ", Ink.DIM)]


def _filled(names: Sequence[Row], gap: int, width: int) -> Block:
    rows: Block = [[]]
    for name in names:
        if rows[-1] and cells(rows[-1]) + gap + cells(name) > width:
            rows.append([])
        rows[-1] += [Span(" " * gap), *name] if rows[-1] else name
    return rows


def _lettered(kind: Kind) -> Row:
    return [Span(kind_letter(kind), KINDS[kind]), Span(f" {kind_title(kind)}")]


def _named(kind: Kind, glyphs: Glyphs) -> Row:
    return [*_sign(kind, glyphs), Span(f" {kind_words(kind)}")]


def _sign(kind: Kind, glyphs: Glyphs) -> Row:
    return [Span(glyphs.signs[kind] + kind_letter(kind), KINDS[kind])]


def _joined(names: Sequence[Row]) -> Row:
    return [span for at, name in enumerate(names) for span in ([Span(", ")] * bool(at) + name)]


def _with_rule(signs: Row, rule: str, width: int) -> Iterator[Row]:
    """Behind the signs, or below them where there is no room."""
    if cells(signs) + len(": ") + cells([Span(rule)]) <= width:
        yield [*signs, Span(f": {rule}")]
        return
    yield [*signs, Span(":")]
    for row in wrapped(rule, width - _INSET):
        yield [Span(" " * _INSET + row)]
