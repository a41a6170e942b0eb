"""Cards that are left are laid, gaps are filled, and decks run out (rules: A turn, 6, 7)."""

from collections.abc import Sequence

import pytest

from protocol.games.wild_wild_pattern import (
    MAX_IDLE_TURNS,
    Banked,
    Click,
    Declare,
    Event,
    Filled,
    Idled,
    Lay,
    Pass,
    Phase,
    Reshuffled,
    Shoot,
    TurnBegan,
    WasLaid,
    WentOut,
)
from protocol.games.wild_wild_pattern.cards import CARDS, CHALLENGES, is_pattern
from server.games.wild_wild_pattern.legal import legal_actions, to_act
from server.games.wild_wild_pattern.rules import deadline
from server.games.wild_wild_pattern.state import State
from tests.games.wild_wild_pattern.positions import (
    QUIET,
    card,
    cards,
    do,
    every_card,
    everybody_is_ready,
    hold,
    next_tick,
    pattern,
    racing,
    said,
    stage,
    take,
    wait_until,
    why_not,
)

MANY_STARS = (
    "pistol-red bottle-red star-red bottle-grey horseshoe-red star-grey barrel-azure loot-grey"
)


def laying(seats: int = 3, hands: str = "star-red pistol-grey bottle-red barrel-white") -> State:
    """Nobody has shot, so there is no gap; seat 0 counts as the one who ended the turn."""
    state = racing(hands, seats=seats)
    next_tick(state)
    assert state.phase is Phase.LAY
    return state


def places(state: State) -> list[int]:
    return [action.place for action in legal_actions(state, to_act(state)[0])]  # type: ignore[union-attr]


def lay_all(state: State) -> list[Event]:
    """Everybody lays on the lowest place."""
    told: list[Event] = []
    while state.phase is Phase.LAY:
        seat = to_act(state)[0]
        told += said(do(state, seat, Lay(places(state)[0]), deadline(state) or 0))
    return told


# Whose turn it is to lay, and where ---------------------------------------------------------------


@pytest.mark.parametrize(("ended", "order"), [(0, [3, 2, 1, 0]), (2, [1, 0, 3, 2])])
def test_counter_clockwise_from_the_right_of_who_ended_the_turn(
    ended: int, order: list[int]
) -> None:
    state = racing(seats=4)
    state.ended_by = ended
    next_tick(state)
    assert [event.seat for event in lay_all(state) if isinstance(event, WasLaid)] == order


def test_who_declared_ended_the_turn_and_else_the_clicker() -> None:
    state = racing(seats=3)
    do(state, 1, Click())
    do(state, 2, Shoot(4, clicked=True))
    do(state, 2, Pass())
    assert (state.takes, state.ended_by) == (((1, 1), (0, 1)), 2)
    take(state, 0, 1)
    assert state.layers == (0, 2)  # seat 1 has clicked its card away
    state = racing(seats=3)
    do(state, 1, Click())
    do(state, 0, Pass())
    do(state, 2, Pass())
    take(state, 0)
    assert state.layers == (0, 2)


def test_a_gap_comes_first_whatever_the_colour() -> None:
    state = racing("star-yellow pistol-yellow bottle-yellow", MANY_STARS, seats=3)
    do(state, 0, Shoot(1))
    do(state, 0, Declare(pattern("before star coin")))
    assert (places(state), state.acting) == ([1], 2)
    assert said(do(state, 2, Lay(1)), WasLaid) == [WasLaid(2, 1, card("bottle-yellow"), 0)]
    assert places(state) == [1]  # the only yellow one, and it has just been laid
    [event] = said(do(state, 1, Lay(1)), WasLaid)
    assert event == WasLaid(1, 1, card("pistol-yellow"), card("bottle-yellow"))
    assert card("bottle-yellow") in state.out


def test_of_several_gaps_any() -> None:
    state = racing()
    do(state, 0, Click())
    do(state, 1, Pass())
    take(state, 3)
    state.put(6, 0)
    assert places(state) == [3, 6]
    assert str(why_not(state, 1, Lay(0)).code) == "fill_a_gap"  # type: ignore[union-attr]


