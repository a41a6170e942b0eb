"""Wild Wild Pattern in match records: JSON values ↔ options, deals, actions, outcomes.

Readers believe nothing: every type is looked at (`True` is not 1, 1.0 is not 1), fields they do not
know are left alone, and whatever is wrong is a RecordError. All later shuffles follow from the
seed, so a setup whose cards are not the seed's is wrong.
"""

from typing import Final, assert_never

from protocol.dealing import SEED_BYTES
from protocol.games.wild_wild_pattern import (
    MAX_RACE_LIMIT_S,
    MIN_RACE_LIMIT_S,
    Action,
    Click,
    Declare,
    FiveColours,
    Lag,
    Lay,
    Mode,
    Options,
    Outcome,
    Pass,
    PlayedInPair,
    Practice,
    Ready,
    Refused,
    Shoot,
    Take,
    Use,
)
from protocol.games.wild_wild_pattern.deal import round_deal
from protocol.games.wild_wild_pattern.pattern import PLACES, Direction, Pattern
from protocol.refusal import Refusal, RefusalCode
from server.games.contract import Json, RecordError
from server.games.reading import choice_in, field_in, integer_in, object_in, shown
from server.games.wild_wild_pattern.names import CARD_NAMES, FEATURE_NAMES
from server.games.wild_wild_pattern.setup import setup
from server.games.wild_wild_pattern.state import State
from server.games.wording import worded

_FEATURE_OF: Final = {name: feature for feature, name in enumerate(FEATURE_NAMES)}
_CARD_OF: Final = {name: card for card, name in enumerate(CARD_NAMES) if name}
_DEFAULT: Final = Options()
_RACE_LIMITS: Final = f"0 or {MIN_RACE_LIMIT_S} to {MAX_RACE_LIMIT_S}"


class WildWildPatternNotation:
    """The game's part of the record format."""

    def options_to_record(self, options: Options) -> Json:
        """The options of the rules page; `practice`, which is none of them, only if it is on."""
        written = {
            "mode": options.mode.value,
            "played_in_pair": options.played_in_pair.value,
            "five_colours": options.five_colours.value,
            "race_limit_s": options.race_limit_s,
            "lag": options.lag.value,
        }
        in_practice = options.practice is Practice.ON
        return {**written, "practice": options.practice.value} if in_practice else written

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
            if _cards(fields, name) != dealt:
                raise RecordError(f"{name} in setup is not what the seed deals")
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
                    None if fields.get(name) is None else _card(fields[name])
                    for name in ("wanted", "given")
                )
                return Use(_card(field_in(fields, "challenge", "action")), wanted, given)
            case other:
                raise RecordError(f"there is no such action: {shown(other)}")

    def outcome_to_record(self, outcome: Outcome) -> Json:
        return {
            "scores": list(outcome.scores),
            "winners": list(outcome.winners),
            "decided_by": outcome.decided_by.value,
        }

    def describe(self, refusal: Refusal) -> str:
        """A refusal in English, cards by their names."""
        card = refusal.params.get("card")
        named = {"card": CARD_NAMES[card]} if isinstance(card, int) else {}
        return worded(refusal, _SENTENCES, named)


_SENTENCES: Final[dict[str, str]] = {
    RefusalCode.MATCH_OVER: "the match is over",
    RefusalCode.NOT_YOUR_TURN: "another seat is to choose",
    Refused.WRONG_PHASE: "this cannot be done in the phase {phase}",
    Refused.ELIMINATED: "the seat is out of the match",
    Refused.ALREADY_READY: "the seat is ready already",
    Refused.ALREADY_SHOT: "the seat has shot or clicked already",
    Refused.ALREADY_PASSED: "the seat has passed already",
    Refused.NO_CARD: "the seat has no card in its hand",
    Refused.OWN_CLICK: "the seat gave the clicked card up itself",
    Refused.ONLY_IN_PRACTICE: "this can be done in practice only",
    Refused.NO_OBJECT: "a pattern pairs an object with a colour or a suit",
    Refused.GAP_THERE: "there is a gap on place {place}",
    Refused.BARRED: "the card on place {place} may not be taken now",
    Refused.FILL_A_GAP: "there is a gap to fill, and place {place} is none",
    Refused.SAME_COLOUR_FIRST: "a card of the same colour goes first, and place {place} has none",
    Refused.NOT_YOUR_CHALLENGE: "{card} does not lie before the seat as a Challenge card",
    Refused.CANNOT_DO_THAT: "{card} cannot do that",
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


def _cards(fields: dict[str, Json], name: str) -> list[Json]:
    value = field_in(fields, name, "setup")
    if not isinstance(value, list):
        raise RecordError(f"{name} in setup is not a list")
    return value


def _seed(value: Json) -> bytes:
    # `fromhex` alone would read over blanks.
    if isinstance(value, str) and len(value) == 2 * SEED_BYTES and value.isalnum():
        try:
            return bytes.fromhex(value)
        except ValueError:
            pass
    raise RecordError("seed in setup is not 64 hexadecimal digits")


def _race_limit_s(fields: dict[str, Json]) -> int:
    name = "race_limit_s"
    value = integer_in(fields, name, "options") if name in fields else _DEFAULT.race_limit_s
    if value != 0 and not MIN_RACE_LIMIT_S <= value <= MAX_RACE_LIMIT_S:
        raise RecordError(f"option {name} is not {_RACE_LIMITS}: {shown(value)}")
    return value


def _card(value: Json) -> int:
    card = _CARD_OF.get(value) if isinstance(value, str) else None
    if card is None:
        raise RecordError(f"there is no such card: {shown(value)}")
    return card


def _place(fields: dict[str, Json]) -> int:
    place = integer_in(fields, "place", "action")
    if not 0 <= place < PLACES:
        raise RecordError(f"places are 0 to {PLACES - 1}, not {shown(place)}")
    return place


def _clicked(fields: dict[str, Json]) -> bool:
    value = fields.get("clicked", False)
    if type(value) is not bool:
        raise RecordError(f"clicked in action is not true or false: {shown(value)}")
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
        raise RecordError(f"a direction is before or after, not {shown(direction)}")
    return Pattern(Direction(direction), _feature(fields, "anchor"), _feature(fields, "partner"))


def _feature(fields: dict[str, Json], name: str) -> int:
    value = field_in(fields, name, "action")
    feature = _FEATURE_OF.get(value) if isinstance(value, str) else None
    if feature is None:
        raise RecordError(f"there is no such {name}: {shown(value)}")
    return feature
