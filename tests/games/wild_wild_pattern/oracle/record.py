"""What the second reading says of a whole record of a race, and how its match ends; what a
seat may do, and doing it. Actions are the record's own objects."""

from typing import Final

from tests.games.wild_wild_pattern.oracle.cards import (
    COLOURS,
    OBJECTS,
    PACK,
    SUITS,
    TARGETS,
    Declared,
    is_declaration,
    laid_out,
)
from tests.games.wild_wild_pattern.oracle.table import DEFAULTS, OracleRace, run_out, run_to
from tests.oracle.judging import (
    Json,
    check_legal,
    check_seats,
    is_hash,
    is_int,
    need,
    numbers,
    proven_seed,
    same,
    shuffled,
)

OPTIONS: Final[dict[str, list[Json]]] = {
    "mode": ["saloon", "vivo"],
    "played_in_pair": ["required", "free"],
    "five_colours": ["win", "pay"],
    "race_limit_s": [0, *range(30, 301)],
    "lag": ["on", "off"],
    "practice": ["off", "on"],
    "choice_limit": ["on", "off"],
}


def outcome_of(record: Json) -> Json:
    """How the match ends; None: it is not over. Raises Wrong."""
    match = check_setup(record)
    check_plies(record, match)
    run_out(match)
    return match.result


def check_setup(record: Json) -> OracleRace:
    seats, setup, options = record["seats"], record["setup"], record.get("options", {})
    check_seats(seats, (1, 2, 3, 4))
    for name, values in OPTIONS.items():
        given = options.get(name, DEFAULTS[name])
        need(any(same(given, value) for value in values), "setup", f"option {name}")
    practising = options.get("practice") == "on"
    need(len(seats) in ((1, 2) if practising else (2, 3, 4)), "setup", "practice")
    need(len(seats) > 1 or options.get("mode") != "vivo", "setup", "mode")
    need(is_hash(setup.get("seed")), "setup", "seed")
    seed = bytes.fromhex(setup["seed"])
    for name, cards in dealt(seed, len(seats)).items():
        need(same(setup.get(name), cards), "setup", name)
    if "proof" in record:
        need(proven_seed(record["proof"]) == seed, "setup", "the proof is of another deal")
    known = {name: value for name, value in options.items() if name in OPTIONS}
    return OracleRace(known, len(seats), seed)


def dealt(seed: bytes, seats: int) -> dict[str, list[str]]:
    stream = numbers(seed)
    targets = shuffled(TARGETS, stream)
    wheel, deck, gone = laid_out(shuffled(PACK, stream))
    return {"targets": targets[:seats], "wheel": wheel, "deck": deck, "gone": gone}


def check_plies(record: Json, match: OracleRace) -> None:
    for number, ply in enumerate(record["plies"]):
        where = f"ply {number}"
        need(isinstance(ply, dict), where, "not an object")
        time, lags = ply.get("at_ms", match.now), ply.get("lags_ms", [])
        need(is_int(time) and time >= match.now, where, "when")
        need(isinstance(lags, list) and len(lags) in (0, len(match.all)), where, "lags")
        need(all(is_int(lag) and lag >= 0 for lag in lags), where, "lags")
        run_to(match, time)
        seat, action = ply.get("seat"), understood(ply.get("action"))
        need(is_int(seat) and seat in match.all and action is not None, where, "who does what")
        if "legal" in ply:
            check_legal(ply["legal"], legal(match, seat), where, understood)
        need(may(match, seat, action), where, "not now")
        act(match, seat, action, lags or [0 for _ in match.all])


