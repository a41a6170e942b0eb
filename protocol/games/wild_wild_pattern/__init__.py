"""What is said of Wild Wild Pattern over the wire: options, actions, events, views and outcome.

`cards` says how cards, features and patterns are written; places of the Wheel are 0-7. Money is in
cents, times are match times in milliseconds.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct, structs

from protocol.games.moves import Field, Moves, Way, counted, flag, named, named_in, quoted
from protocol.games.wild_wild_pattern.cards import (
    CARD_NAMES,
    CARDS,
    CHALLENGE_NAMES,
    CHALLENGES,
    FEATURE_NAMES,
    PLACES,
    Direction,
    Fault,
    Pattern,
)
from protocol.games.wild_wild_pattern.options import (
    BOT_FIRST as BOT_FIRST,
    CHOICE_MS as CHOICE_MS,
    LEVELS as LEVELS,
    MAX_IDLE_TURNS as MAX_IDLE_TURNS,
    MAX_LEVEL_ROUNDS as MAX_LEVEL_ROUNDS,
    MAX_PRACTISING as MAX_PRACTISING,
    MAX_RACE_LIMIT_S as MAX_RACE_LIMIT_S,
    MAX_ROUNDS as MAX_ROUNDS,
    MIN_RACE_LIMIT_S as MIN_RACE_LIMIT_S,
    PRESETS as PRESETS,
    READY_MS as READY_MS,
    REPLACED_MS as REPLACED_MS,
    ROUND_ENDS_AT as ROUND_ENDS_AT,
    SALOON_CENTS as SALOON_CENTS,
    SEATS as SEATS,
    SHOOTS_IN_S as SHOOTS_IN_S,
    SONG_MS as SONG_MS,
    FiveColours as FiveColours,
    Mode as Mode,
    Options as Options,
    PlayedInPair as PlayedInPair,
)

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

_ANY_CARD: Final = f'a card\'s name, such as "pistol-red", or {quoted(CHALLENGE_NAMES.values())}'
_PLACE: Final = counted("place", 0, PLACES - 1)
_DIRECTIONS: Final = {each.value: each for each in Direction}
_PATTERN: Final = (
    Field(
        "direction",
        str,
        lambda value: named_in(value, _DIRECTIONS, "direction in action"),
        shown=("|".join(_DIRECTIONS),),
    ),
    named("anchor", FEATURE_NAMES),
    named("partner", FEATURE_NAMES),
)
_CARDS: Final = tuple(named(name, CARD_NAMES, _ANY_CARD) for name in Use.__struct_fields__)
_WAYS: Final = (
    Way(Ready),
    Way(Shoot, (_PLACE, flag("clicked"))),
    Way(Click),
    Way(
        Declare,
        _PATTERN,
        lambda declare: structs.astuple(declare.pattern),
        lambda *pattern: Declare(Pattern(*pattern)),
    ),
    Way(Take, (_PLACE,)),
    Way(Use, (_CARDS[0], *(card._replace(missing=None) for card in _CARDS[1:]))),
    Way(Lay, (_PLACE,)),
    Way(Pass),
)


def _renewed(words: Sequence[str]) -> Sequence[str]:
    """Version 1 had `declare coin before star`."""
    match words:
        case ["declare", partner, direction, anchor] if direction in _DIRECTIONS:
            return ["declare", direction, anchor, partner]
        case _:
            return words


MOVES: Final = Moves(_WAYS, _renewed)


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


# What happens in Wild Wild Pattern. All seats are told, except of `Drew` and `Aimed`.


class RoundBegan(Struct, frozen=True, array_like=True, tag="round", gc=False):
    """`targets`: objects by seat (those of eliminated seats mean nothing); `gone`: Challenge cards
    that lay on the Wheel. `options` are the table's."""

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
    """To its shooter alone: the shot has arrived, and counts unless an earlier one arrives.
    `place` None is a Click!."""

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
    """The seat does not try a clicked card, does not shoot (in practice), or uses no Challenge
    card."""

    seat: int


class Idled(Struct, frozen=True, array_like=True, tag="idled", gc=False):
    """Nobody shot or clicked: the turn has no winner. `turns`: how many such turns in a row."""

    turns: int


class Declared(Struct, frozen=True, array_like=True, tag="declared", gc=False):
    """`pattern` None: nothing was declared, and `late`: because the time ran out. `anchors`: how
    many cards have their partner beside them; 0 = wrong, and `fault` says why. `wild`: the Wild
    Wild Pattern. `wheel`: what was judged, with the played card on `place`, onto `covered`."""

    seat: int
    pattern: Pattern | None
    anchors: int
    wild: bool = False
    fault: Fault | None = None
    late: bool = False
    wheel: Annotated[bytes, Meta(max_length=PLACES)] = b""
    place: Annotated[int, Meta(ge=0, lt=PLACES)] = 0
    covered: int = 0


class Won(Struct, frozen=True, array_like=True, tag="won", gc=False):
    """`place` None: the card that was covered. Otherwise the card lay there and leaves a gap.
    `late`: the seat did not choose in time."""

    seat: int
    card: int
    place: int | None = None
    late: bool = False


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
    """A seat at the Bank. `cards`: its Pattern cards; `bank.lines` says what is paid for them.
    `money`: what the seat has afterwards. `eliminated`: the seat is out of the match."""

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


# How a match ends, and what a seat may see --------------------------------------------------------


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
