"""The result says who won and why, and what the Bank paid last."""

import pytest
from msgspec.structs import replace

from clocktowers_tui.games.wild_wild_pattern.result import result_details, result_lines
from protocol.games.wild_wild_pattern import (
    DecidedBy,
    FiveColours,
    Mode,
    Options,
    Outcome,
    Phase,
)
from protocol.text import cells
from tests.games.wild_wild_pattern.boards import (
    BANKED,
    NAMES,
    board,
    cards,
    visits,
)
from tests.games.wild_wild_pattern.matches import RULES, Match

OVER = board(4, Phase.OVER, bank=visits(BANKED))
WHY = {
    DecidedBy.WILD_PATTERN: "the Wild Wild Pattern!",
    DecidedBy.WILD: "WILD! Ann brought all five colours to the Bank.",
    DecidedBy.MONEY: "The richest player above 3 dollars wins.",
    DecidedBy.ROUNDS: "The richest wins after the last round.",
    DecidedBy.LAST: "All the others are out.",
    DecidedBy.LEVEL: "Tied three times in a row",
}


def lines(outcome: Outcome, view: object = OVER) -> list[str]:
    return [line.plain for line in result_lines(view, outcome, NAMES, 70)]  # type: ignore[arg-type]


@pytest.mark.parametrize("decided", DecidedBy)
def test_what_decided(decided: DecidedBy) -> None:
    said = lines(Outcome((310, 40, 0, 2050), (0,), decided))
    assert said[0] == "You win" and WHY[decided] in said[1]


def test_five_of_one_object_are_named_where_five_colours_do_not_win() -> None:
    view = replace(OVER, options=Options(five_colours=FiveColours.PAY))
    said = lines(Outcome((310, 40, 0, 20), (0, 1), DecidedBy.WILD), view)
    assert said[1] == "WILD! Ann and Björn brought five of one object to the Bank."


def test_everybody_s_money_best_first() -> None:
    said = lines(Outcome((310, 40, 0, 2050), (0, 3), DecidedBy.LEVEL))
    assert said[0] == "Ann and Dmitri share the win"
    assert [line.split()[:2] for line in said[3:]] == [
        ["Dmitri", "$20.50"],
        ["Ann", "$3.10"],
        ["Björn", "$0.40"],
        ["Chiara", "$0.00"],
    ]


def test_who_is_out() -> None:
    vivo = Options(mode=Mode.VIVO)
    view = replace(OVER, options=vivo, standing=[True, False, False, False])
    said = lines(Outcome((100, 40, 0, 20), (0,), DecidedBy.LAST), view)
    assert said[3].endswith("wins") and said[4].endswith("out")


def test_the_last_visit_line_by_line() -> None:
    outcome = Outcome((310, 40, 0, 2050), (0,), DecidedBy.MONEY)
    told = "\n".join(line.plain for line in result_details(OVER, outcome, NAMES, 70))
    assert "Ann: $1.30\n  white loot (coin), red star (coin)" in told
    assert "  3 of the Target: $0.60" in told
    assert "With more than five cards you get nothing." in told


def test_a_long_hand_stays_below_its_player() -> None:
    outcome = Outcome((310, 40, 0, 2050), (0,), DecidedBy.MONEY)
    told = [line.plain for line in result_details(OVER, outcome, NAMES, 40)]
    assert all(cells(line) <= 40 for line in told)
    assert told[2:4] == [
        "  white loot (coin), red star (coin),",
        "  azure star (bullets),",
    ]


def test_five_colours_win_or_are_paid() -> None:
    five = cards("PRC LAC SYC BGB HWB")
    outcome = Outcome((310, 40, 0, 20), (0,), DecidedBy.WILD)
    for options, says in (
        (Options(), "WILD: wins the match"),
        (Options(five_colours=FiveColours.PAY), "5 colours: $1.00"),
    ):
        view = replace(OVER, bank=visits([five], options), options=options)
        told = [line.plain.strip() for line in result_details(view, outcome, NAMES, 70)]
        assert says in told


def test_real_matches_end_in_lines_that_fit() -> None:
    for seats in (1, 2, 4):
        match = Match(seats, seed=seats)
        while not match.over():
            match.step()
        outcome = RULES.outcome(match.state)
        assert outcome is not None
        for width in (50, 70):
            said = result_lines(match.view(), outcome, NAMES, width)
            assert all(cells(line.plain) <= width for line in said[3:])
            result_details(match.view(), outcome, NAMES, width)
