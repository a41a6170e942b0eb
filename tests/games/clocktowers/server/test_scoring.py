"""Points of a tower, who wins, and what a match begins with."""

import pytest

from protocol.games.clocktowers import (
    DecidedBy,
    Options,
    Outcome,
    tower_points,
)
from server.games.clocktowers.rules import outcome
from server.games.clocktowers.state import OVER, check_options, rematch_options, setup
from tests.games.clocktowers.positions import SEED, add_tower, cards


@pytest.mark.parametrize(
    ("tower", "counting", "ignoring"),
    [
        ("1- K- Rb", 5, 5),
        ("1c K- Rb", 4, 4),
        ("1c 2c K- Rb", 4, 4),
        ("1c 1m K- Rb", 3, 3),
        ("1m K- Rb", 2, 2),
        ("2m 1m 2m K- Ry", 2, 2),
        ("1- Km Rb", 2, 5),
        ("1c Km Rb", 3, 4),
        ("1m Km Rb", 2, 2),
        ("2c 1m Km Rb", 3, 3),
    ],
)
def test_tower_points(tower: str, counting: int, ignoring: int) -> None:
    assert tower_points(cards(tower), True) == counting
    assert tower_points(cards(tower), False) == ignoring


def ended(*towns: list[tuple[str, int]]) -> Outcome:
    """The outcome of a match that ended with these towers and their points, by seat."""
    state = setup(Options(), len(towns), SEED)
    for seat, town in enumerate(towns):
        for tower, worth in town:
            add_tower(state, seat, tower, worth)
    assert outcome(state) is None
    state.phase = OVER
    result = outcome(state)
    assert result is not None
    return result


PLAIN = ("1- K- Rb", 5)
MOUSE = ("1c 2m K- Rb", 3)  # a mouse on top, 3 points
CAT = ("1m 2c K- Rb", 3)  # a cat on top, 3 points
NEITHER = ("1m 1c 1- K- Rb", 3)  # the same points, nothing on top
BOTH = [MOUSE, CAT]


@pytest.mark.parametrize(
    ("towns", "winners", "decided_by"),
    [
        ([[PLAIN], [MOUSE]], (0,), DecidedBy.POINTS),
        ([[NEITHER], [MOUSE]], (1,), DecidedBy.MOUSE),
        ([[CAT], [MOUSE]], (1,), DecidedBy.MOUSE),
        ([[NEITHER], [CAT]], (1,), DecidedBy.CAT),
        ([[NEITHER], [NEITHER]], (0, 1), DecidedBy.SHARED),
        ([[MOUSE], [MOUSE]], (0, 1), DecidedBy.SHARED),
        ([[CAT], [CAT]], (0, 1), DecidedBy.SHARED),
        # All have a mouse, so that step decides nothing; the cat does.
        ([BOTH, [MOUSE, NEITHER]], (0,), DecidedBy.CAT),
        # Two of three have a mouse: the third is out, though only it has a cat.
        ([[MOUSE], [CAT], [MOUSE]], (0, 2), DecidedBy.SHARED),
        ([BOTH, [CAT, CAT], [MOUSE, NEITHER]], (0,), DecidedBy.CAT),
        # Nobody has a mouse; two of three have a cat.
        ([[CAT], [NEITHER], [CAT]], (0, 2), DecidedBy.SHARED),
        # A player with fewer points takes no part, whatever is on top.
        ([[NEITHER, NEITHER], [NEITHER, CAT], [MOUSE], [MOUSE]], (1,), DecidedBy.CAT),
        ([[], [], [], []], (0, 1, 2, 3), DecidedBy.SHARED),
        # A clock is no floor: its mouse is not on top.
        ([[("1c Km Rb", 3)], [NEITHER]], (0,), DecidedBy.CAT),
        ([[("1m 1- Km Rb", 2)], [("1m 1- K- Rg", 2)]], (0, 1), DecidedBy.SHARED),
        # Incomplete towers decide nothing, and one complete tower of several is enough.
        ([[NEITHER, ("1m", 0), ("2c K-", 0)], [NEITHER]], (0, 1), DecidedBy.SHARED),
        ([[NEITHER, MOUSE], [NEITHER, NEITHER]], (0,), DecidedBy.MOUSE),
    ],
)
def test_winners(
    towns: list[list[tuple[str, int]]], winners: tuple[int, ...], decided_by: DecidedBy
) -> None:
    result = ended(*towns)
    assert (result.winners, result.decided_by) == (winners, decided_by)
    assert result.scores == tuple(sum(worth for _, worth in town) for town in towns)


def test_cards_do_not_depend_on_who_begins() -> None:
    deals = [setup(Options(first_seat=first), 4, SEED).deal for first in (None, 0, 3)]
    assert len({(deal.piles, deal.removed) for deal in deals}) == 1
    assert [deal.first_seat for deal in deals[1:]] == [0, 3]


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        (Options(), None),
        (Options(first_heights=(2,), first_seat=1), None),
        (Options(first_heights=(1,)), "first_heights"),
        (Options(first_heights=(2, 1)), "first_heights"),
        (Options(first_heights=()), "first_heights"),
        (Options(first_seat=2), "first_seat"),
    ],
)
def test_check_options(options: Options, wrong: str | None) -> None:
    assert check_options(options, 2) == wrong


def test_the_next_seat_begins_a_rematch() -> None:
    options = Options(first_heights=(2,))
    first = setup(options, 3, SEED).deal.first_seat
    again = rematch_options(options, 3, SEED)
    assert again == Options(first_heights=(2,), first_seat=(first + 1) % 3)
    assert rematch_options(again, 3, SEED).first_seat == (first + 2) % 3
