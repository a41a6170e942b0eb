"""Wild Wild Pattern in match records and in notation.

Readers believe nothing: they look at every type (`True` is not 1, 1.0 is not 1), leave alone fields
that they do not know, and raise a RecordError for everything that is wrong. All later shuffles
follow from the seed, so a setup with other cards than the seed deals is wrong.
"""

from collections.abc import Sequence
from typing import Final, assert_never

from protocol.dealing import SEED_BYTES
from protocol.errors import Refusal, RefusalCode
from protocol.games.wild_wild_pattern import (
    MAX_RACE_LIMIT_S,
    MIN_RACE_LIMIT_S,
    Action,
    ChoiceLimit,
    Click,
    Declare,
    FiveColours,
    Lag,
    Lay,
    Mode,
    Options,
    Outcome,
    Pass,
    Phase,
    PlayedInPair,
    Practice,
    Ready,
    Refused,
    Shoot,
    Take,
    Use,
)
from protocol.games.wild_wild_pattern.cards import (
    PATTERN_CARDS,
    Challenge,
    Colour,
    Object,
    Suit,
    colour_of,
    object_of,
)
from protocol.games.wild_wild_pattern.options import round_deal
from protocol.games.wild_wild_pattern.pattern import PLACES, Direction, Pattern
from server.games.contract import Json, RecordError
from server.games.reading import (
    choice_in,
    counted_word,
    field_in,
    integer_in,
    list_in,
    named_in,
    no_move,
    object_in,
    quoted,
    worded,
    wrong,
)
from server.games.wild_wild_pattern.state import State, setup

# What cards and features are called in match records.


FEATURE_NAMES: Final = tuple(
    member.name.lower() for kind in (Object, Colour, Suit) for member in kind
)
"""Feature → its name in records."""

CHALLENGE_NAMES: Final = {
    Challenge.ONE_CARD: "1-card",
    Challenge.PIANO_PLAYER: "piano-player",
    Challenge.HANDS_UP: "hands-up",
    Challenge.TRADE: "trade",
    Challenge.ONE_DOLLAR: "1-dollar",
    Challenge.FIFTY_CENTS: "50-cents",
    Challenge.TEN_CENTS: "10-cents",
}

CARD_NAMES: Final = (
    "",
    *(f"{object_of(card).name}-{colour_of(card).name}".lower() for card in PATTERN_CARDS),
    *CHALLENGE_NAMES.values(),
)
"""Card byte → its name in records; 0 is never written."""


# Wild Wild Pattern in notation: an action ↔ the words of its line (protocol/NOTATION.md).


_NO_CARD: Final = "-"
"""Holds the place of a card that is not there, before one that is."""


def write_move(action: Action) -> str:
    """Places are counted from 1, as on the screen."""
    match action:
        case Ready() | Click() | Pass():
            return type(action).__name__.lower()
        case Shoot(place, clicked=True):
            return f"shoot {place + 1} clicked"
        case Shoot(place) | Take(place) | Lay(place):
            return f"{type(action).__name__.lower()} {place + 1}"
        case Declare(pattern):
            anchor, partner = FEATURE_NAMES[pattern.anchor], FEATURE_NAMES[pattern.partner]
            return f"declare {partner} {pattern.direction} {anchor}"
        case Use(challenge, wanted, given):
            cards = [CARD_NAMES[card or 0] or _NO_CARD for card in (challenge, wanted, given)]
            while cards[-1] == _NO_CARD:
                cards.pop()
            return " ".join(["use", *cards])
        case _:
            assert_never(action)


def read_move(words: Sequence[str]) -> Json:
    """The action as a record has it; nobody has looked whether there are such cards."""
    match words:
        case ["ready" | "click" | "pass" as does]:
            return {"do": does}
        case ["shoot" | "take" | "lay" as does, place]:
            return {"do": does, "place": _read_place(place)}
        case ["shoot", place, "clicked"]:
            return {"do": "shoot", "place": _read_place(place), "clicked": True}
        case ["declare", partner, direction, anchor]:
            return {"do": "declare", "direction": direction, "anchor": anchor, "partner": partner}
        case ["use", challenge, *cards] if len(cards) <= len(_CARDS):
            named = zip(_CARDS, cards, strict=False)
            used = {name: card for name, card in named if card != _NO_CARD}
            return {"do": "use", "challenge": challenge, **used}
        case _:
            raise RecordError(no_move(*_MOVES))


