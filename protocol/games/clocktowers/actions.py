"""What a seat of Clocktowers may do, and why it may not."""

from enum import StrEnum
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from protocol.games.clocktowers.cards import BOX, CODES

Card: TypeAlias = Annotated[int, Meta(ge=1, lt=len(CODES))]
TowerIndex: TypeAlias = Annotated[int, Meta(ge=0, lt=BOX)]


class Play(Struct, frozen=True, array_like=True, tag="play", gc=False):
    """`tower` None starts a new one."""

    card: Card
    tower: TowerIndex | None


class Discard(Struct, frozen=True, array_like=True, tag="discard", gc=False):
    card: Card


class Draw(Struct, frozen=True, array_like=True, tag="draw", gc=False):
    pile: Annotated[int, Meta(ge=0, le=2)]


Action: TypeAlias = Play | Discard | Draw


class Refused(StrEnum):
    """Why an action is impossible; parameters stand behind each."""

    WRONG_PHASE = "wrong_phase"  # phase
    NOT_IN_HAND = "not_in_hand"  # card
    NO_SUCH_TOWER = "no_such_tower"  # tower, towers
    NEEDS_TOWER = "needs_tower"  # card: only a floor starts a tower
    TOWER_COMPLETE = "tower_complete"  # tower
    HAS_CLOCK = "has_clock"  # tower, card: neither floor nor clock goes above a clock
    NO_CLOCK = "no_clock"  # tower: a roof needs a clock below it
    WRONG_HEIGHT = "wrong_height"  # tower, card, height, heights (those that would fit)
    PILE_EMPTY = "pile_empty"  # pile