def understood(action: Json) -> Json:
    """The parts of an action that mean something, or None when it is none."""
    match action:
        case {"do": "ready" | "click" | "pass" as do}:
            return {"do": do}
        case {"do": "shoot", "place": place}:
            clicked = action.get("clicked", False)
            known = is_int(place) and place in range(8) and isinstance(clicked, bool)
            return {"do": "shoot", "place": place, "clicked": clicked} if known else None
        case {"do": "take" | "lay" as do, "place": place}:
            return {"do": do, "place": place} if is_int(place) and place in range(8) else None
        case {
            "do": "declare",
            "direction": "before" | "after" as direction,
            "anchor": str(anchor),
            "partner": str(partner),
        } if anchor in FEATURES and partner in FEATURES:
            return {"do": "declare", "direction": direction, "anchor": anchor, "partner": partner}
        case {"do": "use"}:
            cards = {name: action.get(name) for name in ("challenge", "wanted", "given")}
            named = {name: card for name, card in cards.items() if card is not None}
            known = all(isinstance(card, str) and card in PACK for card in named.values())
            return {"do": "use", **named} if known and "challenge" in named else None
    return None


# What a seat may do -------------------------------------------------------------------------------

FEATURES: Final = [*OBJECTS, *COLOURS, *SUITS]
_ANY: Final[list[Json]] = [
    *({"do": do} for do in ("ready", "click", "pass")),
    *(
        {"do": "shoot", "place": n, "clicked": clicked}
        for n in range(8)
        for clicked in (False, True)
    ),
    *({"do": do, "place": n} for n in range(8) for do in ("take", "lay")),
    *(
        {"do": "declare", "direction": direction, "anchor": anchor, "partner": partner}
        for direction in ("before", "after")
        for anchor in FEATURES
        for partner in FEATURES
    ),
]
"""Whatever can be done, but for the uses of Challenge cards."""


def legal(match: OracleRace, seat: int) -> list[Json]:
    """Everything that the seat may do now, each once."""
    return [action for action in [*_ANY, *match.uses(seat)] if may(match, seat, action)]


def may(match: OracleRace, seat: int, action: Json) -> bool:
    """Whether the seat may do this now."""
    if match.phase == "ready":
        return action == {"do": "ready"} and seat in match.playing and seat not in match.ready
    if match.phase in ("race", "clicked"):
        return seat in match.able() and may_try(match, action)
    return match.phase != "over" and seat == match.acting and may_choose(match, seat, action)


def may_try(match: OracleRace, action: Json) -> bool:
    match action["do"]:
        case "shoot":
            return action["clicked"] is (match.phase == "clicked")
        case "click":
            return match.phase == "race"
        case "pass":
            return match.phase == "clicked" or match.options["practice"] == "on"
    return False


def may_choose(match: OracleRace, seat: int, action: Json) -> bool:
    match match.phase, action["do"]:
        case ("declare", "declare"):
            return is_declaration(declared_in(action))
        case ("declare" | "challenge", "pass"):
            return True
        case ("take", "take"):
            return action["place"] in match.places_to_take()
        case ("challenge", "use"):
            return action in match.uses(seat)
        case ("lay", "lay"):
            return action["place"] in match.places_to_lay(match.hand[seat])
    return False


def act(match: OracleRace, seat: int, action: Json, lags: list[int]) -> None:
    """Do what may be done; `lags` are those that the network was measured to have."""
    match.measured = lags
    match action["do"]:
        case "ready":
            match.ready.add(seat)
            if len(match.ready) == len(match.playing):
                match.see()
        case "shoot":
            match.shoot(seat, action["place"])
        case "click":
            match.shoot(seat, None)
        case "declare":
            match.declare(declared_in(action))
        case "take":
            match.take(action["place"])
        case "use":
            match.use_challenge(action)
        case "lay":
            match.lay(action["place"])
        case "pass":
            do_without(match, seat)


def do_without(match: OracleRace, seat: int) -> None:
    if match.phase == "declare":
        match.declare(None)
    elif match.phase == "challenge":
        match.after_the_challenge()
    else:
        match.passed.add(seat)
        match.has_anybody_tried()
        match.is_anybody_left()


def declared_in(action: Json) -> Declared:
    return action["direction"], action["anchor"], action["partner"]
