"""Each game's vocabulary: options, actions, events, views. Values, no behaviour."""

from enum import StrEnum

from msgspec import Struct


class Switch(StrEnum):
    """An option that is on or off."""

    ON = "on"
    OFF = "off"


class Prospect(Struct, frozen=True, order=True):
    """What may come of an action: that `seat` gets `kind`, such a thing (`what`), there (`where`),
    each as the game counts it (its `Gets`); 0 of `what`: any. `points`: it brings so many; 0 where
    they are not counted. `played`, `better`: in how many of the worlds it came after what was
    played, and after what was better, in thousandths. `instead`: how many points the same can
    bring at most after what was played."""

    seat: int
    kind: int
    where: int = 0
    what: int = 0
    points: int = 0
    played: int = 0
    better: int = 0
    instead: int = 0
