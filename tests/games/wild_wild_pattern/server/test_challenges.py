"""The seven Challenge cards, each used by the winner of a turn (rules: Cards; A turn, 5)."""

import pytest

from protocol.games.wild_wild_pattern import (
    Click,
    Pass,
    Passed,
    Phase,
    RoundBegan,
    Shoot,
    TurnBegan,
    Use,
    Used,
    WentOut,
)
from protocol.games.wild_wild_pattern.cards import Challenge
from server.games.contract import Addressed
from server.games.wild_wild_pattern.challenges import uses
from server.games.wild_wild_pattern.legal import legal_actions, to_act
from server.games.wild_wild_pattern.rules import deadline
from server.games.wild_wild_pattern.state import State
from tests.games.wild_wild_pattern.positions import (
    QUIET,
    card,
    cards,
    decline,
    do,
    every_card,
    everybody_is_ready,
    hold,
    next_tick,
    racing,
    said,
    stage,
    take,
    why_not,
)


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


def wanted(state: State) -> list[int]:
    """What may be wanted with the Challenge cards of seat 0, each once."""
    return sorted({use.wanted for use in uses(state, 0) if use.wanted is not None})


@pytest.mark.parametrize(("name", "cents"), [("1-dollar", 100), ("50-cents", 50), ("10-cents", 10)])
def test_money_comes_from_the_bank_at_once(name: str, cents: int) -> None:
    state = winning(name)
    assert (state.phase, state.acting) == (Phase.CHALLENGE, 0)
    told = do(state, 0, Use(card(name)))
    assert said(told, (Used, WentOut)) == [Used(0, card(name), cents=cents), WentOut(card(name))]
    assert (state.money, state.challenges[0]) == ([cents, 0], b"")
    assert card(name) in state.out
    assert state.phase is Phase.LAY


def test_one_card_takes_whatever_lies_face_up() -> None:
    """From the Wheel, or won or Challenge cards of another; no Targets, no gaps, no card of
    its own."""
    state = winning("1-card star-white", "bottle-red trade")
    on_the_wheel = [each for each in state.wheel if each]
    assert wanted(state) == sorted([*on_the_wheel, *cards("bottle-red trade")])
    assert len(on_the_wheel) == 7
    do(state, 0, Use(Challenge.ONE_CARD, card("pistol-red")))
    assert state.won[0] == cards("star-white wanted-yellow pistol-red")
    assert state.wheel[0] == 0


@pytest.mark.parametrize("name", ["bottle-red", "trade"])
def test_one_card_of_another(name: str) -> None:
    state = winning("1-card star-white", "bottle-red trade")
    told = do(state, 0, Use(Challenge.ONE_CARD, card(name)))
    assert said(told, Used) == [Used(0, Challenge.ONE_CARD, card(name), victim=1)]
    assert card(name) in state.won[0] + state.challenges[0]
    assert card(name) not in state.won[1] + state.challenges[1]


@pytest.mark.parametrize(
    ("name", "shot", "spared"),
    [
        ("piano-player", "bottle-red star-azure", "star-red loot-white"),
        ("hands-up", "star-red loot-white", "bottle-red star-azure"),
    ],
)
def test_a_card_of_the_suit_is_shot_out_of_the_game(name: str, shot: str, spared: str) -> None:
    state = winning(name, f"{shot} {spared}".replace("star-red", "star-grey"))
    targets = cards(shot.replace("star-red", "star-grey"))
    assert wanted(state) == sorted(targets)
    told = do(state, 0, Use(card(name), targets[0]))
    assert said(told, WentOut) == [WentOut(targets[0]), WentOut(card(name))]
    assert targets[0] not in state.won[1]
    assert {targets[0], card(name)} <= set(state.out)


