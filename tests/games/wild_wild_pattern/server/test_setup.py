"""What lies on the table at the beginning of a match, a round and a turn (rules: Setting up)."""

import pytest

from protocol.games.wild_wild_pattern import (
    Click,
    Mode,
    Options,
    Pass,
    Phase,
    Practice,
    Reshuffled,
    RoundBegan,
    Take,
    TurnBegan,
    WentOut,
)
from protocol.games.wild_wild_pattern.cards import (
    CARDS,
    PATTERN_CARDS,
    TARGETS,
    Suit,
    is_pattern,
    suit_of,
)
from protocol.games.wild_wild_pattern.deal import laid, round_deal
from server.games.wild_wild_pattern.setup import (
    begin_round,
    check_options,
    opening,
    rematch_options,
    setup,
)
from tests.games.wild_wild_pattern.positions import (
    cards,
    decline,
    do,
    every_card,
    hold,
    racing,
    said,
)

PRACTICE = Options(practice=Practice.ON)


def seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


def test_the_suits_are_even_and_the_four_of_the_sheet_are_bold() -> None:
    suits = [suit_of(card) for card in PATTERN_CARDS]
    assert suits.count(Suit.COIN) == suits.count(Suit.BULLETS) == 20
    bold = cards("pistol-azure loot-yellow star-yellow star-white")
    assert [suit_of(card) for card in bold] == [1, 1, 0, 1]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_has_a_target_of_its_own_and_the_wheel_no_challenge(seats: int) -> None:
    for number in range(40):
        state = setup(Options(), seats, seed(number))
        assert every_card(state) == CARDS
        assert len(set(state.targets)) == seats
        assert set(state.targets) <= set(TARGETS)
        assert all(map(is_pattern, state.wheel))
        assert not any(map(is_pattern, state.out))
        assert len(state.deck) == len(CARDS) - 8 - len(state.out) - seats
        assert all(state.hand)


def test_a_challenge_on_the_wheel_is_replaced_as_often_as_need_be() -> None:
    wheel, deck, gone = laid(bytes([41, 1, 2, 3, 42, 4, 5, 6, 43, 7, 44, 45, 8, 9, 46]))
    assert wheel == bytes([7, 1, 2, 3, 8, 4, 5, 6])
    assert (deck, gone) == (bytes([9, 46]), bytes([41, 43, 42, 44, 45]))


def test_nobody_sees_a_card_before_all_are_ready() -> None:
    state = setup(Options(), 3, seed(1))
    began, turn = [told.event for told in opening(state)]
    assert isinstance(began, RoundBegan)
    assert (began.round, began.wheel, state.turn, state.phase) == (1, state.wheel, 1, Phase.READY)
    assert isinstance(turn, TurnBegan)
    assert {told.to for told in opening(state)} == {None}
    assert turn.left == len(state.deck) == began.left - 3


def test_a_new_round_has_all_cards_and_new_targets_and_keeps_only_money() -> None:
    state = racing("star-red loot-red")
    hold(state, 0, "pistol-grey bottle-red barrel-red wanted-red trade 1-dollar")
    hold(state, 1, "hands-up")
    state.money = [120, 70]
    dealt = round_deal(state.seed, 1)
    do(state, 0, Click())
    do(state, 1, Pass())
    do(state, 0, Take(0))
    told = decline(state)
    assert said(told, (WentOut, Reshuffled)) == []
    assert (state.round, state.turn) == (2, 1)
    assert (state.won, state.challenges) == ([b"", b""], [b"", b""])
    assert every_card(state) == CARDS
    assert state.wheel == dealt.wheel.cards
    assert list(state.targets) == list(dealt.targets[:2])
    assert state.money[1] == 70 <= 120 < state.money[0]


def test_who_is_out_gets_neither_card_nor_target() -> None:
    state = setup(Options(mode=Mode.VIVO), 3, seed(2))
    state.standing[1] = False
    begin_round(state, 0)
    assert state.hand[1] == 0 != state.hand[2]
    assert list(state.targets) == [round_deal(seed(2), 1).targets[0], 0, state.targets[2]]
    assert state.targets[2] == round_deal(seed(2), 1).targets[1]


@pytest.mark.parametrize(
    ("options", "seats", "wrong"),
    [
        (Options(), 2, None),
        (Options(race_limit_s=0), 4, None),
        (Options(race_limit_s=30), 4, None),
        (Options(race_limit_s=29), 2, "race_limit_s"),
        (Options(race_limit_s=1), 2, "race_limit_s"),
        (Options(), 1, "practice"),
        (PRACTICE, 1, None),
        (PRACTICE, 2, None),
        (PRACTICE, 3, "practice"),
        (Options(mode=Mode.VIVO, practice=Practice.ON), 1, "mode"),
        (Options(mode=Mode.VIVO), 1, "mode"),
        (Options(mode=Mode.VIVO, practice=Practice.ON), 2, None),
    ],
)
def test_options(options: Options, seats: int, wrong: str | None) -> None:
    assert check_options(options, seats) == wrong
    assert rematch_options(options, seats, seed(0)) is options
