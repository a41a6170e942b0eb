"""What the second reading says of a whole record of a race, and where it first goes wrong."""

from collections import Counter
from hashlib import sha256
from typing import Final

from tests.games.wild_wild_pattern.oracle.actions import FEATURES, act, legal, may
from tests.games.wild_wild_pattern.oracle.cards import PACK, laid_out
from tests.games.wild_wild_pattern.oracle.clock import run_out, run_to
from tests.games.wild_wild_pattern.oracle.oracle import TARGETS
from tests.games.wild_wild_pattern.oracle.table import DEFAULTS, Match
from tests.oracle.judging import Json, Wrong, is_int, need, numbers, same, shuffled, written

OPTIONS: Final[dict[str, list[Json]]] = {
    "mode": ["saloon", "vivo"],
    "played_in_pair": ["required", "free"],
    "five_colours": ["win", "pay"],
    "race_limit_s": [0, *range(30, 301)],
    "lag": ["on", "off"],
    "practice": ["off", "on"],
    "choice_limit": ["on", "off"],
}
HEX: Final = set("0123456789abcdefABCDEF")


def first_fault(record: Json) -> str | None:
    """`setup`, `ply K`, `outcome`, or None for a good record."""
    try:
        match = check_setup(record)
        check_plies(record, match)
        run_out(match)
        need(match.result is not None, "outcome", "not over")
        for name, value in match.result.items():
            need(same(value, record["outcome"].get(name)), "outcome", name)
    except Wrong as wrong:
        return wrong.where
    return None


def is_seed(value: Json) -> bool:
    return isinstance(value, str) and len(value) == 64 and HEX.issuperset(value)


def check_setup(record: Json) -> Match:
    seats, setup, options = record["seats"], record["setup"], record.get("options", {})
    need(len(seats) in (1, 2, 3, 4), "setup", "how many seats")
    for seat in seats:
        need(isinstance(seat, dict) and isinstance(seat.get("name"), str), "setup", "a seat")
        need(seat.get("kind") in ("human", "bot"), "setup", "a seat")
    for name, values in OPTIONS.items():
        given = options.get(name, DEFAULTS[name])
        need(any(same(given, value) for value in values), "setup", f"option {name}")
    practising = options.get("practice") == "on"
    need(len(seats) in ((1, 2) if practising else (2, 3, 4)), "setup", "practice")
    need(len(seats) > 1 or options.get("mode") != "vivo", "setup", "mode")
    need(is_seed(setup.get("seed")), "setup", "seed")
    seed = bytes.fromhex(setup["seed"])
    for name, cards in dealt(seed, len(seats)).items():
        need(same(setup.get(name), cards), "setup", name)
    if "proof" in record:
        check_proof(record["proof"], seed)
    known = {name: value for name, value in options.items() if name in OPTIONS}
    return Match(known, len(seats), seed)


def dealt(seed: bytes, seats: int) -> dict[str, list[str]]:
    stream = numbers(seed)
    targets = shuffled(TARGETS, stream)
    wheel, deck, gone = laid_out(shuffled(PACK, stream))
    return {"targets": targets[:seats], "wheel": wheel, "deck": deck, "gone": gone}


def check_proof(proof: Json, seed: bytes) -> None:
    need(isinstance(proof, dict), "setup", "proof")
    need(is_seed(proof.get("seed")) and is_seed(proof.get("sha256")), "setup", "proof")
    shown = bytes.fromhex(proof["seed"])
    need(sha256(shown).hexdigest() == proof["sha256"].lower(), "setup", "proof")
    need(shown == seed, "setup", "the proof is of another deal")


def check_plies(record: Json, match: Match) -> None:
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
            check_legal(ply["legal"], legal(match, seat), where)
        need(may(match, seat, action), where, "not now")
        act(match, seat, action, lags or [0 for _ in match.all])


def check_legal(given: Json, expected: list[Json], where: str) -> None:
    """The same actions in any order, each once."""
    need(isinstance(given, list), where, "legal")
    listed = Counter(written(understood(action)) for action in given)
    need(listed == Counter(map(written, expected)), where, "legal")


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
