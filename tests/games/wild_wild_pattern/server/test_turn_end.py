"""What a declaration brings, what a turn ends with (rules: A turn, 3, 5 to 7).

Who gets which cards, and what a Challenge card can do, is compared with the oracle.
"""

import pytest
from msgspec.structs import replace

from protocol.games.wild_wild_pattern import (
    MAX_IDLE_TURNS,
    Click,
    DecidedBy,
    Declare,
    Declared,
    Filled,
    Lay,
    Options,
    Pass,
    Passed,
    Phase,
    PlayedInPair,
    Reshuffled,
    Shoot,
    TurnBegan,
    Use,
    Used,
    WentOut,
    Won,
)
from protocol.games.wild_wild_pattern.cards import CARDS, Challenge, is_pattern
from protocol.games.wild_wild_pattern.pattern import Fault
from server.games.wild_wild_pattern.notation import CHALLENGE_NAMES
from server.games.wild_wild_pattern.rules import deadline
from server.games.wild_wild_pattern.scoring import outcome
from server.games.wild_wild_pattern.state import State
from tests.games.wild_wild_pattern.positions import (
    QUIET,
    card,
    cards,
    do,
    every_card,
    hold,
    next_tick,
    pattern,
    racing,
    said,
    take,
)

# A declaration -----------------------------------------------------------------------------------


LOOTS = "loot-red wanted-azure loot-grey barrel-red loot-yellow star-grey dynamite-red"
"""Seven cards. Before the second loot lies an azure card, but none before the third."""

TWICE = LOOTS.replace("loot-yellow", "bottle-grey")
FREE = Options(played_in_pair=PlayedInPair.FREE)


@pytest.mark.parametrize(
    ("played", "wheel", "place", "options", "anchors", "fault"),
    [
        ("pistol-azure", f"bottle-red {TWICE}", 0, Options(), 2, None),
        ("horseshoe-azure", f"pistol-azure {TWICE}", 0, Options(), 0, Fault.OLD),
        ("star-red", f"pistol-azure {LOOTS}", 5, Options(), 0, Fault.APART),
        ("star-red", f"pistol-azure {LOOTS}", 5, FREE, 2, None),
        ("pistol-grey", QUIET, 4, Options(), 0, Fault.UNTRUE),
    ],
)
def test_what_is_said_of_a_declaration(
    played: str, wheel: str, place: int, options: Options, anchors: int, fault: Fault | None
) -> None:
    state = racing(f"{played} dynamite-yellow", wheel, options=options)
    do(state, 0, Shoot(place))
    [event] = said(do(state, 0, Declare(pattern("before loot azure"))), Declared)
    assert isinstance(event, Declared)
    assert (event.anchors, event.fault) == (anchors, fault)
    assert (state.winner == 0) is (fault is None)
    assert every_card(state) == CARDS


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


def test_who_neither_declares_nor_chooses_is_late() -> None:
    """That is a wrong declaration, and the plain prize."""
    state = racing()
    do(state, 0, Shoot(4), 2_000)
    judged, covered = state.wheel, state.covered
    assert deadline(state) == 17_000
    late = Declared(0, None, 0, late=True, wheel=judged, place=4, covered=covered)
    assert said(next_tick(state), (Declared, WentOut)) == [late, WentOut(card("star-red"))]
    assert (state.winner, state.takes, len(state.out)) == (None, ((1, 1),), 1)
    assert [event.late for event in said(next_tick(state), Won)] == [True]  # type: ignore[union-attr]


# Challenge cards ---------------------------------------------------------------------------------


def winning(own: str, theirs: str = "", *, seats: int = 2) -> State:
    """Seat 0 has won a turn by a Click! that nobody answered, and the card on place 7 with it; it
    may use a Challenge card, if one can be used. Seat 1 has `theirs`."""
    state = racing(seats=seats)
    hold(state, 0, own)
    hold(state, 1, theirs)
    before = every_card(state)
    do(state, 0, Click())
    for seat in range(1, seats):
        do(state, seat, Pass())
    take(state, 7)
    assert every_card(state) == before
    return state


RED_BOTTLE, GREY_STAR, AZURE_STAR = cards("bottle-red star-grey star-azure")
WHITE_STAR, RED_PISTOL = cards("star-white pistol-red")


