"""Each game's vocabulary: options, actions, events, views. Values, no behaviour."""

from enum import StrEnum


class Switch(StrEnum):
    """An option that is on or off."""

    ON = "on"
    OFF = "off"