def test_a_trade_swaps_one_card_each_way() -> None:
    """Also Challenge cards, but not the Trade card itself."""
    state = winning("trade 1-dollar star-white", "bottle-red hands-up")
    swaps = [use for use in uses(state, 0) if use.challenge == Challenge.TRADE]
    own, theirs = cards("star-white wanted-yellow 1-dollar"), cards("bottle-red hands-up")
    assert {(use.wanted, use.given) for use in swaps} == {(w, g) for w in theirs for g in own}
    told = do(state, 0, Use(Challenge.TRADE, card("hands-up"), card("star-white")))
    assert said(told, Used) == [
        Used(0, Challenge.TRADE, card("hands-up"), card("star-white"), victim=1)
    ]
    assert state.won[1] == cards("bottle-red star-white")
    assert state.challenges == [cards("1-dollar hands-up"), b""]
    assert state.out == cards("star-red trade")


def test_what_is_gained_waits_for_the_next_turn_won() -> None:
    state = winning("trade star-white", "1-dollar")
    do(state, 0, Use(Challenge.TRADE, card("1-dollar"), card("star-white")))
    assert state.phase is Phase.LAY
    assert state.money == [0, 0]


def test_one_for_each_turn_won() -> None:
    state = winning("1-dollar 50-cents")
    assert len(legal_actions(state, to_act(state)[0])) == 3
    do(state, 0, Use(Challenge.FIFTY_CENTS))
    assert (state.money[0], state.challenges[0]) == (50, cards("1-dollar"))
    assert state.phase is Phase.LAY


@pytest.mark.parametrize(
    ("own", "theirs"),
    [("hands-up", "bottle-red"), ("piano-player", "star-grey"), ("trade", ""), ("hands-up", "")],
)
def test_one_that_can_do_nothing_is_not_asked_for(own: str, theirs: str) -> None:
    assert winning(own, theirs).phase is Phase.LAY


def test_it_may_be_kept_and_is_kept_when_time_is_up() -> None:
    state = winning("1-dollar")
    assert said(decline(state), Passed) == [Passed(0)]
    assert state.challenges[0] == cards("1-dollar")
    state = winning("1-dollar")
    assert deadline(state) == 15_000
    next_tick(state)
    assert (state.phase, state.challenges[0]) == (Phase.LAY, cards("1-dollar"))


def test_one_found_in_this_turn_may_be_used() -> None:
    state = stage("1-dollar pistol-azure", top="star-grey")
    everybody_is_ready(state)
    do(state, 0, Click(), 1_500)
    do(state, 1, Pass(), 1_600)
    take(state, 0)
    assert (state.phase, state.acting) == (Phase.CHALLENGE, 0)


def test_only_the_winner_of_the_turn_may() -> None:
    """After a wrong declaration there is none, though the others have won cards."""
    state = racing()
    hold(state, 0, "50-cents")
    hold(state, 1, "1-dollar")
    do(state, 0, Shoot(4))
    do(state, 0, Pass())
    take(state, 0)
    assert state.phase is Phase.LAY
    assert why_not(state, 1, Use(Challenge.ONE_DOLLAR)) is not None


def test_a_round_ends_when_this_is_done_and_not_before() -> None:
    """The fifth card of another is shot: there is no fifth card any more."""
    five = "star-grey star-white bottle-red bottle-azure"
    state = winning("hands-up 1-card", f"{five} loot-white")
    told = do(state, 0, Use(Challenge.HANDS_UP, card("star-grey")))
    assert said(told, RoundBegan) == []
    assert state.phase is Phase.LAY
    state = winning("1-card", five)
    state.won[0] = cards("pistol-white dynamite-white loot-red wanted-yellow")
    told = do(state, 0, Use(Challenge.ONE_CARD, card("pistol-red")))
    assert said(told, RoundBegan)
    assert said(told, TurnBegan)


def test_challenge_cards_do_not_count_for_the_end_of_a_round() -> None:
    state = winning("trade 1-dollar 50-cents 10-cents star-white")
    decline(state)
    assert state.phase is Phase.LAY


def test_all_that_is_told_goes_to_everybody() -> None:
    state = winning("1-card", "bottle-red")
    told = do(state, 0, Use(Challenge.ONE_CARD, card("bottle-red")))
    assert told
    assert all(isinstance(each, Addressed) and each.to is None for each in told)
    assert card("bottle-red") not in cards(QUIET)
