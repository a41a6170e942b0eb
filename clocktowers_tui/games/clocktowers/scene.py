"""The whole board as rows of text: what is to be seen goes in, a rectangle of cells comes out."""

from collections.abc import Sequence
from typing import NamedTuple

from clocktowers_tui.games.clocktowers.cards import card_at, framed_cards
from clocktowers_tui.games.clocktowers.choosing import Selection, marks
from clocktowers_tui.games.clocktowers.glyphs import Glyphs
from clocktowers_tui.games.clocktowers.hand import (
    cards_in_line,
    hand_cards,
    hand_title,
    pile_cards,
    slots,
)
from clocktowers_tui.games.clocktowers.inks import Ink
from clocktowers_tui.games.clocktowers.ladder import ladder_rows
from clocktowers_tui.games.clocktowers.layout import Layout, layout
from clocktowers_tui.games.clocktowers.marks import UNMARKED, Marks
from clocktowers_tui.games.clocktowers.spans import Block, Rect, Row, Span, block, paint, wrapped
from clocktowers_tui.games.clocktowers.town import Form, place_at, town_block
from clocktowers_tui.i18n import _
from protocol.games.clocktowers import View


class Scene(NamedTuple):
    """`names` by seat, clean; `log` oldest first; `waiting`: an action is under way."""

    view: View
    names: Sequence[str]
    selection: Selection
    waiting: bool = False
    log: Sequence[str] = ()


class Hit(NamedTuple):
    """What lies under the mouse: `what` is card, tower (of one's own town) or pile."""

    what: str
    number: int


def plan(scene: Scene, width: int, height: int) -> Layout | None:
    """The layout, None when the board is too small."""
    return layout(width, height, len(scene.view.towns), slots(scene.view))


def draw(scene: Scene, width: int, height: int, glyphs: Glyphs) -> Block | None:
    """`height` rows of `width` cells, or None when that is too small."""
    found = plan(scene, width, height)
    if found is None:
        return None
    placed = [
        (rect, _town(scene, seat, rect, found, glyphs))
        for rect, seat in zip(found.towns, seats_in_order(scene.view), strict=True)
    ]
    placed += [*_cards(scene, found, glyphs), (found.side, _side(scene, found.side, glyphs))]
    return paint(width, height, placed)


def seats_in_order(view: View) -> list[int]:
    """One's own seat first, then clockwise; from seat 0 for those who watch."""
    first = view.seat or 0
    seats = len(view.towns)
    return [(first + step) % seats for step in range(seats)]


def hit(scene: Scene, width: int, height: int, x: int, y: int) -> Hit | None:
    """What may be picked at a cell of the board."""
    found = plan(scene, width, height)
    view = scene.view
    if found is None or found.text:
        return None
    for what, rect, count in (("card", found.hand, len(view.hand)), ("pile", found.piles, 3)):
        if rect.holds(x, y):
            index = card_at(count, found.card_gap, x - rect.x)
            return None if index is None else Hit(what, index)
    rect = found.towns[0]
    if view.seat is None or not rect.holds(x, y):
        return None
    form = Form(rect.width, rect.height, found.text)
    index = place_at(view, view.seat, form, _marks(scene, view.seat), x - rect.x, y - rect.y)
    return None if index is None else Hit("tower", index)


def _marks(scene: Scene, seat: int) -> Marks:
    if seat != scene.view.seat:
        return UNMARKED
    return marks(scene.view, scene.selection, sending=scene.waiting)


def _town(scene: Scene, seat: int, rect: Rect, found: Layout, glyphs: Glyphs) -> Block:
    form = Form(rect.width, rect.height, found.text)
    return town_block(scene.view, scene.names, seat, form, _marks(scene, seat), glyphs)


def _cards(scene: Scene, found: Layout, glyphs: Glyphs) -> list[tuple[Rect, Block]]:
    view, selection = scene.view, scene.selection
    parts = (
        (found.hand, hand_title(view), hand_cards(view, selection)),
        (found.piles, _("Piles"), pile_cards(view, selection)),
    )
    placed = []
    for rect, title, held in parts:
        rows: list[Row] = [[Span(title, Ink.DIM)]] if found.titles else []
        if found.text:
            rows = [cards_in_line(title, held)]
        else:
            rows += framed_cards(held, found.card_gap, glyphs)
        placed.append((rect, block(rect.width, rect.height, rows)))
    return placed


def _side(scene: Scene, rect: Rect, glyphs: Glyphs) -> Block:
    """The ladder, and below it as many of the log's last lines as there is room for, whole."""
    rows: list[Row] = [*ladder_rows(scene.view, scene.names, rect.width, glyphs)]
    rows += [[Span(text)] for text in _last_lines(scene.log, rect.width, rect.height - len(rows))]
    return block(rect.width, rect.height, rows)


def _last_lines(log: Sequence[str], width: int, room: int) -> list[str]:
    """Whole lines of the log only: the tail of a cut one would say something else."""
    shown: list[str] = []
    for text in reversed(log):
        lines = wrapped(text, width)
        if len(shown) + len(lines) > room:
            break
        shown = lines + shown
    return shown
