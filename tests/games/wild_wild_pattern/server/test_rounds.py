"""How rounds begin, and how a match ends in both modes (rules: Setting up; Bank; Modes). What the
Bank pays is compared with the oracle."""

import pytest

from protocol.games.wild_wild_pattern import (
    MAX_ROUNDS,
    Click,
    DecidedBy,
    FiveColours,
    Mode,
    Options,
    Pass,
    Phase,
    Practice,
    Reshuffled,
    RoundBegan,
    Take,
    TurnBegan,
    Visit,
    WentOut,
)
from protocol.games.wild_wild_pattern.cards import (
    CARDS,
    TARGETS,
    Object,
    is_pattern,
)
from protocol.games.wild_wild_pattern.deal import laid, round_deal
from server.games.wild_wild_pattern.rules import deadline
from server.games.wild_wild_pattern.scoring import end_round, outcome
from server.games.wild_wild_pattern.setup import (
    begin_round,
    check_options,
    opening,
    rematch_options,
    setup,
)
from server.games.wild_wild_pattern.state import State
from tests.games.wild_wild_pattern.positions import (
    cards,
    decline,
    do,
    every_card,
    hold,
    racing,
    said,
    stage,
)

VIVO = Options(mode=Mode.VIVO)
SIXTY = "bottle-red star-red pistol-red"  # one of a suit, and three of a colour
STRAIGHT = "star-red pistol-azure loot-yellow bottle-grey wanted-white"


def banking(money: list[int], *piles: str, options: Options | None = None) -> State:
    """The round is over, with these cards won. What lies before nobody does not matter here."""
    state = stage(seats=len(money), options=options)
    state.money = money
    for seat, names in enumerate(piles):
        hold(state, seat, names)
    state.targets = bytes([Object.WANTED] * len(money))
    end_round(state, 0)
    return state


def result(state: State) -> tuple[tuple[int, ...], DecidedBy] | None:
    ended = outcome(state)
    if ended is not None:
        assert (state.phase, deadline(state)) == (Phase.OVER, None)
    return None if ended is None else (ended.winners, ended.decided_by)


# Saloon! -----------------------------------------------------------------------------------------


def test_everybody_is_paid_and_the_next_round_begins() -> None:
    state = banking([100, 0, 40], SIXTY, "", "star-azure")
    assert result(state) is None
    assert state.money == [160, 0, 50]
    assert state.bank == (
        Visit(0, cards(SIXTY), Object.WANTED, 60, 160),
        Visit(1, b"", Object.WANTED, 0, 0),
        Visit(2, cards("star-azure"), Object.WANTED, 10, 50),
    )
    assert (state.round, state.phase) == (2, Phase.READY)


@pytest.mark.parametrize(
    ("money", "expected"),
    [
        ([240, 0], None),  # exactly three dollars are not above them
        ([241, 0], ((0,), DecidedBy.MONEY)),
        ([241, 400], ((1,), DecidedBy.MONEY)),
        ([300, 360], None),  # level: another round for all
        ([0, 0], None),
    ],
)
def test_the_richest_above_three_dollars_wins(
    money: list[int], expected: tuple[tuple[int, ...], DecidedBy] | None
) -> None:
    assert result(banking(money, SIXTY)) == expected


def test_after_twenty_rounds_the_richest_win() -> None:
    for played, expected in ((MAX_ROUNDS - 1, None), (MAX_ROUNDS, ((0, 2), DecidedBy.ROUNDS))):
        state = stage(seats=3)
        state.round, state.money = played, [70, 20, 70]
        end_round(state, 0)
        assert result(state) == expected
    for rich, winners in (([310, 310], [0, 1]), ([310, 320], [1])):
        state = stage()
        state.round, state.money = MAX_ROUNDS, rich
        end_round(state, 0)
        assert list(outcome(state).winners) == winners  # type: ignore[union-attr]


@pytest.mark.parametrize("mode", list(Mode))
def test_wild_wins_whatever_the_money(mode: Mode) -> None:
    state = banking([0, 900], STRAIGHT, options=Options(mode=mode))
    assert result(state) == ((0,), DecidedBy.WILD)
    assert state.standing == [True, True]


def test_two_wilds_share_the_win() -> None:
    other = "star-azure pistol-yellow loot-grey bottle-white wanted-red"
    assert result(banking([0, 0, 500], STRAIGHT, other)) == ((0, 1), DecidedBy.WILD)


# Vivo o Morto! -----------------------------------------------------------------------------------


def test_four_then_three_then_two_then_one() -> None:
    state = banking([10, 30, 40, 20], options=VIVO)
    assert (state.standing, state.money) == ([False, True, True, True], [10, 0, 0, 0])
    assert [visit.eliminated for visit in state.bank] == [True, False, False, False]
    assert [visit.money for visit in state.bank] == [10, 30, 40, 20]
    assert [bool(card) for card in state.hand] == state.standing
    state.money[1:] = [30, 10, 20]
    end_round(state, 0)
    assert state.standing == [False, True, False, True]
    assert [visit.seat for visit in state.bank] == [1, 2, 3]
    state.money[1], state.money[3] = 50, 60
    end_round(state, 0)
    assert result(state) == ((3,), DecidedBy.LAST)
    assert outcome(state).scores == (10, 50, 10, 60)  # type: ignore[union-attr]


def test_all_who_have_the_least_are_out() -> None:
    state = banking([10, 30, 10, 20], options=VIVO)
    assert state.standing == [False, True, False, True]
    assert result(banking([10, 30, 10, 10], options=VIVO)) == ((1,), DecidedBy.LAST)


def test_the_bank_pays_before_anybody_is_out() -> None:
    state = banking([10, 30], SIXTY, options=VIVO)
    assert result(state) == ((0,), DecidedBy.LAST)


def test_level_is_played_again_from_nothing_and_three_times_running_shared() -> None:
    state = banking([10, 30, 30], options=VIVO)
    assert state.standing == [False, True, True]
    for levels in (1, 2):
        state.money[1:] = [40, 40]
        end_round(state, 0)
        assert (result(state), state.levels) == (None, levels)
        assert state.money == [10, 0, 0]
    state.money[1:] = [40, 40]
    end_round(state, 0)
    assert result(state) == ((1, 2), DecidedBy.LEVEL)


def test_an_elimination_breaks_the_row_of_level_rounds() -> None:
    state = banking([10, 10, 10], options=VIVO)
    end_round(state, 0)
    assert state.levels == 2
    state.money = [0, 10, 10]
    end_round(state, 0)
    assert (state.levels, state.standing) == (0, [False, True, True])


def test_three_or_two_begin_further_down() -> None:
    assert banking([10, 30, 20], options=VIVO).standing == [False, True, True]
    assert result(banking([10, 30], options=VIVO)) == ((1,), DecidedBy.LAST)


def test_the_seat_on_the_right_is_the_next_lower_one_still_in_the_game() -> None:
    state = stage(seats=4, options=VIVO)
    state.standing = [True, False, True, True]
    assert state.from_the_right_of(2) == [0, 3]
    assert state.from_the_right_of(0) == [3, 2]
    events = end_round(state, 0)
    assert isinstance(events[1], RoundBegan)


def test_pay_is_an_option_of_the_table() -> None:
    state = banking([0, 0], STRAIGHT, options=Options(five_colours=FiveColours.PAY))
    assert result(state) is None
    assert state.money[0] == 100 + 20 + 10  # five objects, and one of them the target


PRACTICE = Options(practice=Practice.ON)


def seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


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
