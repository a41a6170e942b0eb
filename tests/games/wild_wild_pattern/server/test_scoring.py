"""The Bank, and how a match ends in both modes (rules: Bank; Modes)."""

import pytest

from protocol.games.wild_wild_pattern import (
    MAX_ROUNDS,
    DecidedBy,
    FiveColours,
    Mode,
    Options,
    Phase,
    RoundBegan,
    Visit,
)
from protocol.games.wild_wild_pattern.bank import CENTS, Line, cents, lines
from protocol.games.wild_wild_pattern.cards import Object
from server.games.wild_wild_pattern.rules import deadline
from server.games.wild_wild_pattern.scoring import end_round, outcome
from server.games.wild_wild_pattern.state import State
from tests.games.wild_wild_pattern.positions import cards, hold, stage

VIVO = Options(mode=Mode.VIVO)
SIXTY = "bottle-red star-red pistol-red"  # one of a suit, and three of a colour


def paid(names: str, target: Object = Object.BARREL, *, win: bool = True) -> dict[str, int]:
    met = lines(cards(names), target, five_colours_win=win)
    assert len(set(met)) == len(met)
    return {line.value: CENTS[line] for line in met}


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


# What the Bank pays ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("", {}),
        ("star-red", {"one_of_a_suit": 10}),
        ("star-red star-white", {"one_of_a_suit": 10, "two_object": 10}),
        ("star-red pistol-red", {"two_colour": 10}),
        ("star-red pistol-red horseshoe-red", {"three_colour": 50}),
        ("star-red pistol-red horseshoe-red loot-red", {"one_of_a_suit": 10, "four_colour": 100}),
        ("star-red star-yellow star-grey", {"three_object": 50}),
        ("star-red star-yellow star-grey star-azure", {"one_of_a_suit": 10, "four_object": 100}),
        ("star-red star-yellow pistol-yellow pistol-grey", {"two_colour": 10, "two_object": 10}),
    ],
)
def test_each_line_means_exactly_and_is_paid_once(names: str, expected: dict[str, int]) -> None:
    assert paid(names) == expected


def test_five_of_a_kind() -> None:
    five_red = "star-red pistol-red horseshoe-red loot-red bottle-red"
    assert paid(five_red) == {"five_colour": 150, "five_objects": 20}
    coins = "star-red pistol-red horseshoe-red loot-azure bottle-azure"
    assert paid(coins) == {
        "five_of_a_suit": 50,
        "two_colour": 10,
        "three_colour": 50,
        "five_objects": 20,
    }


@pytest.mark.parametrize(("count", "sum_"), [(0, None), (1, 10), (2, 30), (3, 60), (4, 100)])
def test_targets(count: int, sum_: int | None) -> None:
    names = " ".join(f"barrel-{colour}" for colour in ("red", "azure", "yellow", "grey")[:count])
    pay = paid(names)
    assert [pay[line] for line in pay if "target" in line] == ([] if sum_ is None else [sum_])


STRAIGHT = "star-red pistol-azure loot-yellow bottle-grey wanted-white"


def test_wild_is_five_colours_or_five_identical_objects() -> None:
    assert Line.WILD in paid(STRAIGHT)
    stars = " ".join(f"star-{colour}" for colour in ("red", "azure", "yellow", "grey", "white"))
    assert Line.WILD in paid(stars)
    assert Line.WILD in paid(stars.replace("star", "wanted"))
    assert Line.WILD not in paid(STRAIGHT.replace("white", "grey"))
    assert Line.WILD not in paid(STRAIGHT + " star-white")


def test_five_colours_may_pay_a_dollar_instead() -> None:
    pay = paid(STRAIGHT, win=False)
    assert pay["five_colours"] == 100
    assert Line.WILD not in pay
    stars = " ".join(f"star-{colour}" for colour in ("red", "azure", "yellow", "grey", "white"))
    assert Line.WILD in paid(stars, win=False)


def test_more_than_five_cards_are_paid_nothing() -> None:
    assert paid("star-red star-azure star-yellow star-grey star-white barrel-red") == {}
    assert cents([]) == 0


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
