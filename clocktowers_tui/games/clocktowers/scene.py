"""The scene of a view, and the parts of the board that show it."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from clocktowers_tui.games.clocktowers import choosing
from clocktowers_tui.games.clocktowers.cards import Held, card_at, framed_cards
from clocktowers_tui.games.clocktowers.choosing import NOTHING
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
from clocktowers_tui.games.clocktowers.layout import Arrangement, layout
from clocktowers_tui.games.clocktowers.marks import OUT, Marks
from clocktowers_tui.games.clocktowers.news import looked_at, news
from clocktowers_tui.games.clocktowers.sight import Hit, Scene, Sight, Spot, seats_in_order
from clocktowers_tui.games.clocktowers.town import Form, place_at, town_block
from clocktowers_tui.games.parts import Cell, Part, Size, log_rows, log_under, whole
from clocktowers_tui.games.scenes import Given
from clocktowers_tui.games.spans import Block, Row, Span, block
from clocktowers_tui.text.i18n import _
from protocol.games.clocktowers import View

MOST_SEATS: Final = 4


def staged(given: Given, before: Scene | None, wish: Arrangement) -> Scene:
    """The scene of a new view, after the last one."""
    view: View = given.view
    seen = before.view if before else None
    selection = choosing.settle(view, seen, before.selection if before else NOTHING)
    since = looked_at(view, seen, before.since if before else None)
    return Scene(
        view,
        given.names,
        selection,
        given.waiting,
        given.log,
        news(view, since),
        wish,
        since,
    )


def sight(scene: Scene, width: int, height: int, glyphs: Glyphs) -> Sight | None:
    """None when the board is too small."""
    found = layout(width, height, len(scene.view.towns), slots(scene.view), scene.wish)
    if found is None:
        return None
    rungs = len(ladder_rows(scene.view, scene.names, found.side.width, glyphs))
    return Sight(scene, found, glyphs, found.places(rungs))


def draw(scene: Scene, width: int, height: int, glyphs: Glyphs) -> Block | None:
    """`height` rows of `width` cells, or None when that is too small."""
    found = sight(scene, width, height, glyphs)
    return None if found is None else whole(PARTS, found, (width, height))


def _marks(scene: Scene, seat: int | None) -> Marks:
    if seat is None or seat != scene.view.seat:
        return Marks(fresh=scene.news.of(seat) if seat is not None else frozenset())
    return choosing.marks(scene.view, scene.selection, sending=scene.waiting)


# Towns -------------------------------------------------------------------------------------------


def _town(place: int, sight: Sight, size: Size) -> Block:
    seat = seats_in_order(sight.scene.view)[place]
    form = Form(*size, sight.layout.scale_of(place))
    return town_block(sight.scene, seat, form, _marks(sight.scene, seat), sight.glyphs)


def _tower_under(place: int, sight: Sight, size: Size, at: Cell) -> Hit | None:
    view = sight.scene.view
    if place or view.seat is None:
        return None
    form = Form(*size, sight.layout.scale_of(place))
    tower = place_at(view, view.seat, form, _marks(sight.scene, view.seat), *at)
    return None if tower is None else Hit(Spot.TOWER, tower)


# Cards -------------------------------------------------------------------------------------------


def _hand(sight: Sight) -> tuple[str, Sequence[Held]]:
    scene = sight.scene
    marks = _marks(scene, scene.view.seat)
    return hand_title(scene.view), hand_cards(scene.view, scene.selection, marks, sight.glyphs)


def _piles(sight: Sight) -> tuple[str, Sequence[Held]]:
    scene = sight.scene
    return _("Piles"), pile_cards(scene.view, scene.selection, scene.news)


def _cards(sight: Sight, size: Size, title: str, held: Sequence[Held]) -> Block:
    found = sight.layout
    if found.scale is None:
        return block(*size, [cards_in_line(title, held, sight.glyphs)])
    titles: list[Row] = [[Span(title, Ink.DIM)]] if found.titles else []
    return block(*size, [*titles, *framed_cards(held, found.card_gap, found.scale, sight.glyphs)])


def _held_at(sight: Sight, title: str, held: Sequence[Held], x: int) -> int | None:
    found = sight.layout
    if found.scale is None:
        return card_in_line(title, held, sight.glyphs, x)
    return card_at(len(held), found.card_gap, found.scale, x)


def _card_under(sight: Sight, size: Size, at: Cell) -> Hit | None:
    title, held = _hand(sight)
    card = _held_at(sight, title, held, at[0])
    if card is None:
        return None
    on_foot = sight.layout.scale is not None and at[1] == size[1] - 1
    if card == OUT or (on_foot and held[card].out is not None):
        return Hit(Spot.TOWER, OUT)
    return Hit(Spot.CARD, card)


def _pile_under(sight: Sight, _size: Size, at: Cell) -> Hit | None:
    title, held = _piles(sight)
    pile = _held_at(sight, title, held, at[0])
    return None if pile is None else Hit(Spot.PILE, pile)


# Beside them -------------------------------------------------------------------------------------


def _ladder(sight: Sight, size: Size) -> Block:
    scene = sight.scene
    picked = choosing.target(scene.view, scene.selection)
    return block(*size, ladder_rows(scene.view, scene.names, size[0], sight.glyphs, picked))


PARTS: Final[Mapping[str, Part[Sight]]] = {
    **{
        f"town-{place}": Part[Sight](partial(_town, place), partial(_tower_under, place))
        for place in range(MOST_SEATS)
    },
    "hand": Part(lambda sight, size: _cards(sight, size, *_hand(sight)), _card_under),
    "piles": Part(lambda sight, size: _cards(sight, size, *_piles(sight)), _pile_under),
    "ladder": Part(_ladder),
    "log": Part(lambda sight, size: log_rows(sight.scene.log, size), log_under),
}
"""The parts of the board, by the ids of their widgets; towns by place: the player's own first."""
