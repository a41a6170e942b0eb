"""What a seat of Wild Wild Pattern may see, and how a match ends."""

from enum import StrEnum
from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct

from protocol.games.wild_wild_pattern.actions import Declared, Visit
from protocol.games.wild_wild_pattern.cards import CARDS, CHALLENGES
from protocol.games.wild_wild_pattern.options import SEATS, Options
from protocol.games.wild_wild_pattern.pattern import PLACES

# How a match of Wild Wild Pattern ends.


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


# No real view is larger; a client that believed a larger one would draw it slowly.
BY_SEAT: Final = Meta(max_length=max(SEATS))
Cards: TypeAlias = Annotated[bytes, Meta(max_length=len(CARDS))]
Challenges: TypeAlias = Annotated[bytes, Meta(max_length=len(CHALLENGES))]


class Phase(StrEnum):
    READY = "ready"
    RACE = "race"
    CLICKED = "clicked"
    DECLARE = "declare"
    TAKE = "take"
    CHALLENGE = "challenge"
    LAY = "lay"
    OVER = "over"


class View(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Everything that one seat may see; `seat` None is a spectator's. Lists and bins run by seat.

    `due_ms`: when the phase ends by itself, None = never. `acting`: the seat that chooses in the
    phases declare, take, challenge and lay. `wheel`: a 0 is a gap; in declare it shows the played
    card on `place`, and `covered` is the card below it. `clicker`: the seat that gave the played
    card up, if any. `clicked`: the card on the deck, for everybody to shoot with.
    `card`: the seat's own, 0 until the seat sees it. `in_hand`: whether each seat holds a card.
    `waiting`: the seat found a Challenge card and waits for another card. `done`: the seat is ready
    (phase ready) or passes (race, clicked). `aimed`: the seat's own shot, which has arrived and is
    not decided; the place, -1 for a Click!. `takes`: cards that `acting` still takes; `barred`: a
    place that it may not take from. `winner`: of this turn, once it has one; `ended_by`: the seat
    that shot or clicked in this turn or, before that, in the last turn. `declared`: what was said
    last, until the next race begins. `idle`: turns in a row in
    which no seat did; `levels`: level rounds in a row. `bank`: the newest visits, until the next
    ones. `standing`: the seat is still in the match. `outcome`: once it is over.
    """

    seat: int | None = None
    phase: Phase
    round: int
    turn: int
    due_ms: int | None = None
    acting: int | None = None
    wheel: Annotated[bytes, Meta(min_length=PLACES, max_length=PLACES)]
    left: int
    out: Cards
    targets: Annotated[bytes, BY_SEAT]
    won: Annotated[list[Cards], BY_SEAT]
    challenges: Annotated[list[Challenges], BY_SEAT]
    money: Annotated[list[int], BY_SEAT]
    standing: Annotated[list[bool], BY_SEAT]
    card: int = 0
    in_hand: Annotated[list[bool], BY_SEAT]
    waiting: Annotated[list[bool], BY_SEAT]
    done: Annotated[list[bool], BY_SEAT]
    aimed: int | None = None
    place: int | None = None
    covered: int = 0
    clicker: int | None = None
    clicked: int = 0
    takes: int = 0
    barred: int | None = None
    winner: int | None = None
    ended_by: int = 0
    declared: Declared | None = None
    idle: int = 0
    levels: int = 0
    bank: Annotated[tuple[Visit, ...], BY_SEAT] = ()
    outcome: Outcome | None = None
    options: Options
