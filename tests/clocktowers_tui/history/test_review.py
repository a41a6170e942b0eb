"""What a review says as a whole: its mistakes, whose they were, and where the match turned; and
reviews on disk."""

import sqlite3
import zlib
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from clocktowers_tui.history import matches, review
from clocktowers_tui.history.file import history_file
from clocktowers_tui.history.review import (
    Reviewed,
    by_bot,
    is_mistake,
    judged,
    lead,
    mistakes,
    turning_point,
    worst_of_others,
)
from protocol.recording import POINT, VERSION, Begun, Judged, Weighed
from tests.clocktowers_tui.history.test_matches import packed, played


def reviewed(leads: list[float], scores: list[int], lost: dict[int, int] | None = None) -> Reviewed:
    """With a decision of the first seat at every second ply, from 2 on. `lost`: by ply."""
    plies = [2 * number for number in range(1, len(leads) + 1)]
    findings = [
        decided(ply, 0, value, (lost or {}).get(ply, 0))
        for ply, value in zip(plies, leads, strict=True)
    ]
    return of(findings, scores)


def decided(ply: int, seat: int, value: float, lost: int = 0) -> Judged:
    return Judged(ply, seat, None, None, None, _led(value), _led(value + lost / POINT), lost)


def of(findings: Sequence[Judged], scores: list[int], seat: int = 0) -> Reviewed:
    names = [f"Ann {seat}" for seat in range(len(scores))]
    winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
    plies = [one.ply for one in findings]
    return Reviewed(Begun("clocktowers", names, scores, winners, plies), seat, findings)


def _led(value: float) -> Weighed:
    return Weighed(int(value * POINT), int(value * POINT), 0)


def test_the_largest_loss_comes_first_and_what_is_nothing_is_left_out() -> None:
    one = reviewed([1.0] * 5, [9, 7], {2: 500, 4: 99, 6: 3400, 8: 500})
    assert [each.ply for each in mistakes(one)] == [6, 2, 8]


def test_what_a_bot_did_in_the_players_place_is_none_of_their_mistakes() -> None:
    one = reviewed([1.0] * 3, [9, 7], {2: 900, 4: 3400})
    findings = [replace(each, by_bot=each.ply > 2) for each in one.findings]
    other = one._replace(findings=findings)
    assert [each.ply for each in mistakes(one)] == [4, 2], "a control"
    assert [each.ply for each in mistakes(other)] == [2] == [each.ply for each in judged(other)]
    assert (by_bot(one), by_bot(other)) == (0, 2)
    assert lead(other) == lead(one), "but the match went as it did"


def test_the_decisive_loss_of_each_other_seat_is_found() -> None:
    """Of two alike the earlier."""
    lost = [(1, 0, 4000), (2, 1, 700), (3, 2, 900), (4, 1, 5000), (5, 2, 900), (6, 3, 400)]
    findings = [decided(ply, seat, 0, loss) for ply, seat, loss in lost]
    assert [each.ply for each in worst_of_others(of(findings, [9, 7, 5, 3]))] == [4, 3]
    assert [each.ply for each in worst_of_others(of(findings, [9, 7, 5, 3], seat=1))] == [1, 3]


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
    one = Judged(2, 0, None, None, None, played, better, 600)
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
    turned = turning_point(reviewed(leads, scores))
    assert (turned.ply if turned else None) == ply


def test_the_match_turned_where_the_list_says_who_threw_it_away() -> None:
    """By the decision of either seat: the one that lost the lead itself, and the same for both."""
    findings = [decided(2, 0, 2), decided(3, 1, -2), decided(4, 0, -3, 4500), decided(5, 1, 3)]
    for seat in (0, 1):
        assert turning_point(of(findings, [7, 9], seat)) == findings[2]
    found = mistakes(of(findings, [7, 9]))
    assert found == [findings[2]] == worst_of_others(of(findings, [7, 9], seat=1))
    even = [*findings[:2], decided(4, 0, 1.5), findings[3]]
    assert turning_point(of(even, [7, 9])) == findings[3], "a control: what came next, no mistake"


def test_the_lead_ends_with_the_result() -> None:
    assert lead(reviewed([1, -2], [9, 4, 7])) == [(2, 1000), (4, -2000), (4, 2000)]
    assert lead(reviewed([30], [41])) == [(2, 30000), (2, 41000)], "alone: the points"


# On disk ------------------------------------------------------------------------------------------


BEGUN = Begun("clocktowers", ["Ann", "Bo"], [9, 7], [0], [3, 7])
FINDINGS = [
    Judged(ply, 0, {"seat": 0}, ["draw", 0], ["draw", 1], Weighed(1, 2, 3), Weighed(4, 5, 6), 700)
    for ply in BEGUN.plies
]


@pytest.fixture(autouse=True)
def two_kept() -> None:
    for match in ("m1", "m2"):
        matches.keep(match, packed(played(match)), 0, 1000)
        review.keep(match, BEGUN, FINDINGS)


def test_it_comes_out_as_it_went_in() -> None:
    assert review.of("m1") == (BEGUN, FINDINGS)
    assert review.of("m3") is None


def test_it_goes_with_its_match() -> None:
    matches.delete("m1")
    assert review.of("m1") is None and review.of("m2") is not None
    review.keep("m1", BEGUN, FINDINGS)
    assert review.of("m1") is None, "nothing is kept beside a match that is not there"


def test_one_that_another_program_has_made_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review, "VERSION", VERSION + 1)
    assert review.of("m1") is None
    review.keep("m1", BEGUN, FINDINGS[:1])
    assert review.of("m1") == (BEGUN, FINDINGS[:1])


@pytest.mark.parametrize("made", [b"", b"torn", zlib.compress(b"\xc1"), zlib.compress(b"\x90")])
def test_what_is_damaged_is_none(made: bytes) -> None:
    with sqlite3.connect(history_file()) as file:
        file.execute("UPDATE review SET made = ?", (made,))
    assert review.of("m1") is None
