"""Options that several games have, and any game's options in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from clocktowers_tui.games.face import OptionField
from clocktowers_tui.text.i18n import _


def take_back() -> OptionField:
    words = (("on", _("until the next move")), ("off", _("not allowed")))
    return OptionField("take_back", _("Taking moves back"), words)


def first_seat(seats: int) -> OptionField:
    chosen = [(seat, _("seat {n}").format(n=seat + 1)) for seat in range(seats)]
    return OptionField("first_seat", _("Who begins"), ((None, _("by lot")), *chosen))


def what_differs(fields: Sequence[OptionField], options: Mapping[str, Any]) -> str:
    """What in the plain map of the wire is not the default, in one line."""
    return "; ".join(differences(fields, options)) or standard_rules()


def standard_rules() -> str:
    return _("standard rules")


def differences(fields: Sequence[OptionField], options: Mapping[str, Any]) -> list[str]:
    """Each field that is not the default, with its words."""
    parts = []
    for field in fields:
        default, usual = field.values[0]
        words = field.words(options.get(field.name, default))
        if words is not None and words != usual:
            parts.append(f"{field.label}: {words}")
    return parts
