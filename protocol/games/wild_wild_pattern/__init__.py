"""Wild Wild Pattern on the wire: options, actions, events, views.

Cards, features and patterns are as in `cards` and `pattern`; places of the Wheel are 0-7. Money is
in cents, times are match times in milliseconds.
"""

from enum import StrEnum
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta, Struct

from protocol.games.wild_wild_pattern.cards import CARDS
from protocol.games.wild_wild_pattern.pattern import PLACES, Fault, Pattern

READY_MS: Final = 20_000
"""After so long everyone counts as ready (rules: A turn, 1)."""

REPLACED_MS: Final = 1_000
"""A Challenge card seen in the hand is replaced so much later (rules: A turn, 1)."""

CHOICE_MS: Final = 15_000
"""For a declaration and for every other choice (rules: A turn, 2)."""

SONG_MS: Final = 10_000
"""How long the others may try with a clicked card (rules: A turn, 4)."""

ROUND_ENDS_AT: Final = 5
"""Pattern cards that end the round."""

SALOON_CENTS: Final = 300
"""Above this the richest wins in the Saloon."""

MAX_ROUNDS: Final = 20
"""In the Saloon; then the richest wins (rules: Modes)."""

MAX_IDLE_TURNS: Final = 10
"""So many turns running in which nobody shot or clicked end the round: the project's own rule, so
that the clock alone brings a match to its end."""

MAX_LEVEL_ROUNDS: Final = 3
"""Level so many times running, those who are left share the win (Vivo o Morto!)."""


class Mode(StrEnum):
    SALOON = "saloon"
    VIVO = "vivo"


class PlayedInPair(StrEnum):
    REQUIRED = "required"
    FREE = "free"


class FiveColours(StrEnum):
    WIN = "win"
    PAY = "pay"


class Lag(StrEnum):
    ON = "on"
    OFF = "off"


class Practice(StrEnum):
    ON = "on"
    OFF = "off"


MIN_RACE_LIMIT_S: Final = 30
"""The least but 0, which is none."""

MAX_RACE_LIMIT_S: Final = 300

MAX_PRACTISING: Final = 2
"""Practice is for one, or against one bot."""


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`race_limit_s` 0 is none. `practice` is no rule of the game, and for one seat or two: without
    any limit of time, one may pass in a race, and a bot waits until the other seat has."""

    mode: Mode = Mode.SALOON
    played_in_pair: PlayedInPair = PlayedInPair.REQUIRED
    five_colours: FiveColours = FiveColours.WIN
    race_limit_s: Annotated[int, Meta(ge=0, le=MAX_RACE_LIMIT_S)] = 60
    lag: Lag = Lag.ON
    practice: Practice = Practice.OFF


PRESETS: Final[dict[str, dict[str, Any]]] = {
    "standard": {"mode": "saloon", "practice": "off"},
    "vivo": {"mode": "vivo", "practice": "off"},
    "practice": {"mode": "saloon", "practice": "on"},
}

Place: TypeAlias = Annotated[int, Meta(ge=0, lt=PLACES)]
Card: TypeAlias = Annotated[int, Meta(ge=1, le=len(CARDS))]


# Actions -----------------------------------------------------------------------------------------


class Ready(Struct, frozen=True, array_like=True, tag="ready", gc=False):
    """For one's card."""


class Shoot(Struct, frozen=True, array_like=True, tag="shoot", gc=False):
    """Cover this place with one's own card, or (`clicked`) with the clicked one: it is said which,
    because a shot may be on its way while somebody clicks."""

    place: Place
    clicked: bool = False


class Click(Struct, frozen=True, array_like=True, tag="click", gc=False):
    """Give one's own card up."""


class Declare(Struct, frozen=True, array_like=True, tag="declare", gc=False):
    pattern: Pattern


class Take(Struct, frozen=True, array_like=True, tag="take", gc=False):
    """A card of the Wheel: as a reward, for a Click! or for another's mistake."""

    place: Place


class Use(Struct, frozen=True, array_like=True, tag="use", gc=False):
    """One's own Challenge card. `wanted`: the card to take, to send out of the game or to trade
    for, wherever it lies; None for money. `given`: one's own card in a trade."""

    challenge: Card
    wanted: Card | None = None
    given: Card | None = None


class Lay(Struct, frozen=True, array_like=True, tag="lay", gc=False):
    """The card that is left in one's hand."""

    place: Place


class Pass(Struct, frozen=True, array_like=True, tag="pass", gc=False):
    """Not try a clicked card; declare nothing; use no Challenge card; in practice, not shoot."""


Action: TypeAlias = Ready | Shoot | Click | Declare | Take | Use | Lay | Pass


# Events: to everybody, but `Drew` and `Aimed` -----------------------------------------------------


