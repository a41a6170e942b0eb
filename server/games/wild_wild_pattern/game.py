"""Wild Wild Pattern as the server lists it: its rules as one value, and how records are written.

All later shuffles follow from the seed, so a setup with other cards than the seed deals is wrong.
"""

from operator import attrgetter
from typing import Final

from protocol.dealing import SEED_BYTES
from protocol.games.moves import Json, RecordError, field_in, list_in, object_in, quoted, wrong
from protocol.games.registry import GAMES
from protocol.games.wild_wild_pattern import (
    MAX_RACE_LIMIT_S,
    MIN_RACE_LIMIT_S,
    Action,
    Event,
    Options,
    Outcome,
    View,
)
from protocol.games.wild_wild_pattern.cards import CARD_NAMES, FEATURE_NAMES
from protocol.games.wild_wild_pattern.options import round_deal
from server.games.contract import Game, Rules
from server.games.notation import Notation
from server.games.wild_wild_pattern import race, rules, state, view
from server.games.wild_wild_pattern.bots import BOTS, REACTIONS, lets_people_try, plan
from server.games.wild_wild_pattern.state import State, setup

RULES: Final = Rules[State, Options, Action, Event, View, Outcome](
    GAMES["wild_wild_pattern"],
    rules_version=3,
    check_options=state.check_options,
    setup=setup,
    opening=state.opening,
    to_act=race.to_act,
    legal_actions=rules.legal_actions,
    refuse=rules.refuse,
    apply=rules.apply,
    copy=state.copy,
    public=view.public,
    own=view.own,
    determinize=view.determinize,
    outcome=attrgetter("result"),
    refuses_stale=False,
    races=True,
    deadline=rules.deadline,
    tick=rules.tick,
    delays=attrgetter("hold"),
)

# Records -----------------------------------------------------------------------------------------

_RACE_LIMITS: Final = f"0 or {MIN_RACE_LIMIT_S} to {MAX_RACE_LIMIT_S}"


def _allowed(option: str, seats: int) -> str:
    match option:
        case "mode":
            return "saloon (Vivo o Morto! is for two seats or more)"
        case "practice" if seats == 1:
            return "on (one seat alone is always in practice)"
        case "practice":
            return "off (practice is for one seat or two)"
        case _:
            return _RACE_LIMITS


def _setup_to_record(state: State) -> Json:
    """The seed, and what it deals for the first round."""
    return {"seed": state.seed.hex(), **_first_round(state.seed, state.seats)}


def _setup_from_record(value: Json, options: Options, seats: int) -> State:
    """A fresh state of the seed; the cards that are listed must be those it deals."""
    fields = object_in(value, "setup")
    seed = _seed(field_in(fields, "seed", "setup"))
    for name, dealt in _first_round(seed, seats).items():
        _check_dealt(list_in(fields, name, "setup"), dealt, f"{name} in setup")
    return setup(options, seats, seed)


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


NOTATION: Final = Notation(
    RULES.words,
    rules=("mode", "played_in_pair", "five_colours", "race_limit_s", "lag"),
    unusual=("practice", "choice_limit"),
    values={"race_limit_s": ((0, *range(MIN_RACE_LIMIT_S, MAX_RACE_LIMIT_S + 1)), _RACE_LIMITS)},
    allowed=_allowed,
    setup_to_record=_setup_to_record,
    setup_from_record=_setup_from_record,
    names={"card": CARD_NAMES.__getitem__},
)

GAME: Final = Game(
    RULES,
    NOTATION,
    BOTS,
    reactions=REACTIONS,
    patience=lets_people_try,
    fair_hints=attrgetter("practises"),
    chances=view.chances,
    plan=plan,
)
