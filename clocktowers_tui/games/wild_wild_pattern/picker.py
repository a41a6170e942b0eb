"""The list to pick from: a declaration's features, or Challenge cards and what they are used on.

Laws: during a declaration every feature has its place, so that picking moves nothing; what can be
picked stands there with its key, and nothing else does.
"""

from collections.abc import Sequence
from enum import Enum
from typing import Final, TypeAlias

from rich.cells import cell_len

from clocktowers_tui.games.painting import Voice
from clocktowers_tui.games.spans import Row, Span, cells, cut, line
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
from clocktowers_tui.games.wild_wild_pattern.sight import Scene, Sight
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

Picker: TypeAlias = Sequence[Sequence[tuple[Offer | None, Row]]]
"""Line by line what stands side by side; None: nothing that can be picked."""


def picker(sight: Sight, width: int) -> Picker:
    """What is to be picked beside the Wheel; empty where nothing is."""
    match task(sight.scene.view):
        case Task.DECLARE:
            return _declaring(sight, width)
        case Task.CHALLENGE:
            return _lines(sight, width)
        case _:
            return ()


def picked(shown: Picker, x: int, y: int) -> Offer | None:
    """What of it stands in this cell."""
    for offer, row in shown[y] if 0 <= y < len(shown) else ():
        if 0 <= x < cells(row):
            return offer
        x -= cells(row)
    return None


# A declaration -----------------------------------------------------------------------------------

_WAY: Final = 10
"""Cells of BEFORE and of AFTER, with the key and the brackets: they stand close together, for they
are no heads of the columns below."""


def _declaring(sight: Sight, width: int) -> Picker:
    scene, each = sight.scene, width // COLUMNS
    keyed = {*offers.WAYS, *offers.on_offer(scene.view, scene.selection)}

    def cell(offer: Offer, wide: int) -> tuple[Offer | None, Row]:
        if offer not in keyed:
            return None, [Span(" " * wide)]
        said = DIRECTION_ORDER[offer.number] if offer.what is What.DIRECTION else offer.number
        key = sight.keymap.name(keys_for(scene.view, said)[0])
        words = _words(scene, offer, wide - 1, sight.glyphs)
        return offer, line(wide, [Span(f"{key:1}", Voice.BOLD), words])

    [ways, *others] = grid(scene.view, scene.selection)
    # TRANSLATORS: above the second half of a pattern that is being said.
    what = _("comes:") if scene.selection.anchor is not None else _("every:")
    beside = Span(cut(what, width - COLUMNS * _WAY, sight.glyphs.ellipsis))
    first = [*(cell(way, _WAY) for way in ways), (None, [beside])]
    return [first, *([cell(offer, each) for offer in row] for row in others)]


def _words(scene: Scene, offer: Offer, width: int, glyphs: Glyphs) -> Span:
    chosen = _is_chosen(scene, offer)
    under = offer == offers.cursor(scene.view, scene.selection)
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


def _lines(sight: Sight, width: int) -> Picker:
    scene = sight.scene
    found = offers.listed(scene.view, scene.selection)
    head: Row = [Span(_heading(scene), Voice.BOLD)]
    return [[(None, head)], *([(one, line(width, _line(sight, one, width)))] for one in found)]


def _heading(scene: Scene) -> str:
    selection = scene.selection
    if selection.wanted:
        return _("For {card}:").format(card=card_title(selection.wanted))
    if selection.challenge:
        return _("Which card?")
    return _("Play a Challenge card?")


def _line(sight: Sight, offer: Offer, width: int) -> Row:
    scene, glyphs = sight.scene, sight.glyphs
    under = offers.cursor(scene.view, scene.selection) == offer
    mark = Span(f"{glyphs.turn}" if under else " ", Voice.LOUD)
    key = Span(f"{_key(scene, offer, sight.keymap):>1} ", Voice.BOLD)
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
