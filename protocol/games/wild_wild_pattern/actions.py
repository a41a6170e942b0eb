"""What a seat of Wild Wild Pattern may do, and why it may not."""

from enum import StrEnum
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from protocol.games.wild_wild_pattern.cards import CARDS
from protocol.games.wild_wild_pattern.pattern import PLACES, Pattern

Place: TypeAlias = Annotated[int, Meta(ge=0, lt=PLACES)]
Card: TypeAlias = Annotated[int, Meta(ge=1, le=len(CARDS))]


class Ready(Struct, frozen=True, array_like=True, tag="ready", gc=False):
    """The seat is ready to look at its card."""


class Shoot(Struct, frozen=True, array_like=True, tag="shoot", gc=False):
    """Cover this place with the card in the hand, or (`clicked`) with the clicked card. The action
    says which, because a shot may be on its way while another seat clicks."""

    place: Place
    clicked: bool = False


class Click(Struct, frozen=True, array_like=True, tag="click", gc=False):
    """Give up the card in the hand."""


class Declare(Struct, frozen=True, array_like=True, tag="declare", gc=False):
    pattern: Pattern


class Take(Struct, frozen=True, array_like=True, tag="take", gc=False):
    """Take a card of the Wheel: as a reward, for a Click! or for another seat's mistake."""

    place: Place


class Use(Struct, frozen=True, array_like=True, tag="use", gc=False):
    """Use a Challenge card that the seat owns. `wanted`: the card to take, to send out of the game
    or to trade for, wherever it lies; None for money. `given`: the seat's own card in a trade."""

    challenge: Card
    wanted: Card | None = None
    given: Card | None = None


class Lay(Struct, frozen=True, array_like=True, tag="lay", gc=False):
    """Lay the card that is left in the hand."""

    place: Place


class Pass(Struct, frozen=True, array_like=True, tag="pass", gc=False):
    """Do not try a clicked card, declare nothing, use no Challenge card; in practice, no shot."""


Action: TypeAlias = Ready | Shoot | Click | Declare | Take | Use | Lay | Pass


class Refused(StrEnum):
    """Why an action is impossible; parameters stand behind each."""

    WRONG_PHASE = "wrong_phase"  # phase
    ELIMINATED = "eliminated"
    ALREADY_READY = "already_ready"
    ALREADY_SHOT = "already_shot"
    ALREADY_PASSED = "already_passed"
    NO_CARD = "no_card"
    OWN_CLICK = "own_click"
    ONLY_IN_PRACTICE = "only_in_practice"
    NO_OBJECT = "no_object"
    GAP_THERE = "gap_there"  # place
    BARRED = "barred"  # place
    FILL_A_GAP = "fill_a_gap"  # place
    SAME_COLOUR_FIRST = "same_colour_first"  # place
    NOT_YOUR_CHALLENGE = "not_your_challenge"  # card
    CANNOT_DO_THAT = "cannot_do_that"  # card