def test_else_a_card_of_the_same_colour_and_else_anywhere() -> None:
    state = laying()
    assert places(state) == [0, 5]  # a red bottle, on the red ones
    do(state, 2, Lay(5), 60_000)
    assert places(state) == [3]  # a grey pistol
    wheel = QUIET.replace("bottle-grey", "bottle-white")
    state = racing("star-red pistol-grey", wheel)
    next_tick(state)
    assert places(state) == list(range(8))


def test_who_does_not_choose_lays_on_the_lowest_place() -> None:
    state = laying()
    assert deadline(state) == 75_000
    assert said(next_tick(state), WasLaid) == [
        WasLaid(2, 0, card("bottle-red"), card("pistol-red"))
    ]


def test_a_covered_card_leaves_the_game() -> None:
    state = laying(2)
    do(state, 1, Lay(3), 60_000)
    assert state.out == cards("bottle-grey")
    assert every_card(state) == CARDS


def test_what_belonged_to_a_turn_is_gone_with_it() -> None:
    """Or its winner might use a Challenge card after a wrong declaration in the next one."""
    state = racing()
    do(state, 0, Click())
    do(state, 1, Pass())
    assert state.winner == 0
    take(state, 0)
    lay_all(state)
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


def reshuffles(told: Sequence[Event]) -> list[Reshuffled]:
    return [event for event in told if isinstance(event, Reshuffled)]


@pytest.mark.parametrize(("left", "again"), [("star-grey", 1), ("star-grey star-white", 0)])
def test_with_fewer_cards_than_players_all_is_shuffled(left: str, again: int) -> None:
    state = laying(2)
    emptied(state, left)
    told = lay_all(state)
    assert len(reshuffles(told)) == again
    assert state.phase is Phase.READY
    assert all(state.hand)
    assert state.shuffles == 1 + again
    assert every_card(state) == CARDS


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
    [again] = reshuffles(told)
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


def test_there_are_always_enough_cards_for_a_new_deck() -> None:
    """Four with four cards each, and all seven Challenge cards: 24 Pattern cards are left."""
    state = laying(4)
    pool = bytes(each for each in state.deck if is_pattern(each))
    for seat in range(4):
        state.won[seat], pool = pool[:4], pool[4:]
    state.challenges[2] = CHALLENGES
    used = b"".join(state.won) + CHALLENGES
    state.deck = bytes(each for each in state.deck if each not in used)
    emptied(state, "")
    told = lay_all(state)
    [again] = reshuffles(told)
    assert (len(again.wheel), again.left, again.gone) == (8, 16, b"")
    assert all(state.hand)


# Turns in which nothing happens -------------------------------------------------------------------


def test_so_many_idle_turns_end_the_round() -> None:
    state = stage()
    turns = 0
    while state.round == 1:
        everybody_is_ready(state, (deadline(state) or 0) - 1)
        told = said(wait_until(state, deadline(state) or 0))
        turns += 1
        assert [event.turns for event in told if isinstance(event, Idled)] == [turns]
        assert bool([1 for event in told if isinstance(event, Banked)]) == (turns == MAX_IDLE_TURNS)
        if state.round == 1:
            lay_all(state)
    assert (turns, state.idle) == (MAX_IDLE_TURNS, 0)


@pytest.mark.parametrize("action", [Shoot(4), Click()])
def test_a_shot_or_a_click_ends_the_idleness(action: Shoot | Click) -> None:
    state = racing()
    state.idle = MAX_IDLE_TURNS - 1
    do(state, 0, action)
    assert state.idle == 0


def test_the_turn_after_an_idle_one_is_as_if_the_same_player_had_ended_it() -> None:
    state = racing(seats=3)
    do(state, 2, Shoot(4))
    do(state, 2, Pass())
    take(state, 0, 1)
    lay_all(state)
    everybody_is_ready(state, 40_000)
    next_tick(state)
    assert (state.ended_by, state.layers) == (2, (1, 0, 2))
