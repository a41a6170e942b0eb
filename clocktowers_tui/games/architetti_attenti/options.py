"""A table's options and presets in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from clocktowers_tui.games.face import OptionField
from clocktowers_tui.games.option_fields import first_seat, take_back, what_differs
from clocktowers_tui.text.i18n import _
from protocol.games.architetti_attenti import SEATS, Blocks, End, Parks, Rails


def option_fields(seats: int | None = None) -> Sequence[OptionField]:
    """In the order of the form; the first value of each is the default. See `Face`."""
    return (
        OptionField(
            "blocks",
            _("Blocks of houses"),
            (
                (Blocks.PACKED.value, _("a house in one only")),
                (Blocks.ALL.value, _("every square counts")),
            ),
        ),
        OptionField(
            "parks",
            _("Parks"),
            (
                (Parks.PAIRS.value, _("each park with each house")),
                (Parks.HOUSES.value, _("each house once")),
            ),
        ),
        OptionField(
            "rails",
            _("Rails"),
            (
                (Rails.NETWORK.value, _("stations x tracks")),
                (Rails.STRETCH.value, _("2 x tracks, by stretch")),
            ),
        ),
        OptionField(
            "end",
            _("The end"),
            (
                (End.AT_ONCE.value, _("with the pile")),
                (End.ROW.value, _("with the row")),
            ),
        ),
        take_back(),
        first_seat(seats or max(SEATS)),
    )


def presets() -> Sequence[tuple[str, str]]:
    """(name on the wire, words); the first is the default."""
    return (
        ("standard", _("Standard")),
        ("letter", _("Word for word")),
        ("last-tile", _("To the last tile")),
    )


def options_in_words(options: Mapping[str, Any]) -> str:
    """What differs from the default, in one line."""
    return what_differs(option_fields(), options)