class RoundBegan(Struct, frozen=True, array_like=True, tag="round", gc=False):
    """`targets`: objects by seat (of those who are out as well, which mean nothing); `gone`:
    Challenge cards that lay on the Wheel. `options` are the table's."""

    round: int
    targets: bytes
    wheel: bytes
    left: int
    gone: bytes
    options: Options


class TurnBegan(Struct, frozen=True, array_like=True, tag="turn", gc=False):
    """Everybody has an unseen card. `turn` counts from 1 in each round; `left`: in the deck."""

    turn: int
    left: int


class WasReady(Struct, frozen=True, array_like=True, tag="ready", gc=False):
    seat: int


class Seen(Struct, frozen=True, array_like=True, tag="seen", gc=False):
    """All look at their cards: the race is on."""


class Drew(Struct, frozen=True, array_like=True, tag="drew", gc=False):
    """To its owner alone: the card in the hand."""

    card: int


class Found(Struct, frozen=True, array_like=True, tag="found", gc=False):
    """A Challenge card was in the hand, and lies before its owner now."""

    seat: int
    card: int


class Replaced(Struct, frozen=True, array_like=True, tag="replaced", gc=False):
    """The seat has another card for the one it found, or (`empty`) the deck had none."""

    seat: int
    empty: bool = False


class Aimed(Struct, frozen=True, array_like=True, tag="aimed", gc=False):
    """To its shooter alone: the shot has arrived, and counts if no earlier one does. `place` None
    is a Click!."""

    place: int | None


class Shot(Struct, frozen=True, array_like=True, tag="shot", gc=False):
    """`covered`: the card that lay there."""

    seat: int
    place: int
    card: int
    covered: int


class Clicked(Struct, frozen=True, array_like=True, tag="clicked", gc=False):
    seat: int
    card: int


class Passed(Struct, frozen=True, array_like=True, tag="passed", gc=False):
    """Does not try (a clicked card; in practice, to shoot), or uses no Challenge card."""

    seat: int


class Idled(Struct, frozen=True, array_like=True, tag="idled", gc=False):
    """Nobody shot or clicked: the turn has no winner. `turns`: so many running by now."""

    turns: int


class Declared(Struct, frozen=True, array_like=True, tag="declared", gc=False):
    """`pattern` None: nothing was declared. `anchors`: how many cards have their partner beside
    them; 0 = wrong, and `fault` says why. `wild`: the Wild Wild Pattern."""

    seat: int
    pattern: Pattern | None
    anchors: int
    wild: bool = False
    fault: Fault | None = None


class Won(Struct, frozen=True, array_like=True, tag="won", gc=False):
    """`place` None: the card that was covered. Else it lay there, and there is a gap now."""

    seat: int
    card: int
    place: int | None = None


class WentOut(Struct, frozen=True, array_like=True, tag="out", gc=False):
    """A card has left the game, until the next shuffle."""

    card: int


class Used(Struct, frozen=True, array_like=True, tag="used", gc=False):
    """`wanted`, `given`: as in `Use`. `victim`: whose card it was; None: it lay on the Wheel, or
    no card was wanted. `cents`: what the Bank paid."""

    seat: int
    challenge: int
    wanted: int | None = None
    given: int | None = None
    victim: int | None = None
    cents: int = 0


class WasLaid(Struct, frozen=True, array_like=True, tag="laid", gc=False):
    """`covered` 0: into a gap. A covered card has left the game."""

    seat: int
    place: int
    card: int
    covered: int


class Filled(Struct, frozen=True, array_like=True, tag="filled", gc=False):
    """A gap, from the deck."""

    place: int
    card: int


class Reshuffled(Struct, frozen=True, array_like=True, tag="reshuffled", gc=False):
    """A new Wheel and deck out of the old ones and all cards out of the game."""

    wheel: bytes
    left: int
    gone: bytes


class Visit(Struct, frozen=True, array_like=True, gc=False):
    """One seat at the Bank. `cards`: its Pattern cards; `bank.lines` tells what is paid for them.
    `money`: what the seat has after it. `eliminated`: it is out of the match."""

    seat: int
    cards: bytes
    target: int
    paid: int
    money: int
    eliminated: bool = False


class Banked(Struct, frozen=True, array_like=True, tag="banked", gc=False):
    """The round is over, and these have been at the Bank."""

    visits: tuple[Visit, ...]


Event: TypeAlias = (
    RoundBegan
    | TurnBegan
    | WasReady
    | Seen
    | Drew
    | Found
    | Replaced
    | Aimed
    | Shot
    | Clicked
    | Passed
    | Idled
    | Declared
    | Won
    | WentOut
    | Used
    | WasLaid
    | Filled
    | Reshuffled
    | Banked
)


# Views -------------------------------------------------------------------------------------------


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
