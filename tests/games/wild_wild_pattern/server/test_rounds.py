"""How rounds begin, and how a match ends in both modes (rules: Setting up; Bank; Modes). What the
Bank pays is compared with the oracle."""

import pytest

from protocol.games.wild_wild_pattern import (
    MAX_ROUNDS,
    DecidedBy,
    Mode,
    Options,
    Phase,
    Practice,
    Visit,
)
from protocol.games.wild_wild_pattern.cards import Object
from server.games.wild_wild_pattern.rules import deadline
from server.games.wild_wild_pattern.scoring import end_round, outcome
from server.games.wild_wild_pattern.state import State, check_options, rematch_options
from tests.games.wild_wild_pattern.positions import cards, hold, stage

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


PRACTICE = Options(practice=Practice.ON)


def seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


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