def _read_place(word: str) -> int:
    return counted_word(word, "place", PLACES) - 1


_CARDS: Final = ("wanted", "given")
_MOVES: Final = (
    "ready",
    "shoot PLACE",
    "shoot PLACE clicked",
    "click",
    "declare FEATURE before FEATURE",
    "declare FEATURE after FEATURE",
    "take PLACE",
    "use CHALLENGE",
    "use CHALLENGE WANTED",
    "use CHALLENGE WANTED GIVEN",
    "lay PLACE",
    "pass",
)


_FEATURE_OF: Final = {name: feature for feature, name in enumerate(FEATURE_NAMES)}
_CARD_OF: Final = {name: card for card, name in enumerate(CARD_NAMES) if name}
_DEFAULT: Final = Options()
_RACE_LIMITS: Final = f"0 or {MIN_RACE_LIMIT_S} to {MAX_RACE_LIMIT_S}"


class WildWildPatternNotation:
    """The game's part of the record format."""

    def options_to_record(self, options: Options) -> Json:
        """The options of the rules page; of the table's own, `practice` and `choice_limit`, what is
        not the default."""
        written: dict[str, Json] = {
            "mode": options.mode.value,
            "played_in_pair": options.played_in_pair.value,
            "five_colours": options.five_colours.value,
            "race_limit_s": options.race_limit_s,
            "lag": options.lag.value,
        }
        if options.practice is Practice.ON:
            written["practice"] = options.practice.value
        if options.choice_limit is ChoiceLimit.OFF:
            written["choice_limit"] = options.choice_limit.value
        return written

    def options_from_record(self, value: Json) -> Options:
        """Missing options are the defaults."""
        fields = object_in(value, "options")
        return Options(
            mode=choice_in(fields, "mode", Mode.SALOON),
            played_in_pair=choice_in(fields, "played_in_pair", PlayedInPair.REQUIRED),
            five_colours=choice_in(fields, "five_colours", FiveColours.WIN),
            race_limit_s=_race_limit_s(fields),
            lag=choice_in(fields, "lag", Lag.ON),
            practice=choice_in(fields, "practice", Practice.OFF),
            choice_limit=choice_in(fields, "choice_limit", ChoiceLimit.ON),
        )

    def allowed(self, option: str, seats: int) -> str:
        match option:
            case "mode":
                return "saloon (Vivo o Morto! is for two seats or more)"
            case "practice" if seats == 1:
                return "on (one seat alone is always in practice)"
            case "practice":
                return "off (practice is for one seat or two)"
            case _:
                return _RACE_LIMITS

    def setup_to_record(self, state: State) -> Json:
        """The seed, and what it deals for the first round."""
        return {"seed": state.seed.hex(), **_first_round(state.seed, state.seats)}

    def setup_from_record(self, value: Json, options: Options, seats: int) -> State:
        """A fresh state of the seed; the cards that are listed must be those it deals."""
        fields = object_in(value, "setup")
        seed = _seed(field_in(fields, "seed", "setup"))
        for name, dealt in _first_round(seed, seats).items():
            _check_dealt(list_in(fields, name, "setup"), dealt, f"{name} in setup")
        return setup(options, seats, seed)

    def same_deal(self, state: State, dealt: State) -> bool:
        return state.seed == dealt.seed

    def action_to_record(self, action: Action) -> Json:
        match action:
            case Ready() | Click() | Pass():
                return {"do": type(action).__name__.lower()}
            case Shoot(place, clicked=True):
                return {"do": "shoot", "place": place, "clicked": True}
            case Shoot(place) | Take(place) | Lay(place):
                return {"do": type(action).__name__.lower(), "place": place}
            case Declare(pattern):
                return {"do": "declare", **_pattern_to_record(pattern)}
            case Use(challenge, wanted, given):
                cards = {"challenge": challenge, "wanted": wanted, "given": given}
                named = {name: CARD_NAMES[card] for name, card in cards.items() if card is not None}
                return {"do": "use", **named}
            case _:
                assert_never(action)

    def action_from_record(self, value: Json) -> Action:
        fields = object_in(value, "action")
        match field_in(fields, "do", "action"):
            case "ready":
                return Ready()
            case "click":
                return Click()
            case "pass":
                return Pass()
            case "shoot":
                return Shoot(_place(fields), clicked=_clicked(fields))
            case "take":
                return Take(_place(fields))
            case "lay":
                return Lay(_place(fields))
            case "declare":
                return Declare(_pattern(fields))
            case "use":
                wanted, given = (
                    None if fields.get(name) is None else _card(fields[name], name)
                    for name in ("wanted", "given")
                )
                challenge = _card(field_in(fields, "challenge", "action"), "challenge")
                return Use(challenge, wanted, given)
            case other:
                raise wrong("do in action", quoted(_DOS), other)

    action_to_move = staticmethod(write_move)
    action_from_move = staticmethod(read_move)

    def outcome_to_record(self, outcome: Outcome) -> Json:
        return {
            "scores": list(outcome.scores),
            "winners": list(outcome.winners),
            "decided_by": outcome.decided_by.value,
        }

    def describe(self, refusal: Refusal) -> str:
        """A refusal in English, cards by their names."""
        named = {}
        if isinstance(card := refusal.params.get("card"), int):
            named["card"] = CARD_NAMES[card]
            named["use"] = _USES.get(card, "")
        if isinstance(phase := refusal.params.get("phase"), str):
            named["possible"] = _POSSIBLE.get(phase, "another action")
        return worded(refusal, _SENTENCES, named)


