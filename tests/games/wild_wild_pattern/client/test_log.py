"""Every event of real matches becomes a line of the log."""

from typing import get_args

import pytest
from msgspec.structs import replace

from clocktowers_tui.games.wild_wild_pattern.log import phrase
from protocol.games.wild_wild_pattern import (
    Aimed,
    Banked,
    Clicked,
    Declared,
    Drew,
    Event,
    Filled,
    Found,
    Idled,
    Options,
    Passed,
    Replaced,
    Reshuffled,
    RoundBegan,
    Seen,
    Shot,
    TurnBegan,
    Used,
    WasLaid,
    WasReady,
    WentOut,
    Won,
)
from protocol.games.wild_wild_pattern.cards import Challenge
from protocol.games.wild_wild_pattern.pattern import Direction, Fault, Pattern
from protocol.ids import Seat
from tests.games.wild_wild_pattern.boards import (
    BANKED,
    NAMES,
    TARGETS,
    WHEEL,
    cards,
    visits,
)
from tests.games.wild_wild_pattern.matches import Match

STAR, LOOT = cards("SRC LYB")
PATTERN = Pattern(Direction.BEFORE, 2, 12)
SAID = "before every star comes a white card"
JUDGED = cards("PAB SYC LAC BYB BWC KRC DAC SGC")
"""With two bottles, two stars and one barrel."""

LINES = [
    (RoundBegan(2, TARGETS, WHEEL, 30, b"", Options()), "Round 2: new cards"),
    (TurnBegan(3, 20), "Turn 3"),
    (
        Found(1, Challenge.HANDS_UP),
        "Björn keeps a Challenge card: Hands up! (an opponent's card with a coin leaves the game)",
    ),
    (Replaced(1), "Björn draws another card"),
    (Replaced(1, empty=True), "The deck has no other card for Björn"),
    (Shot(1, 2, STAR, LOOT), "Björn covers 3, yellow loot (bullets), with red star (coin)"),
    (Clicked(1, STAR), "Click! Björn gives up red star (coin)"),
    (Passed(1), "Björn passes"),
    (Idled(1), "Nobody shot: nobody wins this turn"),
    (Declared(1, PATTERN, 2), f"Björn declares: {SAID}. HIT! 2 pairs"),
    (Declared(1, PATTERN, 4), f"Björn declares: {SAID}. HIT! 4 pairs"),
    (
        Declared(1, Pattern(Direction.AFTER, 2, 9), 2, wheel=JUDGED),
        "Björn declares: after every star comes an azure card. HIT! 2 pairs: 2-3 and 8-1",
    ),
    (
        Declared(1, Pattern(Direction.BEFORE, 2, 9), 2, wheel=JUDGED),
        "Björn declares: before every star comes an azure card. HIT! 2 pairs: 1-2 and 7-8",
    ),
    (Declared(1, PATTERN, 0), f"Björn declares: {SAID}. That is wrong"),
    (
        Declared(1, PATTERN, 0, fault=Fault.UNTRUE, wheel=JUDGED),
        f"Björn declares: {SAID}. Wrong: before 2 (yellow star) comes 1 (azure pistol), not white",
    ),
    (
        Declared(1, Pattern(Direction.AFTER, 3, 9), 0, fault=Fault.UNTRUE, wheel=JUDGED),
        "Björn declares: after every bottle comes an azure card. "
        "Wrong: after 4 (yellow bottle) comes 5 (white bottle), not azure",
    ),
    (
        Declared(1, Pattern(Direction.AFTER, 3, 14), 0, fault=Fault.UNTRUE, wheel=JUDGED),
        "Björn declares: after every bottle comes a card with bullets. "
        "Wrong: after 4 (yellow bottle, bullets) comes 5 (white bottle, coin), "
        "not bullets",
    ),
    (
        Declared(1, Pattern(Direction.AFTER, 6, 9), 0, fault=Fault.UNTRUE, wheel=JUDGED),
        "Björn declares: after every barrel comes an azure card. "
        "Wrong: a pattern takes two, and there is only one (barrel)",
    ),
    (
        Declared(1, Pattern(Direction.AFTER, 7, 9), 0, fault=Fault.UNTRUE, wheel=JUDGED),
        "Björn declares: after every wanted comes an azure card. "
        "Wrong: there is none on the Wheel (wanted)",
    ),
    (
        Declared(1, PATTERN, 0, fault=Fault.OLD, wheel=JUDGED),
        f"Björn declares: {SAID}. Wrong: not new, the pattern was there before the shot",
    ),
    (
        Declared(1, PATTERN, 0, fault=Fault.APART, wheel=JUDGED),
        f"Björn declares: {SAID}. Wrong: the card just shot must be in a pair, and is in none",
    ),
    (Declared(1, PATTERN, 4, wild=True), f"Björn declares: {SAID}. A Wild Wild Pattern!"),
    (Declared(1, None, 0), "Björn declares nothing: that counts as wrong"),
    (Declared(1, None, 0, late=True), "Björn ran out of time: that counts as wrong"),
    (Won(1, STAR), "Björn wins red star (coin)"),
    (WentOut(Challenge.TRADE), "The Challenge card Trade a card leaves the game"),
    (WentOut(STAR), "Red star (coin) leaves the game"),
    (Used(1, Challenge.FIFTY_CENTS, cents=50), "Björn plays 50 cents: $0.50"),
    (Used(1, Challenge.ONE_CARD, STAR), "Björn plays Take a card: red star (coin)"),
    (
        Used(1, Challenge.HANDS_UP, STAR, victim=2),
        "Björn plays Hands up! Chiara loses red star (coin)",
    ),
    (
        Used(1, Challenge.TRADE, STAR, LOOT, 2),
        "Björn plays Trade a card: red star (coin) of Chiara for yellow loot (bullets)",
    ),
    (WasLaid(1, 2, STAR, 0), "Björn did not shoot: red star (coin) goes to 3"),
    (Filled(2, STAR), "From the deck into place 3: red star (coin)"),
    (Reshuffled(WHEEL, 30, b""), "The deck is shuffled, and a new Wheel is laid"),
    (
        Banked(visits(BANKED[:2], out=1)),
        "The Bank pays: Ann $1.30, Björn $0.10. Björn is out",
    ),
]


