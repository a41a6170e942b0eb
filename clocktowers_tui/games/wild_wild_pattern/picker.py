"""The list to pick from: a declaration's features, or Challenge cards and what they are used on.

Laws: during a declaration every feature has its place, so that picking moves nothing; what can be
picked stands there with its key, and nothing else does.
"""

from collections.abc import Callable
from enum import Enum
from typing import Final, NamedTuple

from rich.cells import cell_len

from clocktowers_tui.games.painting import Voice
from clocktowers_tui.games.spans import Block, Row, Span, cells, cut, line
from clocktowers_tui.games.wild_wild_pattern import offers
from clocktowers_tui.games.wild_wild_pattern.actions import PASS, PLACES
from clocktowers_tui.games.wild_wild_pattern.cards import compact, ink_of, titled
from clocktowers_tui.games.wild_wild_pattern.inks import COLOURS, Glyphs
from clocktowers_tui.games.wild_wild_pattern.offers import (
    COLUMNS,
    DIRECTIONS as DIRECTION_ORDER,
    Offer,
    Task,
    What,
    grid,
    keys_for,
    task,
)
from clocktowers_tui.games.wild_wild_pattern.sight import Scene
from clocktowers_tui.games.wild_wild_pattern.words import card_title, card_words, challenge_names
from clocktowers_tui.keys.keymap import Keymap
from clocktowers_tui.text.i18n import _, pgettext
from protocol.games.wild_wild_pattern.cards import (
    FIRST_COLOUR,
    FIRST_SUIT,
    is_pattern,
    object_of,
    suit_of,
)


class Picker(NamedTuple):
    """`at`: the offer under a cell of the rows."""

    rows: Block
    at: Callable[[int, int], Offer | None]


def picker(scene: Scene, width: int, glyphs: Glyphs, keymap: Keymap) -> Picker | None:
    """What is to be picked beside the Wheel; None where nothing is."""
    match task(scene.view):
        case Task.DECLARE:
            return _declaring(scene, width, glyphs, keymap)
        case Task.CHALLENGE:
            return _lines(scene, width, glyphs, keymap)
        case _:
            return None


# A declaration -----------------------------------------------------------------------------------

_WAY: Final = 10
"""Cells of BEFORE and of AFTER, with the key and the brackets."""


