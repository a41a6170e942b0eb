"""The whole board as rows of text: what is to be seen goes in, a rectangle of cells comes out."""

from enum import Enum
from typing import Final, NamedTuple, assert_never

from clocktowers_tui.games.spans import Block, Row, Span, block, last_lines, paint
from clocktowers_tui.games.wild_wild_pattern.glyphs import Glyphs
from clocktowers_tui.games.wild_wild_pattern.hand import hand_block
from clocktowers_tui.games.wild_wild_pattern.layout import Layout, layout
from clocktowers_tui.games.wild_wild_pattern.offers import Offer, Task, What, task
from clocktowers_tui.games.wild_wild_pattern.picker import Picker, picker
from clocktowers_tui.games.wild_wild_pattern.players import player_rows
from clocktowers_tui.games.wild_wild_pattern.prices import prices_block
from clocktowers_tui.games.wild_wild_pattern.sentences import told
from clocktowers_tui.games.wild_wild_pattern.sheet import sheet_block
from clocktowers_tui.games.wild_wild_pattern.sight import Scene, Sheet
from clocktowers_tui.games.wild_wild_pattern.wheel import place_at, wheel_parts
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import DEFAULT_KEYS, Keymap
from clocktowers_tui.text.i18n import _

_MOST_LOG: Final = 6
"""Rows of the log: every new line moves all of them."""


class Spot(Enum):
    OFFER = "offer"
    PLACE = "place"
    READY = "ready"
    SHEET = "sheet"
    LOG = "log"


class Hit(NamedTuple):
    """What lies under the mouse. `place` of the Wheel; `offer` of the list."""

    what: Spot
    place: int = 0
    offer: Offer | None = None


def draw(
    scene: Scene, width: int, height: int, glyphs: Glyphs, keymap: Keymap = DEFAULT_KEYS
) -> Block | None:
    """`height` rows of `width` cells, or None when that is too small."""
    found = layout(width, height)
    if found is None:
        return None
    if scene.sheet is not None:
        return block(width, height, _sheet(scene.sheet, scene, width, height, glyphs, keymap))
    sentences = told(scene.view, scene.selection, keymap)
    side = _side(scene, found, glyphs, keymap)
    placed = [
        *wheel_parts(scene, found, glyphs),
        (found.hand, hand_block(scene, found, glyphs, sentences)),
        (found.side, block(found.side.width, found.side.height, side)),
    ]
    return paint(width, height, placed)


def hit(scene: Scene, size: tuple[int, int], at: tuple[int, int], glyphs: Glyphs) -> Hit | None:
    """What may be picked at a cell (x, y) of a board of that size."""
    found, (x, y) = layout(*size), at
    if found is None:
        return None
    if scene.sheet is not None:
        return Hit(Spot.SHEET)
    place = place_at(found, x, y)
    if place is not None:
        return Hit(Spot.PLACE, place, Offer(What.PLACE, place))
    if task(scene.view) is Task.READY and (found.deck.holds(x, y) or found.hand.holds(x, y)):
        return Hit(Spot.READY)
    if not found.side.holds(x, y):
        return None
    return _beside(scene, found, (x - found.side.x, y - found.side.y), glyphs)


def _sheet(
    sheet: Sheet, scene: Scene, width: int, height: int, glyphs: Glyphs, keymap: Keymap
) -> Block:
    match sheet:
        case Sheet.PAID:
            return sheet_block(scene, width, height, glyphs, _closes(keymap))
        case Sheet.PRICES:
            return prices_block(scene.view, width, glyphs, _closes(keymap))
        case _:
            assert_never(sheet)


def _closes(keymap: Keymap) -> str:
    keys = (actions.CHOOSE, actions.CONFIRM, actions.BACK)
    return _("{keys}: close").format(keys=", ".join(map(keymap.name, keys)))


# Beside the Wheel --------------------------------------------------------------------------------


def _side(scene: Scene, found: Layout, glyphs: Glyphs, keymap: Keymap) -> list[Row]:
    """The players; below them the list to pick from, or the log."""
    width, height = found.side.width, found.side.height
    players = player_rows(scene, width, glyphs)
    shown = picker(scene, width, glyphs, keymap)
    if shown is not None:
        start = _list_from(shown, players, height)
        blanks: list[Row] = [[Span("")] for _row in range(start - len(players))]
        return [*players[:start], *blanks, *shown.rows]
    room = min(_MOST_LOG, height - len(players) - 1)
    log = last_lines(scene.log, width, max(0, room))
    return [*players, [Span("")], *([Span(text)] for text in log)]


def _list_from(shown: Picker, players: list[Row], height: int) -> int:
    """The row in which the list begins: below the players; where there is no room for both, all of
    the list is seen."""
    return max(0, min(len(players) + 1, height - len(shown.rows)))


def _beside(scene: Scene, found: Layout, at: tuple[int, int], glyphs: Glyphs) -> Hit | None:
    width, height = found.side.width, found.side.height
    players = player_rows(scene, width, glyphs)
    shown = picker(scene, width, glyphs, DEFAULT_KEYS)
    if shown is None:
        return Hit(Spot.LOG) if at[1] > len(players) else None
    offer = shown.at(at[0], at[1] - _list_from(shown, players, height))
    return None if offer is None else Hit(Spot.OFFER, offer=offer)