@pytest.mark.parametrize(
    ("use", "used", "gone"),
    [
        (Use(Challenge.ONE_DOLLAR), {"cents": 100}, []),
        (Use(Challenge.TEN_CENTS), {"cents": 10}, []),
        (Use(Challenge.ONE_CARD, RED_PISTOL), {}, []),
        (Use(Challenge.ONE_CARD, RED_BOTTLE), {"victim": 1}, []),
        (Use(Challenge.ONE_CARD, Challenge.FIFTY_CENTS), {"victim": 1}, []),
        (Use(Challenge.PIANO_PLAYER, AZURE_STAR), {"victim": 1}, [AZURE_STAR]),
        (Use(Challenge.HANDS_UP, GREY_STAR), {"victim": 1}, [GREY_STAR]),
        (Use(Challenge.TRADE, Challenge.FIFTY_CENTS, WHITE_STAR), {"victim": 1}, []),
    ],
)
def test_everybody_is_told_what_a_challenge_card_did(
    use: Use, used: dict[str, int], gone: list[int]
) -> None:
    own = CHALLENGE_NAMES[Challenge(use.challenge)]
    state = winning(f"{own} star-white", "bottle-red star-azure star-grey 50-cents")
    assert (state.phase, state.acting) == (Phase.CHALLENGE, 0)
    told = do(state, 0, use)
    first = Used(0, use.challenge, use.wanted, use.given, **used)
    assert said(told) == [first, *map(WentOut, [*gone, use.challenge])]
    assert {each.to for each in told} == {None}
    assert state.money[0] == used.get("cents", 0)
    assert every_card(state) == CARDS


def test_it_may_be_kept_and_is_kept_when_time_is_up() -> None:
    state = winning("1-dollar")
    assert said(do(state, 0, Pass()), Passed) == [Passed(0)]
    assert state.challenges[0] == cards("1-dollar")
    state = winning("1-dollar")
    assert deadline(state) == 15_000
    next_tick(state)
    assert (state.phase, state.challenges[0]) == (Phase.LAY, cards("1-dollar"))


# The end of a turn -------------------------------------------------------------------------------


def test_what_belonged_to_a_turn_is_gone_with_it() -> None:
    """Or its winner might use a Challenge card after a wrong declaration in the next one."""
    state = racing()
    do(state, 0, Click())
    do(state, 1, Pass())
    assert state.winner == 0
    take(state, 0)
    next_tick(state)
    assert (state.phase, state.turn) == (Phase.READY, 2)
    of_a_turn = (state.winner, state.clicker, state.place, state.barred, state.acting)
    assert all(value is None for value in of_a_turn)
    assert (state.covered, state.clicked, state.waits) == (0, 0, [None, None])


# Gaps are filled, and decks run out ---------------------------------------------------------------


def test_gaps_that_are_left_are_filled_from_the_deck() -> None:
    state = racing("star-red pistol-azure", top="hands-up trade star-grey star-azure star-white")
    do(state, 0, Shoot(4))
    do(state, 0, Pass())
    take(state, 2)
    state.put(6, 0)
    state.out += cards("barrel-azure")
    told = said(do(state, 1, Lay(6)))
    assert told[1:4] == [
        WentOut(card("hands-up")),
        WentOut(card("trade")),
        Filled(2, card("star-grey")),
    ]
    assert state.wheel[2] == card("star-grey")
    assert isinstance(told[4], TurnBegan)
    assert state.hand == list(cards("star-azure star-white"))


def emptied(state: State, left: str) -> None:
    """Only this is left of the deck; the rest has left the game."""
    kept = cards(left)
    state.out += bytes(each for each in state.deck if each not in kept)
    state.deck = kept


def test_a_deck_that_runs_out_while_gaps_are_filled_is_shuffled_once() -> None:
    state = racing()
    hold(state, 1, "star-white 1-dollar")
    do(state, 0, Shoot(4))
    do(state, 0, Pass())
    take(state, 2)
    state.out += cards("barrel-azure wanted-yellow")
    state.put(6, 0)
    state.put(7, 0)
    emptied(state, "star-grey hands-up")
    targets = state.targets
    told = said(do(state, 1, Lay(2)))
    assert told[1:3] == [Filled(6, card("star-grey")), WentOut(card("hands-up"))]
    [again] = [event for event in told if isinstance(event, Reshuffled)]
    assert all(map(is_pattern, again.wheel))
    assert again.left == len(state.deck) + 2
    assert (state.won[1], state.challenges[1]) == (
        cards("star-white star-yellow"),
        cards("1-dollar"),
    )
    assert state.targets == targets
    assert every_card(state) == CARDS
    assert card("hands-up") in state.deck + state.out + bytes(state.hand)  # it may come again


def test_the_last_card_may_fill_the_last_gap() -> None:
    state = racing("star-red pistol-azure")
    do(state, 0, Click())
    do(state, 1, Pass())
    take(state, 2)
    state.hand[1], state.out = 0, state.out + bytes([state.hand[1]])
    state.layers = ()
    state.phase, state.acting = Phase.CHALLENGE, 0
    emptied(state, "star-grey")
    told = said(do(state, 0, Pass()))
    assert [type(event) for event in told[1:]] == [Filled, Reshuffled, TurnBegan]


# Turns in which nothing happens -------------------------------------------------------------------


@pytest.mark.parametrize("action", [Shoot(4), Click()])
def test_a_shot_or_a_click_ends_the_idleness(action: Shoot | Click) -> None:
    state = racing()
    state.idle = MAX_IDLE_TURNS - 1
    do(state, 0, action)
    assert state.idle == 0