_DOS: Final = ("ready", "shoot", "click", "declare", "take", "use", "lay", "pass")
_POSSIBLE: Final[dict[str, str]] = {
    Phase.READY: '"ready"',
    Phase.RACE: '"shoot" with the seat\'s own card, "click", or in practice "pass"',
    Phase.CLICKED: '"shoot" with "clicked": true, or "pass"',
    Phase.DECLARE: '"declare" or "pass"',
    Phase.TAKE: '"take"',
    Phase.CHALLENGE: '"use" or "pass"',
    Phase.LAY: '"lay"',
}
"""Phase → what can be done in it."""
_MONEY: Final = "it pays money, so wanted and given must be missing"
_USES: Final[dict[int, str]] = {
    Challenge.ONE_CARD: (
        "wanted must be a card on the Wheel, or a won or Challenge card of an opponent; given none"
    ),
    Challenge.PIANO_PLAYER: "wanted must be a card with bullets that an opponent won; given none",
    Challenge.HANDS_UP: "wanted must be a card with a coin that an opponent won; given none",
    Challenge.TRADE: (
        "wanted must be a won or Challenge card of an opponent, given another one of the seat's own"
    ),
    Challenge.ONE_DOLLAR: _MONEY,
    Challenge.FIFTY_CENTS: _MONEY,
    Challenge.TEN_CENTS: _MONEY,
}
"""Challenge card → which cards an action must name with it."""
_SENTENCES: Final[dict[str, str]] = {
    RefusalCode.MATCH_OVER: "the match is over before this action",
    RefusalCode.NOT_YOUR_TURN: "another seat must act now",
    Refused.WRONG_PHASE: "the phase is {phase}, in which the action must be {possible}",
    Refused.ELIMINATED: "the seat is out of the match and acts no more",
    Refused.ALREADY_READY: "the seat is ready already",
    Refused.ALREADY_SHOT: "the seat has shot or clicked already in this race",
    Refused.ALREADY_PASSED: "the seat has passed already in this race",
    Refused.NO_CARD: "the seat has no card in its hand to shoot or click with",
    Refused.OWN_CLICK: "the seat clicked this card itself; only the others may shoot with it",
    Refused.ONLY_IN_PRACTICE: 'to pass in a race, the option practice must be "on"',
    Refused.NO_OBJECT: "of anchor and partner one must be an object, the other a colour or a suit",
    Refused.GAP_THERE: "place must have a card to take, and {place}, counted from 0, is a gap",
    Refused.BARRED: (
        "place must not be {place}, counted from 0: the card played there may not be taken"
    ),
    Refused.FILL_A_GAP: (
        "place must be a gap, for there is one, and {place}, counted from 0, has a card"
    ),
    Refused.SAME_COLOUR_FIRST: (
        "place must have a card of the same colour, for there is one, and {place}, counted "
        "from 0, has another"
    ),
    Refused.NOT_YOUR_CHALLENGE: "challenge must be a Challenge card before the seat, not {card}",
    Refused.CANNOT_DO_THAT: "{card} cannot be used so: {use}",
}


