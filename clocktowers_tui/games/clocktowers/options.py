"""A table's options and presets in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from clocktowers_tui.games.face import OptionField
from clocktowers_tui.i18n import _
from protocol.games.clocktowers import ClockMice, Ladder, OpenMemory, TakeBack, TurnOrder
from protocol.games.clocktowers.deal import SEATS


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
        OptionField(
            "take_back",
            _("Taking moves back"),
            (
                (TakeBack.ON.value, _("until the next move")),
                (TakeBack.OFF.value, _("not allowed")),
            ),
        ),
        OptionField(
            "first_seat",
            _("Who begins"),
            (
                (None, _("by lot")),
                *((seat, _("seat {n}").format(n=seat + 1)) for seat in range(seats or max(SEATS))),
            ),
        ),
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
    parts = []
    for field in option_fields():
        default, *others = field.values
        value = options.get(field.name, default[0])
        value = list(value) if isinstance(value, tuple) else value
        words = next((words for other, words in others if other == value), None)
        if words is not None:
            parts.append(f"{field.label}: {words}")
    return "; ".join(parts) or _("standard rules")
