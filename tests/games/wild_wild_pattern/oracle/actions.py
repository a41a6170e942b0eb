"""What a seat may do in a race, and doing it; actions are the record's own objects."""

from typing import Final

from tests.games.wild_wild_pattern.oracle.oracle import (
    COLOURS,
    OBJECTS,
    SUITS,
    Declared,
    is_declaration,
)
from tests.games.wild_wild_pattern.oracle.table import Match
from tests.oracle.judging import Json

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


def legal(match: Match, seat: int) -> list[Json]:
    """Everything that the seat may do now, each once."""
    return [action for action in [*_ANY, *match.uses(seat)] if may(match, seat, action)]


def may(match: Match, seat: int, action: Json) -> bool:
    """Whether the seat may do this now."""
    if match.phase == "ready":
        return action == {"do": "ready"} and seat in match.playing and seat not in match.ready
    if match.phase in ("race", "clicked"):
        return seat in match.able() and may_try(match, action)
    return match.phase != "over" and seat == match.acting and may_choose(match, seat, action)


def may_try(match: Match, action: Json) -> bool:
    match action["do"]:
        case "shoot":
            return action["clicked"] is (match.phase == "clicked")
        case "click":
            return match.phase == "race"
        case "pass":
            return match.phase == "clicked" or match.options["practice"] == "on"
    return False


def may_choose(match: Match, seat: int, action: Json) -> bool:
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


def act(match: Match, seat: int, action: Json, lags: list[int]) -> None:
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


def do_without(match: Match, seat: int) -> None:
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