def _first_round(seed: bytes, seats: int) -> dict[str, list[str]]:
    """What lies on the table before the first turn, by its fields in `setup`."""
    deal = round_deal(seed, 0)
    return {
        "targets": [FEATURE_NAMES[target] for target in deal.targets[:seats]],
        "wheel": _names(deal.wheel.cards),
        "deck": _names(deal.wheel.deck),
        "gone": _names(deal.wheel.gone),
    }


def _names(cards: bytes) -> list[str]:
    return [CARD_NAMES[card] for card in cards]


def _check_dealt(given: list[Json], dealt: list[str], where: str) -> None:
    """The cards are those that the seed deals, in their order."""
    if len(given) != len(dealt):
        raise RecordError(f"{where} must have {len(dealt)} cards, not {len(given)}")
    for number, (card, expected) in enumerate(zip(given, dealt, strict=True)):
        if card != expected:
            wanted = f"{quoted((expected,))}, which the seed deals"
            raise wrong(f"entry {number} of {where}", wanted, card)


def _seed(value: Json) -> bytes:
    # `fromhex` alone would read over blanks.
    if isinstance(value, str) and len(value) == 2 * SEED_BYTES and value.isalnum():
        try:
            return bytes.fromhex(value)
        except ValueError:
            pass
    raise wrong("seed in setup", f"{2 * SEED_BYTES} hexadecimal digits", value)


def _race_limit_s(fields: dict[str, Json]) -> int:
    value = fields.get("race_limit_s", _DEFAULT.race_limit_s)
    limited = type(value) is int and MIN_RACE_LIMIT_S <= value <= MAX_RACE_LIMIT_S
    if type(value) is not int or not (limited or value == 0):
        raise wrong("option race_limit_s", _RACE_LIMITS, value)
    return value


def _card(value: Json, name: str) -> int:
    if isinstance(value, str) and value in _CARD_OF:
        return _CARD_OF[value]
    wanted = f'a card\'s name, such as "pistol-red", or {quoted(CHALLENGE_NAMES.values())}'
    raise wrong(f"{name} in action", wanted, value)


def _place(fields: dict[str, Json]) -> int:
    return integer_in(fields, "place", "action", 0, PLACES - 1)


def _clicked(fields: dict[str, Json]) -> bool:
    value = fields.get("clicked", False)
    if type(value) is not bool:
        raise wrong("clicked in action", "true or false", value)
    return value


def _pattern_to_record(pattern: Pattern) -> dict[str, str]:
    return {
        "direction": pattern.direction.value,
        "anchor": FEATURE_NAMES[pattern.anchor],
        "partner": FEATURE_NAMES[pattern.partner],
    }


def _pattern(fields: dict[str, Json]) -> Pattern:
    direction = field_in(fields, "direction", "action")
    if not isinstance(direction, str) or direction not in [each.value for each in Direction]:
        raise wrong("direction in action", quoted(each.value for each in Direction), direction)
    return Pattern(Direction(direction), _feature(fields, "anchor"), _feature(fields, "partner"))


def _feature(fields: dict[str, Json], name: str) -> int:
    value = field_in(fields, name, "action")
    return named_in(value, _FEATURE_OF, f"{name} in action")
