"""What a review says as a whole: its mistakes, and where the match turned."""

import pytest
from msgspec.structs import replace

from clocktowers_tui.history.review import Reviewed, is_mistake, lead, mistakes, turned_at
from protocol.reviewing import POINT, Begun, Judged, Weighed


def reviewed(leads: list[float], scores: list[int], lost: dict[int, int] | None = None) -> Reviewed:
    """With a decision at every second ply, from 2 on. `lost`: by ply."""
    plies = [2 * number for number in range(1, len(leads) + 1)]
    findings = [
        Judged(ply, None, None, None, _led(value), _led(value + 1), (lost or {}).get(ply, 0))
        for ply, value in zip(plies, leads, strict=True)
    ]
    names = [f"Ann {seat}" for seat in range(len(scores))]
    return Reviewed(Begun("clocktowers", names, scores, plies), 0, findings)


def _led(value: float) -> Weighed:
    return Weighed(int(value * POINT), int(value * POINT), 0)


def test_the_largest_loss_comes_first_and_what_is_nothing_is_left_out() -> None:
    one = reviewed([1.0] * 5, [9, 7], {2: 500, 4: 99, 6: 3400, 8: 500})
    assert [each.ply for each in mistakes(one)] == [6, 2, 8]


@pytest.mark.parametrize(
    ("better", "is_one"),
    [
        (Weighed(21_744, 13_500, 1000), False),
        (Weighed(21_744, 13_500, 995), True),
        (Weighed(21_760, 13_500, 1000), True),
        (Weighed(21_744, 13_500), True),
    ],
)
def test_what_shows_as_equal_is_no_mistake(better: Weighed, is_one: bool) -> None:
    """Points to a tenth, and how often it wins; the lead is of the others, too."""
    played = Weighed(21_660, 12_900, 1000)
    one = Judged(2, None, None, None, played, better, 600)
    assert is_mistake(one) == is_one
    assert not is_mistake(replace(one, lost=499))


@pytest.mark.parametrize(
    ("leads", "scores", "ply"),
    [
        ([1, 2, 1], [9, 7], None),
        ([-1, -2, -1], [7, 9], None),
        ([1, -2, 1, 2], [9, 7], 6),
        ([1, -2, -1, -0.5], [7, 9], 4),
        ([1, 2], [7, 9], 4),
        ([1, 2, 0], [7, 7], 6),
        ([1, -0.9, 1], [9, 7], None),
        ([-0.9, 0.5, -0.5], [9, 7], None),
        ([0.5, -0.5, 0], [7, 7], None),
        ([-1, 0.5, -0.5, 1], [9, 7], 4),
    ],
)
def test_the_match_turned_where_a_clear_lead_was_lost_for_good(
    leads: list[float], scores: list[int], ply: int | None
) -> None:
    assert turned_at(reviewed(leads, scores)) == ply


def test_the_lead_ends_with_the_result() -> None:
    assert lead(reviewed([1, -2], [9, 4, 7])) == [(2, 1000), (4, -2000), (4, 2000)]
    assert lead(reviewed([30], [41])) == [(2, 30000), (2, 41000)], "alone: the points"
