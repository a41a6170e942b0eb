"""A table's options and presets in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from clocktowers_tui.games.face import OptionField
from clocktowers_tui.games.option_fields import choice, first_seat, named, take_back, what_differs
from clocktowers_tui.text.i18n import _
from protocol.games.architetti_attenti import PRESETS, SEATS, Blocks, End, Parks, Rails


def option_fields(seats: int | None = None) -> Sequence[OptionField]:
    """In the order of the form; the first value of each is the default. See `Face`."""
    return (
        choice(
            "blocks",
            _("Blocks of houses"),
            Blocks,
            _("a house counts once"),
            _("every block counts"),
            sentence=_("Blocks of 2x2 or 3x3 houses: may a house count in several?"),
        ),
        choice(
            "parks",
            _("Parks"),
            Parks,
            _("each park with each house"),
            _("each house once"),
            sentence=_("Does a house beside two parks bring 2 points, or 1?"),
        ),
        choice(
            "rails",
            _("Rails"),
            Rails,
            _("stations x tracks"),
            _("2 for each track"),
            sentence=_("What tracks between stations bring: 1 for each station, or 2."),
        ),
        choice(
            "end",
            _("The end"),
            End,
            _("when the pile is empty"),
            _("when the row is empty"),
            sentence=_("Stop when the pile is empty, or play the last tiles too?"),
        ),
        take_back(),
        first_seat(seats or max(SEATS)),
    )


def presets() -> Sequence[tuple[str, str]]:
    """(name on the wire, words); the first is the default."""
    return named(PRESETS, _("Standard"), _("Word for word"), _("To the last tile"))


def options_in_words(options: Mapping[str, Any]) -> str:
    """What differs from the default, in one line."""
    return what_differs(option_fields(), options)
