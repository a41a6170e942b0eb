"""Ways to spoil a record of Wild Wild Pattern: its seed, times, lags, cards and patterns."""

from random import Random
from typing import Final

from tests.games.wild_wild_pattern.oracle.actions import FEATURES
from tests.games.wild_wild_pattern.oracle.oracle import CHALLENGES, SUIT
from tests.oracle.judging import Json
from tests.oracle.mutations import ODD, Mutation

PLACES: Final = [*range(8), -1, 8, True, 1.0, "3", None]
SETTINGS: Final[dict[str, list[Json]]] = {
    "mode": ["saloon", "vivo", "duel"],
    "played_in_pair": ["required", "free", None],
    "five_colours": ["win", "pay", 1],
    "race_limit_s": [0, 29, 30, 60, 300, 301, True, "60", 60.0],
    "lag": ["on", "off", True],
    "practice": ["on", "off", ""],
    "choice_limit": ["on", "off", 1],
}
NAMES: Final = [*SUIT, *CHALLENGES, "pistol", "", None, 0]


def some(record: Json, rng: Random, *dos: str) -> Json:
    """An action of one of these sorts, or any if there is none."""
    actions = [ply["action"] for ply in record["plies"]]
    return rng.choice([action for action in actions if action["do"] in dos] or actions)


def other_place(record: Json, rng: Random) -> None:
    some(record, rng, "shoot", "take", "lay")["place"] = rng.choice(PLACES)


def other_lay(record: Json, rng: Random) -> None:
    some(record, rng, "lay")["place"] = rng.randrange(8)


def other_take(record: Json, rng: Random) -> None:
    some(record, rng, "take")["place"] = rng.randrange(8)


def other_pattern(record: Json, rng: Random) -> None:
    some(record, rng, "declare")[rng.choice(["anchor", "partner"])] = rng.choice(FEATURES)


def other_direction(record: Json, rng: Random) -> None:
    some(record, rng, "declare")["direction"] = rng.choice(["before", "after", "beside", None, 1])


def turn_pattern_round(record: Json, rng: Random) -> None:
    action = some(record, rng, "declare")
    action["anchor"], action["partner"] = action.get("partner"), action.get("anchor")


def other_card_in_use(record: Json, rng: Random) -> None:
    name = rng.choice(["challenge", "wanted", "given"])
    some(record, rng, "use")[name] = rng.choice(NAMES)


def other_do(record: Json, rng: Random) -> None:
    dos = ["ready", "shoot", "click", "declare", "take", "use", "lay", "pass", "draw", None]
    rng.choice(record["plies"])["action"]["do"] = rng.choice(dos)


def shoot_instead(record: Json, rng: Random) -> None:
    some(record, rng, "click", "pass")["do"] = "shoot"


def other_hand(record: Json, rng: Random) -> None:
    """With the clicked card or the own one."""
    shot = some(record, rng, "shoot")
    shot["clicked"] = rng.choice([not shot.get("clicked", False), True, False, 1, None])


def other_time(record: Json, rng: Random) -> None:
    ply = rng.choice(record["plies"])
    ply["at_ms"] += rng.choice([-100, -10, -1, 1, 10, 100, 1000, 20_000])


def odd_time(record: Json, rng: Random) -> None:
    rng.choice(record["plies"])["at_ms"] = rng.choice(ODD)


def no_time(record: Json, rng: Random) -> None:
    for ply in rng.sample(record["plies"], rng.randrange(1, len(record["plies"]))):
        ply.pop("at_ms", None)


def all_later(record: Json, rng: Random) -> None:
    """From some ply on; what was about to be decided is decided meanwhile."""
    more = rng.choice([1, 30, 150, 1000, 15_000, 60_000])
    for ply in record["plies"][rng.randrange(len(record["plies"])) :]:
        ply["at_ms"] += more


def other_lag(record: Json, rng: Random) -> None:
    lags = rng.choice(record["plies"]).get("lags_ms")
    if lags:
        lags[rng.randrange(len(lags))] = rng.choice([0, 10, 70, 150, 151, 1000, -1, True, 2.0])


def other_lags(record: Json, rng: Random) -> None:
    """All through the match: another seat's shot may be the earlier one."""
    seat = rng.randrange(len(record["seats"]))
    lag = rng.choice([0, 5, 40, 150, 400])
    for ply in record["plies"]:
        if "lags_ms" in ply:
            ply["lags_ms"][seat] = lag


def no_lags(record: Json, rng: Random) -> None:
    for ply in rng.sample(record["plies"], rng.randrange(1, len(record["plies"]))):
        ply.pop("lags_ms", None)


def more_or_fewer_lags(record: Json, rng: Random) -> None:
    lags = rng.choice(record["plies"]).get("lags_ms", [0])
    rng.choice([lags.clear, lags.pop, lambda: lags.append(0)])()


def other_seed(record: Json, rng: Random) -> None:
    seed = record["setup"]["seed"]
    record["setup"]["seed"] = rng.choice([seed[::-1], seed.upper(), seed[1:], "x" * 64, None, 7])


def other_cards(record: Json, rng: Random) -> None:
    """In the setup; the seed would deal others."""
    cards = record["setup"][rng.choice(["targets", "wheel", "deck"])]
    cards[rng.randrange(len(cards))] = rng.choice([*NAMES, *FEATURES])


def fewer_cards(record: Json, rng: Random) -> None:
    record["setup"][rng.choice(["targets", "wheel", "deck"])].pop()


def other_setting(record: Json, rng: Random) -> None:
    name, values = rng.choice(list(SETTINGS.items()))
    record["options"][name] = rng.choice(values)


def drop_setting(record: Json, rng: Random) -> None:
    record["options"].pop(rng.choice(list(record["options"])), None)


def other_reason(record: Json, rng: Random) -> None:
    reasons = ["wild-pattern", "wild", "money", "rounds", "last", "level", "points"]
    record["outcome"]["decided_by"] = rng.choice(reasons)


MUTATIONS: Final[list[Mutation]] = [
    other_place,
    other_lay,
    other_take,
    other_pattern,
    other_direction,
    turn_pattern_round,
    other_card_in_use,
    other_do,
    shoot_instead,
    other_hand,
    other_time,
    odd_time,
    no_time,
    all_later,
    other_lag,
    other_lags,
    no_lags,
    more_or_fewer_lags,
    other_seed,
    other_cards,
    fewer_cards,
    other_setting,
    drop_setting,
    other_reason,
]
