"""How a match of Architetti Attenti ends."""

from enum import StrEnum

from msgspec import Struct


class DecidedBy(StrEnum):
    POINTS = "points"
    SHARED = "shared"
    ALONE = "alone"


class Parts(Struct, frozen=True):
    """A score, kind by kind (rules: Score)."""

    houses: int = 0
    blocks: int = 0
    parks: int = 0
    rails: int = 0
    shops: int = 0
    schools: int = 0

    @property
    def total(self) -> int:
        return self.houses + self.blocks + self.parks + self.rails + self.shops + self.schools


class Outcome(Struct, frozen=True):
    """Scores and their parts by seat; `winners` ascending."""

    scores: tuple[int, ...]
    parts: tuple[Parts, ...]
    winners: tuple[int, ...]
    decided_by: DecidedBy
