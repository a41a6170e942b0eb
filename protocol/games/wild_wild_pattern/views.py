"""What a seat of Wild Wild Pattern may see, and how a match ends."""

from enum import StrEnum

from msgspec import Struct

from protocol.games.wild_wild_pattern.events import Visit
from protocol.games.wild_wild_pattern.options import Options


class DecidedBy(StrEnum):
    WILD_PATTERN = "wild-pattern"
    WILD = "wild"
    MONEY = "money"
    ROUNDS = "rounds"
    LAST = "last"
    LEVEL = "level"


class Outcome(Struct, frozen=True):
    """`scores`: cents by seat, of who was eliminated at that Bank; `winners` ascending."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    decided_by: DecidedBy


class Phase(StrEnum):
    READY = "ready"
    RACE = "race"
    CLICKED = "clicked"
    DECLARE = "declare"
    TAKE = "take"
    CHALLENGE = "challenge"
    LAY = "lay"
    OVER = "over"


class View(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that one seat may see; `seat` None is a spectator's. Lists and bins run by seat.

    `due_ms`: when the phase ends by itself, None = never. `acting`: whose choice it is in the
    phases declare, take, challenge and lay. `wheel`: a 0 is a gap; in declare it shows the played
    card on `place`, and `covered` is the one below it, `clicker`'s card if that is not None.
    `clicked`: the card on the deck, for everybody to shoot with.
    `card`: one's own, 0 until it is seen. `in_hand`: who holds a card. `waiting`: who has found a
    Challenge card and waits for another. `done`: who is ready (phase ready) or passes (race,
    clicked). `aimed`: one's own shot has arrived and is not decided; the place, -1 for a Click!.
    `takes`: cards still to be taken by `acting`; `barred`: a place that may not be chosen for it.
    `winner`: of this turn, once it has one; `ended_by`: who shot or clicked in this turn, or before
    that in the last one. `idle`: turns running in which nobody did; `levels`: rounds running that
    were level. `bank`: the newest visits, until the next ones. `standing`: who is still in the
    match. `outcome`: once it is over.
    """

    seat: int | None = None
    phase: Phase
    round: int
    turn: int
    due_ms: int | None = None
    acting: int | None = None
    wheel: bytes
    left: int
    out: bytes
    targets: bytes
    won: list[bytes]
    challenges: list[bytes]
    money: list[int]
    standing: list[bool]
    card: int = 0
    in_hand: list[bool]
    waiting: list[bool]
    done: list[bool]
    aimed: int | None = None
    place: int | None = None
    covered: int = 0
    clicker: int | None = None
    clicked: int = 0
    takes: int = 0
    barred: int | None = None
    winner: int | None = None
    ended_by: int = 0
    idle: int = 0
    levels: int = 0
    bank: tuple[Visit, ...] = ()
    outcome: Outcome | None = None
    options: Options
