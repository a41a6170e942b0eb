"""Who wins, where it is close (rules: Modes), and which options there are. What the Bank pays, and
how else a match ends, is compared with the oracle."""

import pytest

from protocol.games.wild_wild_pattern import DecidedBy, Mode, Options, Phase, Practice
from protocol.games.wild_wild_pattern.cards import Object
from server.games.wild_wild_pattern.rules import deadline
from server.games.wild_wild_pattern.scoring import end_round, outcome
from server.games.wild_wild_pattern.state import State, check_options, rematch_options
from tests.games.wild_wild_pattern.positions import hold, stage

SIXTY = "bottle-red star-red pistol-red"  # one of a suit, and three of a colour
STRAIGHT = "star-red pistol-azure loot-yellow bottle-grey wanted-white"


def banking(money: list[int], *piles: str) -> State:
    """The round is over, with these cards won. What lies before nobody does not matter here."""
    state = stage(seats=len(money))
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


def test_two_wilds_share_the_win() -> None:
    other = "star-azure pistol-yellow loot-grey bottle-white wanted-red"
    assert result(banking([0, 0, 500], STRAIGHT, other)) == ((0, 1), DecidedBy.WILD)


PRACTICE = Options(practice=Practice.ON)


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
    assert rematch_options(options, seats, bytes(32)) is options