def _declaring(scene: Scene, width: int, glyphs: Glyphs, keymap: Keymap) -> Picker:
    each, found = width // COLUMNS, grid(scene.view, scene.selection)
    what = _("comes:") if scene.selection.anchor is not None else _("every:")
    under = offers.cursor(scene.view, scene.selection)
    keyed = {*offers.WAYS, *offers.on_offer(scene.view, scene.selection)}

    def wide(y: int) -> int:
        """Before and after stand close together: they are no heads of the columns below."""
        return each if y else _WAY

    def cell(offer: Offer, wide: int) -> Row:
        if offer not in keyed:
            return [Span(" " * wide)]
        said = DIRECTION_ORDER[offer.number] if offer.what is What.DIRECTION else offer.number
        key = keymap.name(keys_for(scene.view, said)[0])
        shown = _words(scene, offer, wide - 1, glyphs, under=offer == under)
        return line(wide, [Span(f"{key:1}", Voice.BOLD), shown])

    rows = [
        [span for offer in offers for span in cell(offer, wide(y))]
        for y, offers in enumerate(found)
    ]
    rows[0].append(Span(cut(what, width - COLUMNS * _WAY, glyphs.ellipsis)))

    def at(x: int, y: int) -> Offer | None:
        if not 0 <= y < len(found) or not 0 <= x // wide(y) < len(found[y]):
            return None
        offer = found[y][x // wide(y)]
        return offer if offer in keyed else None

    return Picker(rows, at)


def _words(scene: Scene, offer: Offer, width: int, glyphs: Glyphs, *, under: bool) -> Span:
    """`under`: the cursor is on it."""
    chosen = _is_chosen(scene, offer)
    words = (
        _direction(offer.number) if offer.what is What.DIRECTION else titled(offer.number, glyphs)
    )
    text = f"[{words}]" if chosen else f"{glyphs.turn if under else ' '}{words} "
    ink = Voice.MARKED if chosen else Voice.LOUD if under else _ground(offer)
    return Span(cut(text, width, glyphs.ellipsis), ink)


def _is_chosen(scene: Scene, offer: Offer) -> bool:
    selection = scene.selection
    if offer.what is What.DIRECTION:
        return selection.direction is not None and offer.number == DIRECTION_ORDER.index(
            selection.direction
        )
    return selection.anchor == offer.number


def _direction(number: int) -> str:
    before = pgettext("to declare, 7 cells", "BEFORE")
    return before if number == 0 else pgettext("to declare, 7 cells", "AFTER")


def _ground(offer: Offer) -> Enum | None:
    if offer.what is What.FEATURE and FIRST_COLOUR <= offer.number < FIRST_SUIT:
        return COLOURS[offer.number - FIRST_COLOUR]
    return None


# Challenge cards ---------------------------------------------------------------------------------


def _lines(scene: Scene, width: int, glyphs: Glyphs, keymap: Keymap) -> Picker:
    found = offers.listed(scene.view, scene.selection)
    head: Row = [Span(_heading(scene), Voice.BOLD)]
    rows = [head, *(_line(scene, offer, width, glyphs, keymap) for offer in found)]

    def at(x: int, y: int) -> Offer | None:
        return found[y - 1] if 1 <= y <= len(found) else None

    return Picker(rows, at)


def _heading(scene: Scene) -> str:
    selection = scene.selection
    if selection.wanted:
        return _("For {card}:").format(card=card_title(selection.wanted))
    if selection.challenge:
        return _("Which card?")
    return _("Play a Challenge card?")


def _line(scene: Scene, offer: Offer, width: int, glyphs: Glyphs, keymap: Keymap) -> Row:
    under = offers.cursor(scene.view, scene.selection) == offer
    mark = Span(f"{glyphs.turn}" if under else " ", Voice.LOUD)
    key = Span(f"{_key(scene, offer, keymap):>1} ", Voice.BOLD)
    if offer.what is What.NONE:
        return [mark, key, Span(_("Keep it for later"), Voice.MARKED if under else None)]
    whose = _whose(scene, offer)
    room = width - cells([mark, key]) - cell_len(whose)
    told = _pattern_card if is_pattern(offer.number) else _challenge_card
    ink = Voice.MARKED if under else None
    return [mark, key, *line(room, told(offer.number, room, glyphs, ink)), Span(whose, Voice.DIM)]


_TITLE: Final = 20
"""Cells in which a title that is cut still says enough."""


def _pattern_card(card: int, room: int, glyphs: Glyphs, ink: Enum | None) -> Row:
    """As on the Wheel: its object's sign, and words as far as there is room for them whole."""
    thing, suit = glyphs.signs[object_of(card)], glyphs.signs[FIRST_SUIT + suit_of(card)]
    forms = f"{thing} {card_words(card)}", f"{thing} {card_title(card)} {suit}"
    fitting = next((form for form in forms if cell_len(form) <= room), None)
    return [compact(card, glyphs) if fitting is None else Span(fitting, ink or ink_of(card))]


def _challenge_card(card: int, room: int, glyphs: Glyphs, ink: Enum | None) -> Row:
    """A title is more than the letters before it, even when it is cut."""
    code, title = compact(card, glyphs), card_title(card)
    room -= cell_len(code.text)
    longer = f"{title}: {challenge_names(card).does}"
    fitting = next((text for text in (longer, title) if cell_len(text) < room), None)
    if fitting is None:
        fitting = "" if room < _TITLE else cut(title, room - 1, glyphs.ellipsis)
    return [code, Span(f" {fitting}", ink)]


def _whose(scene: Scene, offer: Offer) -> str:
    if offer.owner is None or offer.owner == scene.view.seat:
        return ""
    return " " + cut(scene.names[offer.owner], 8)


def _key(scene: Scene, offer: Offer, keymap: Keymap) -> str:
    if offer.what is What.NONE:
        return keymap.name(PASS)
    found = offers.digits(scene.view, scene.selection)
    return keymap.name(PLACES[found.index(offer)]) if offer in found else ""
