"""How a match of Clocktowers ends."""

from enum import StrEnum

from msgspec import Struct


class DecidedBy(StrEnum):
    POINTS = "points"
    MOUSE = "mouse"
    CAT = "cat"
    SHARED = "shared"


class Outcome(Struct, frozen=True):
    """Scores by seat; `winners` ascending."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    decided_by: DecidedBy
