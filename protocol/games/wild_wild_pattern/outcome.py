"""How a match of Wild Wild Pattern ends."""

from enum import StrEnum

from msgspec import Struct


class DecidedBy(StrEnum):
    WILD_PATTERN = "wild-pattern"
    WILD = "wild"
    MONEY = "money"
    ROUNDS = "rounds"
    LAST = "last"
    LEVEL = "level"


class Outcome(Struct, frozen=True):
    """`scores`: cents by seat, of eliminated seats as of their last Bank; `winners` ascending."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    decided_by: DecidedBy