SHOWN = (WasReady(1), Seen(), Drew(STAR), Aimed(2))
"""What the board shows while it matters."""


@pytest.mark.parametrize(("event", "line"), [*LINES, *((event, "") for event in SHOWN)])
def test_events_in_words(event: Event, line: str) -> None:
    assert phrase(event, NAMES, Seat(0)) == line
    assert phrase(event, NAMES, None) == line


@pytest.mark.parametrize("event", [event for event, _ in LINES if hasattr(event, "seat")])
def test_ones_own_seat_is_you(event: Event) -> None:
    told = phrase(event, NAMES, Seat(1))
    assert "Björn" not in told and "ou" in told


def test_who_is_out_is_told_so() -> None:
    banked = Banked(visits(BANKED[:2], out=1))
    assert phrase(banked, NAMES, Seat(1)).endswith("Björn $0.10. You are out")
    both = tuple(replace(visit, eliminated=True) for visit in banked.visits)
    said = phrase(Banked(both), NAMES, Seat(1))
    assert said.endswith("Björn $0.10. Ann is out. You are out")


def test_no_event_is_without_an_example() -> None:
    told = {type(event) for event, _ in LINES}
    assert told | {type(event) for event in SHOWN} == set(get_args(Event))


def test_nothing_of_a_match_goes_untold() -> None:
    match = Match(4, seed=5)
    while not match.over():
        match.step()
    events = [event for event in match.events if not isinstance(event, tuple(map(type, SHOWN)))]
    told = [phrase(event, NAMES, Seat(0)) for event in events]
    assert all(told) and all("{" not in line for line in told)
