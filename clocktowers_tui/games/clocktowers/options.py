"""A table's options and presets in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from clocktowers_tui.games.face import OptionField
from clocktowers_tui.games.option_fields import first_seat, take_back, what_differs
from clocktowers_tui.text.i18n import _
from protocol.games.clocktowers import SEATS, ClockMice, Ladder, OpenMemory, TurnOrder


def option_fields(seats: int | None = None) -> Sequence[OptionField]:
    """In the order of the form; the first value of each is the default. See `Face`."""
    return (
        OptionField(
            "first_heights",
            _("First tower of a colour"),
            (([1, 2], _("1 or 2 high")), ([2], _("2 high"))),
        ),
        OptionField(
            "turn_order",
            _("A turn"),
            (
                (TurnOrder.PLAY_DRAW.value, _("play, then draw")),
                (TurnOrder.DRAW_PLAY.value, _("draw, then play")),
            ),
        ),
        OptionField(
            "ladder",
            _("Ladder of heights"),
            (
                (Ladder.SHARED.value, _("one for all")),
                (Ladder.OWN.value, _("one for each player")),
            ),
        ),
        OptionField(
            "clock_mice",
            _("Mice on clocks"),
            ((ClockMice.COUNT.value, _("count")), (ClockMice.IGNORE.value, _("do not count"))),
        ),
        OptionField(
            "open_memory",
            _("Known cards in hands"),
            ((OpenMemory.OFF.value, _("hidden")), (OpenMemory.ON.value, _("shown"))),
        ),
        take_back(),
        first_seat(seats or max(SEATS)),
    )


def presets() -> Sequence[tuple[str, str]]:
    """(name on the wire, words); the first is the default."""
    return (
        ("standard", _("Standard")),
        ("italian", _("Italian sheet")),
        ("russian", _("Russian sheet")),
        ("dutch", _("Dutch sheet")),
    )


def options_in_words(options: Mapping[str, Any]) -> str:
    """What differs from the default, in one line."""
    return what_differs(option_fields(), options)
