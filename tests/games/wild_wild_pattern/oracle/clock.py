"""What the clock does in a race by itself, each thing at its own moment.

What it does at a moment comes before what somebody does at it. Of several things it decides who was
first before it gives new cards, and ends a phase last.
"""

from tests.games.wild_wild_pattern.oracle.table import Match


def due(match: Match) -> int | None:
    """When the clock does the next thing."""
    times = list(match.waiting.values())
    if match.phase in ("race", "clicked"):
        times += match.decided_at()
    elif match.until is not None:
        times.append(match.until)
    return min(times, default=None)


def run_to(match: Match, time: int) -> None:
    while (then := due(match)) is not None and then <= time:
        match.now = then
        strike(match)
    match.now = time


def run_out(match: Match) -> None:
    """Everything that the clock does when nobody acts any more."""
    while (then := due(match)) is not None:
        match.now = then
        strike(match)


def strike(match: Match) -> None:
    racing = match.phase in ("race", "clicked")
    if racing and match.in_time() and match.now in match.decided_at():
        match.decide()
    elif match.now in match.waiting.values():
        match.replace()
    else:
        time_is_up(match)


def time_is_up(match: Match) -> None:
    match match.phase:
        case "ready":
            match.see()
        case "race":
            match.nobody_shot()
        case "clicked":
            match.nobody_tried()
        case "declare":
            match.declare(None)
        case "take":
            match.take(match.prize())
        case "challenge":
            match.after_the_challenge()
        case "lay":
            match.lay(min(match.places_to_lay(match.hand[match.acting])))
