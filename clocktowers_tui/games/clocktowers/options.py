"""A table's options and presets in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from clocktowers_tui.games.face import OptionField
from clocktowers_tui.games.option_fields import choice, first_seat, named, take_back, what_differs
from clocktowers_tui.text.i18n import _
from protocol.games.clocktowers import (
    PRESETS,
    SEATS,
    ClockMice,
    Ladder,
    OpenMemory,
    TurnOrder,
)


def option_fields(seats: int | None = None) -> Sequence[OptionField]:
    """In the order of the form; the first value of each is the default. See `Face`."""
    return (
        OptionField(
            "first_heights",
            _("First tower of a colour"),
            (([1, 2], _("1 or 2 floors")), ([2], _("2 floors"))),
            sentence=_("How many floors a colour's first tower needs."),
        ),
        choice(
            "turn_order",
            _("A turn"),
            TurnOrder,
            _("play, then draw"),
            _("draw, then play"),
            sentence=_("Draw first, and you choose from four cards."),
        ),
        choice(
            "ladder",
            _("Heights of the next roofs"),
            Ladder,
            _("the same for all"),
            _("each player's own"),
            sentence=_("Does a roof raise the next height for everybody, or for its owner?"),
        ),
        choice(
            "clock_mice",
            _("Mice on clocks"),
            ClockMice,
            _("count"),
            _("do not count"),
            sentence=_("Does a mouse on a clock cost its tower points?"),
        ),
        choice(
            "open_memory",
            _("Cards you saw others take"),
            OpenMemory,
            _("hidden"),
            _("shown"),
            sentence=_("Show them in the others' hands, or remember them?"),
        ),
        take_back(),
        first_seat(seats or max(SEATS)),
    )


def presets() -> Sequence[tuple[str, str]]:
    """(name on the wire, words); the first is the default."""
    return named(PRESETS, _("Standard"), _("Italian sheet"), _("Russian sheet"), _("Dutch sheet"))


def options_in_words(options: Mapping[str, Any]) -> str:
    """What differs from the default, in one line."""
    return what_differs(option_fields(), options)
