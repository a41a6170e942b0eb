"""What a declaration brings, on Wheels made by hand (rules: Pattern; A turn, 3).

The suits: of pistols, stars, horseshoes and barrels the red, yellow and grey ones are coins; of
the other objects the azure and white ones.
"""

import pytest
from msgspec.structs import replace

from protocol.games.wild_wild_pattern import (
    CHOICE_MS,
    ChoiceLimit,
    DecidedBy,
    Declare,
    Declared,
    Options,
    Pass,
    Phase,
    PlayedInPair,
    Shoot,
    Take,
    WentOut,
    Won,
)
from protocol.games.wild_wild_pattern.cards import Object
from protocol.games.wild_wild_pattern.pattern import PATTERNS, Fault, pairs
from server.games.wild_wild_pattern.rules import deadline
from server.games.wild_wild_pattern.scoring import outcome
from server.games.wild_wild_pattern.state import State
from server.games.wild_wild_pattern.view import view
from tests.games.wild_wild_pattern.positions import (
    QUIET,
    card,
    cards,
    do,
    every_card,
    next_tick,
    pattern,
    racing,
    said,
    take,
    wait_until,
    why_not,
)

FREE = Options(played_in_pair=PlayedInPair.FREE)


def declared(
    played: str, wheel: str, place: int, text: str, options: Options | None = None, seats: int = 2
) -> tuple[State, Declared]:
    """The state after seat 0 has shot this card at this place and declared this."""
    hands = f"{played} dynamite-yellow dynamite-azure dynamite-grey"
    state = racing(hands, wheel, options=options, seats=seats)
    before = every_card(state)
    do(state, 0, Shoot(place))
    told = do(state, 0, Declare(pattern(text)))
    assert every_card(state) == before
    [event] = said(told, Declared)
    assert isinstance(event, Declared)
    return state, event


def failed(state: State) -> bool:
    """The played card has left the game, the covered one is back, the other takes a card."""
    return (state.winner, state.takes, len(state.out)) == (None, ((1, 1),), 1)


# The four examples of the sheet ------------------------------------------------------------------


def test_object_and_suit_once_wins_the_covered_card() -> None:
    """Archibald: a yellow star, before every star a coin."""
    wheel = QUIET.replace("star-yellow", "star-red")
    state, event = declared("star-yellow", wheel, 1, "before star coin")
    assert (event.anchors, event.wild) == (2, False)
    assert (state.winner, state.won[0]) == (0, cards("loot-azure"))
    assert state.wheel[1] == card("star-yellow")
    assert (state.phase, state.acting) == (Phase.LAY, 1)


def test_object_and_suit_twice_wins_the_covered_and_the_played_card() -> None:
    """Martha Jane's white star is bullets, and here it is the yellow one: a star that adds itself
    to two makes nothing new, unless it is the coin before one of them."""
    wheel = (
        "pistol-red bottle-red star-red bottle-grey horseshoe-red star-grey barrel-azure loot-grey"
    )
    state, event = declared("star-yellow", wheel, 1, "before star coin")
    assert event.anchors == 3
    assert state.won[0] == cards("bottle-red star-yellow")
    assert state.wheel[1] == 0
    assert state.out == b""


def test_object_and_colour_once_wins_any_one_but_the_played_card() -> None:
    """Phineas: an azure pistol, before every loot an azure card. The covered card is lost."""
    wheel = "bottle-red loot-red wanted-azure loot-grey star-red barrel-red dynamite-red star-grey"
    state, event = declared("pistol-azure", wheel, 0, "before loot azure")
    assert event.anchors == 2
    assert (state.acting, state.takes, state.barred) == (0, ((0, 1),), 0)
    assert state.out == cards("bottle-red")
    assert why_not(state, 0, Take(0)) is not None
    do(state, 0, Take(3))
    assert state.won[0] == cards("loot-grey")
    assert (state.phase, state.barred) == (Phase.LAY, None)


def test_object_and_colour_twice_wins_any_two_the_played_one_allowed() -> None:
    """Dakota: a yellow loot, after every azure card a loot."""
    wheel = "star-azure bottle-red pistol-azure loot-red barrel-azure loot-grey star-red star-grey"
    state, event = declared("loot-yellow", wheel, 1, "after azure loot")
    assert (event.anchors, event.wild) == (3, False)
    assert (state.takes, state.barred) == (((0, 2),), None)
    do(state, 0, Take(1))
    assert (state.phase, state.takes) == (Phase.TAKE, ((0, 1),))
    do(state, 0, Take(7))
    assert state.won[0] == cards("loot-yellow star-grey")
    assert state.out == cards("bottle-red")


def test_all_eight_cards_win_the_match_at_once() -> None:
    """As on the sheet: after every azure card a loot, four times; the money does not count."""
    wheel = "star-azure bottle-red pistol-azure loot-red barrel-azure loot-grey "
    state = racing("loot-yellow trade", wheel + "horseshoe-azure loot-white")
    state.money = [0, 900]
    do(state, 0, Shoot(1))
    told = do(state, 0, Declare(pattern("after azure loot")), 200)
    after = cards(wheel.replace("bottle-red", "loot-yellow") + "horseshoe-azure loot-white")
    right = Declared(0, pattern("after azure loot"), 4, wild=True, wheel=after, place=1)
    assert said(told) == [replace(right, covered=card("bottle-red"))]
    result = outcome(state)
    assert result is not None
    assert (result.winners, result.decided_by) == ((0,), DecidedBy.WILD_PATTERN)
    assert deadline(state) is None, "a card that was on its way comes no more"


