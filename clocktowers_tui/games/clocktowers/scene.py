"""The whole board as rows of text: what is to be seen goes in, a rectangle of cells comes out."""

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from clocktowers_tui.games.clocktowers import choosing
from clocktowers_tui.games.clocktowers.cards import Held, card_at, framed_cards
from clocktowers_tui.games.clocktowers.choosing import Selection
from clocktowers_tui.games.clocktowers.glyphs import Glyphs
from clocktowers_tui.games.clocktowers.hand import (
    card_in_line,
    cards_in_line,
    hand_cards,
    hand_title,
    pile_cards,
    slots,
)
from clocktowers_tui.games.clocktowers.inks import Ink
from clocktowers_tui.games.clocktowers.ladder import ladder_rows
from clocktowers_tui.games.clocktowers.layout import Arrangement, Layout, layout
from clocktowers_tui.games.clocktowers.marks import OUT, Marks
from clocktowers_tui.games.clocktowers.news import NO_NEWS, News
from clocktowers_tui.games.clocktowers.town import Form, Sight, place_at, town_block
from clocktowers_tui.games.spans import Block, Rect, Row, Span, block, last_lines, paint
from clocktowers_tui.text.i18n import _
from protocol.games.clocktowers import View


class Scene(NamedTuple):
    """`names` by seat, clean; `log` oldest first; `waiting`: an action is under way; `news`: what
    the others did last; `wish`: how the player wants it arranged."""

    view: View
    names: Sequence[str]
    selection: Selection
    waiting: bool = False
    log: Sequence[str] = ()
    news: News = NO_NEWS
    wish: Arrangement = Arrangement.AUTOMATIC


class Spot(Enum):
    CARD = "card"
    TOWER = "tower"
    """In the player's own town; its number may be NEW or OUT."""
    PILE = "pile"
    LOG = "log"


class Hit(NamedTuple):
    """What lies under the mouse."""

    what: Spot
    number: int = 0


def plan(scene: Scene, width: int, height: int) -> Layout | None:
    """The layout, None when the board is too small."""
    return layout(width, height, len(scene.view.towns), slots(scene.view), scene.wish)


def draw(scene: Scene, width: int, height: int, glyphs: Glyphs) -> Block | None:
    """`height` rows of `width` cells, or None when that is too small."""
    found = plan(scene, width, height)
    if found is None:
        return None
    placed = [
        (rect, _town(scene, place, rect, found, glyphs)) for place, rect in enumerate(found.towns)
    ]
    placed += [*_cards(scene, found, glyphs), (found.side, _side(scene, found.side, glyphs))]
    return paint(width, height, placed)


def seats_in_order(view: View) -> list[int]:
    """The player's own seat first, then clockwise; for watchers from seat 0."""
    first = view.seat or 0
    seats = len(view.towns)
    return [(first + step) % seats for step in range(seats)]


def hit(scene: Scene, width: int, height: int, x: int, y: int, glyphs: Glyphs) -> Hit | None:
    """What may be picked at a cell of the board."""
    found = plan(scene, width, height)
    if found is None:
        return None
    if found.hand.holds(x, y):
        return _card_hit(scene, found, x, y, glyphs)
    if found.piles.holds(x, y):
        held = pile_cards(scene.view, scene.selection, scene.news)
        pile = _held_at(found, found.piles, _("Piles"), held, x, glyphs)
        return None if pile is None else Hit(Spot.PILE, pile)
    if found.side.holds(x, y):
        ladder = _ladder(scene, found.side.width, glyphs)
        return Hit(Spot.LOG) if y - found.side.y >= len(ladder) else None
    return _tower_hit(scene, found, x, y)


def _card_hit(scene: Scene, found: Layout, x: int, y: int, glyphs: Glyphs) -> Hit | None:
    view = scene.view
    held = hand_cards(view, scene.selection, _marks(scene, view.seat), glyphs)
    card = _held_at(found, found.hand, hand_title(view), held, x, glyphs)
    if card is None:
        return None
    on_foot = found.scale is not None and y == found.hand.y + found.hand.height - 1
    if card == OUT or (on_foot and held[card].out is not None):
        return Hit(Spot.TOWER, OUT)
    return Hit(Spot.CARD, card)


def _held_at(
    found: Layout, rect: Rect, title: str, held: Sequence[Held], x: int, glyphs: Glyphs
) -> int | None:
    if found.scale is None:
        return card_in_line(title, held, glyphs, x - rect.x)
    return card_at(len(held), found.card_gap, found.scale, x - rect.x)


def _tower_hit(scene: Scene, found: Layout, x: int, y: int) -> Hit | None:
    view, rect = scene.view, found.towns[0]
    if view.seat is None or not rect.holds(x, y):
        return None
    form = Form(rect.width, rect.height, found.scale)
    tower = place_at(view, view.seat, form, _marks(scene, view.seat), x - rect.x, y - rect.y)
    return None if tower is None else Hit(Spot.TOWER, tower)


def _marks(scene: Scene, seat: int | None) -> Marks:
    if seat is None or seat != scene.view.seat:
        return Marks(fresh=scene.news.of(seat) if seat is not None else frozenset())
    return choosing.marks(scene.view, scene.selection, sending=scene.waiting)


def _town(scene: Scene, place: int, rect: Rect, found: Layout, glyphs: Glyphs) -> Block:
    seat = seats_in_order(scene.view)[place]
    form = Form(rect.width, rect.height, found.scale_of(place))
    sight = Sight(scene.view, scene.names, scene.news)
    return town_block(sight, seat, form, _marks(scene, seat), glyphs)


def _cards(scene: Scene, found: Layout, glyphs: Glyphs) -> list[tuple[Rect, Block]]:
    view, selection = scene.view, scene.selection
    hand = hand_cards(view, selection, _marks(scene, view.seat), glyphs)
    parts = (
        (found.hand, hand_title(view), hand),
        (found.piles, _("Piles"), pile_cards(view, selection, scene.news)),
    )
    placed = []
    for rect, title, held in parts:
        rows: list[Row] = [[Span(title, Ink.DIM)]] if found.titles else []
        if found.scale is None:
            rows = [cards_in_line(title, held, glyphs)]
        else:
            rows += framed_cards(held, found.card_gap, found.scale, glyphs)
        placed.append((rect, block(rect.width, rect.height, rows)))
    return placed


def _side(scene: Scene, rect: Rect, glyphs: Glyphs) -> Block:
    """The ladder, and below it as many of the log's last lines as there is room for, whole."""
    rows = _ladder(scene, rect.width, glyphs)
    rows += [[Span(text)] for text in last_lines(scene.log, rect.width, rect.height - len(rows))]
    return block(rect.width, rect.height, rows)


def _ladder(scene: Scene, width: int, glyphs: Glyphs) -> Block:
    picked = choosing.target(scene.view, scene.selection)
    return ladder_rows(scene.view, scene.names, width, glyphs, picked)