def test_four_times_is_not_all_eight() -> None:
    """A card may be in two pairs."""
    wheel = "pistol-red star-red bottle-red star-grey star-azure wanted-red loot-red dynamite-red"
    state, event = declared("star-yellow", wheel, 2, "before star coin")
    assert (event.anchors, event.wild) == (4, False)
    assert state.won[0] == cards("bottle-red star-yellow")


# What does not count -----------------------------------------------------------------------------


def test_a_pattern_that_was_there_already_is_wrong() -> None:
    wheel = (
        "pistol-azure loot-red wanted-azure loot-grey star-red barrel-red dynamite-red star-grey"
    )
    assert pairs(cards(wheel), pattern("before loot azure")).anchors == (1, 3)
    state, event = declared("horseshoe-azure", wheel, 0, "before loot azure")
    assert (event.anchors, event.fault) == (0, Fault.OLD)
    assert failed(state)


@pytest.mark.parametrize(("options", "counts"), [(Options(), False), (FREE, True)])
def test_the_played_card_has_to_be_in_a_pair(options: Options, counts: bool) -> None:
    """A red star covers the third loot, which had no azure card before it."""
    wheel = (
        "pistol-azure loot-red wanted-azure loot-grey barrel-red loot-yellow star-grey bottle-red"
    )
    state, event = declared("star-red", wheel, 5, "before loot azure", options)
    assert (event.anchors, event.fault) == ((2, None) if counts else (0, Fault.APART))
    assert failed(state) != counts


@pytest.mark.parametrize("text", ["before star coin", "after wanted red", "before barrel grey"])
def test_a_wrong_declaration_gives_each_of_the_others_a_card(text: str) -> None:
    """From the offender's right on, counter-clockwise; the covered card is there to be taken."""
    state, event = declared("pistol-grey", QUIET, 4, text, seats=4)
    assert (event.anchors, event.fault) == (0, Fault.UNTRUE)
    assert state.takes == ((3, 1), (2, 1), (1, 1))
    assert state.out == cards("pistol-grey")
    assert (state.wheel, state.winner) == (cards(QUIET), None)
    take(state, 4, 0, 7)
    assert state.won == [b"", cards("wanted-yellow"), cards("pistol-red"), cards("horseshoe-white")]
    assert (state.phase, state.layers) == (Phase.LAY, (3, 2, 1))


def test_from_the_right_of_another_seat() -> None:
    state = racing(seats=4)
    do(state, 1, Shoot(4))
    do(state, 1, Pass())
    assert [seat for seat, _ in state.takes] == [0, 3, 2]


def test_no_declaration_in_fifteen_seconds_is_a_wrong_one() -> None:
    state = racing()
    do(state, 0, Shoot(4), 2_000)
    judged, covered = state.wheel, state.covered
    assert deadline(state) == 17_000
    late = Declared(0, None, 0, late=True, wheel=judged, place=4, covered=covered)
    assert said(next_tick(state), (Declared, WentOut)) == [late, WentOut(card("star-red"))]
    assert failed(state)


def test_the_declaration_is_seen_until_the_next_race_begins() -> None:
    state = racing()
    do(state, 0, Shoot(4), 2_000)
    told = do(state, 0, Pass(), 3_000)
    declared = view(state, 1).declared
    assert declared is not None and [declared] == said(told, Declared) and not declared.late
    while state.phase is not Phase.READY:
        next_tick(state)
    assert view(state, None).declared == declared
    next_tick(state)
    assert (state.phase, view(state, None).declared) == (Phase.RACE, None)


def test_who_does_not_choose_gets_a_plain_prize() -> None:
    """The Target first, then a new colour, then the lowest place; and is told that it was late."""
    without = QUIET.replace("pistol-red", "loot-red")
    for wheel, won, place in (
        (QUIET, "barrel-red", 0),
        (without, "", 0),
        (without, "barrel-red", 1),
    ):
        state = racing("star-red star-grey", wheel)
        state.targets = state.targets[:1] + bytes((Object.PISTOL,))
        state.won[1] = cards(won) if won else b""
        do(state, 0, Shoot(4), 2_000)
        told = wait_until(state, 32_000)
        assert said(told, Won) == [Won(1, cards(wheel)[place], place, late=True)]


def test_without_a_limit_a_choice_waits() -> None:
    """Not a declaration: who shoots has seen a pattern."""
    state = racing(options=Options(choice_limit=ChoiceLimit.OFF))
    do(state, 0, Shoot(4), 2_000)
    assert deadline(state) == 2_000 + CHOICE_MS
    next_tick(state)
    assert (state.phase, deadline(state)) == (Phase.TAKE, None)


def test_one_anchor_is_no_pattern() -> None:
    assert all(not pairs(cards(QUIET), each).anchors for each in PATTERNS)


def test_one_anchor_without_its_partner_breaks_it() -> None:
    wheel = "star-azure bottle-red pistol-azure loot-red barrel-azure star-red loot-grey star-grey"
    assert declared("loot-yellow", wheel, 1, "after azure loot")[1].anchors == 0


def test_after_is_clockwise_and_the_wheel_is_round() -> None:
    wheel = "loot-red star-red star-azure barrel-red bottle-red star-grey bottle-grey barrel-azure"
    assert declared("loot-yellow", wheel, 3, "after azure loot")[1].anchors == 2
    assert declared("loot-yellow", wheel, 1, "before azure loot")[1].anchors == 0
    wheel = "bottle-red star-red loot-red star-azure star-grey bottle-grey barrel-red barrel-azure"
    assert declared("loot-yellow", wheel, 6, "before azure loot")[1].anchors == 2
