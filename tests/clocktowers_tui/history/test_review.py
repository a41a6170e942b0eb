"""What a review says as a whole: its mistakes, whose they were, and where the match turned; and
reviews on disk."""

import json
import sqlite3
import zlib
from collections.abc import Sequence
from contextlib import aclosing

import pytest
from msgspec.structs import replace

from clocktowers_tui.games.face import Cost
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.history import history_file, matches, review
from clocktowers_tui.history.record import comments_of
from clocktowers_tui.history.review import (
    Reviewed,
    by_bot,
    course,
    got,
    has_review,
    is_mistake,
    judged,
    made,
    mistakes,
    reasons,
    turning_point,
    whole_record,
    worst_of_others,
)
from clocktowers_tui.keys.keymap import DEFAULT_KEYS
from clocktowers_tui.phrases.review import (
    answer_in_words,
    found_in_words,
    progress_in_words,
    review_in_words,
    tried_in_words,
)
from protocol.recording import VERSION, Begun, Judged, Weighed
from protocol.signing import public_key, signed, signer
from tests.clocktowers_tui.history.test_matches import packed, played
from tests.stage.reviewed import planted
from tests.stage.seen_again import record

SECRET = bytes(range(32))


def reviewed(wins: list[int], scores: list[int], lost: dict[int, int] | None = None) -> Reviewed:
    """With a decision of the first seat at every second ply, from 2 on. `lost`: by ply."""
    plies = [2 * number for number in range(1, len(wins) + 1)]
    findings = [
        decided(ply, 0, value, (lost or {}).get(ply, 0))
        for ply, value in zip(plies, wins, strict=True)
    ]
    return of(findings, scores)


def decided(ply: int, seat: int, wins: int, lost: int = 0, *, in_points: bool = False) -> Judged:
    """With two standard errors of 30."""
    played, better = Weighed(9000, wins), Weighed(9000, wins + lost)
    return Judged(ply, seat, None, None, None, played, better, lost, 30, in_points)


def of(findings: Sequence[Judged], scores: list[int], seat: int = 0) -> Reviewed:
    names = [f"Ann {seat}" for seat in range(len(scores))]
    winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
    plies = [one.ply for one in findings]
    return Reviewed(Begun("clocktowers", names, scores, winners, plies), seat, findings)


def test_the_largest_loss_comes_first_and_what_is_nothing_is_left_out() -> None:
    """By what is told of each: 34, 8, 7 wins of 100. Of points last, whatever they come to."""
    one = reviewed([350, 500, 500, 344], [9, 7], {2: 74, 6: 340, 8: 72})
    points = decided(12, 0, 1000, 3400, in_points=True)
    one = one._replace(findings=[*one.findings, points])
    assert [each.ply for each in mistakes(one)] == [6, 8, 2, 12]
    assert not is_mistake(one.findings[1]) and is_mistake(points)


def test_what_a_bot_did_in_the_players_place_is_none_of_their_mistakes() -> None:
    one = reviewed([500] * 3, [9, 7], {2: 90, 4: 340})
    findings = [replace(each, by_bot=each.ply > 2) for each in one.findings]
    other = one._replace(findings=findings)
    assert [each.ply for each in mistakes(one)] == [4, 2], "a control"
    assert [each.ply for each in mistakes(other)] == [2] == [each.ply for each in judged(other)]
    assert (by_bot(one), by_bot(other)) == (0, 2)
    assert course(other) == course(one), "but the match went as it did"


def test_the_decisive_loss_of_each_other_seat_is_found() -> None:
    """Of two alike the earlier."""
    lost = [(1, 0, 400), (2, 1, 70), (3, 2, 90), (4, 1, 500), (5, 2, 90), (6, 3, 0)]
    findings = [decided(ply, seat, 0, loss) for ply, seat, loss in lost]
    assert [each.ply for each in worst_of_others(of(findings, [9, 7, 5, 3]))] == [4, 3]
    assert [each.ply for each in worst_of_others(of(findings, [9, 7, 5, 3], seat=1))] == [1, 3]


@pytest.mark.parametrize(
    ("lost", "scores", "ply"),
    [
        ({}, [7, 9], None),
        ({4: 149}, [7, 9], None),
        ({4: 150}, [7, 9], 4),
        ({4: 150}, [9, 7], None),
        ({4: 150}, [9, 9], 4),
        ({4: 200, 8: 160}, [7, 9], 4),
        ({4: 200, 8: 161}, [7, 9], None),
        ({4: 161, 8: 200, 6: 90}, [7, 9], None),
    ],
)
def test_the_match_turned_where_who_did_not_win_lost_clearly_more_than_anywhere_else(
    lost: dict[int, int], scores: list[int], ply: int | None
) -> None:
    turned = turning_point(reviewed([500] * 4, scores, lost))
    assert (turned.ply if turned else None) == ply


def test_the_match_turned_by_a_decision_of_any_seat_but_never_by_points() -> None:
    """The same for all of them; nor by what a bot did for somebody."""
    findings = [decided(2, 0, 600), decided(3, 1, 300, 200), decided(4, 0, 500, 300)]
    by_bots = [replace(each, by_bot=each.seat == 0) for each in findings]
    assert turning_point(of(by_bots, [7, 9])) is None and not worst_of_others(
        of(by_bots, [7, 9], 1)
    )
    more = decided(5, 1, 0, 9000, in_points=True)
    for seat in (0, 1):
        assert turning_point(of([*findings, more], [9, 7], seat)) == findings[1]
        assert turning_point(of([*findings, more], [7, 9], seat)) == findings[2]


def test_accuracy_is_the_part_of_decisions_without_a_mistake() -> None:
    """Whatever a mistake costs."""
    points = decided(99, 0, 900, 3000, in_points=True)
    for more, share in (([], 666), ([points], 500)):
        one = reviewed([300] * 3, [9, 7], {2: 90})
        assert got(one._replace(findings=[*one.findings, *more])) == share
    assert got(of([], [30])) == 1000


def more(*points: int) -> list[dict[str, tuple[int, int]]]:
    """`Judged.parts`: what each seat has more as played."""
    return [{"new": (each, 0)} for each in points]


BOARD = [
    Cost(1, "Bad.", 1500, aims=True),
    Cost(1, "Worse.", 500),
    Cost(0, "Now Ann.", 1000, aims=True),
    Cost(1, "-"),
]


@pytest.mark.parametrize(
    ("points", "why"),
    [
        ((), "Bad. Worse. Now Ann."),
        ((10, -1210), "Bad. Worse."),
        ((900, -320), "Now Ann. Bad. Worse."),
        ((3200, 2000), "Now Ann."),
    ],
)
def test_why_it_was_a_mistake_agrees_with_the_points_that_it_was_weighed_by(
    points: tuple[int, ...], why: str
) -> None:
    """Points are lost by the leads as they are told: 7.9 and 6.6. What is little is left out, and
    of what is better what a reason said."""
    begun, findings = planted(record(("Ann", "Bo"), "abc1"), 1, {11: 340})
    face = FACES["clocktowers"]._replace(costs=lambda *given: BOARD)
    played, better = Weighed(6640, 990), Weighed(7860, 990)
    told = {"in_points": True, "error": 100, "parts": more(*points)}
    one = replace(max(findings, key=lambda one: one.lost), played=played, better=better, **told)
    reviewed = Reviewed(begun, 1, [one])
    [[whole, *shorter], [figures, said, *_]] = found_in_words(face, reviewed, one)
    assert whole.startswith("Costs 1.3\N{NO-BREAK SPACE}points. ") and whole.endswith(f". {why}")
    assert "±" not in whole
    ends = "7.9 points ahead at the end, as played 6.6 points ahead ± 0.1"
    assert figures.replace("\N{NO-BREAK SPACE}", " ").endswith(ends)
    tried = replace(one, action=None, played=Weighed(7000, 990), in_points=False)
    answer = answer_in_words(face, begun.names, tried, one).replace("\N{NO-BREAK SPACE}", " ")
    ends = "; 7.9 points ahead at the end, this move 7.0 points ahead, in the match 6.6"
    assert answer.endswith(f"{ends} points ahead")
    assert said == "Better: draw a green roof" and f"{said} for tower 2 (" in answer
    first = BOARD[2 if why.startswith("Now") else 0].said
    assert f"Costs 1.3\N{NO-BREAK SPACE}points. {first}" in shorter


def test_a_move_that_is_tried_again_is_told_in_the_unit_of_the_mistake() -> None:
    own, ahead = decided(9, 0, 300, 1500, in_points=True), "9.0 points ahead"
    same, other = own, replace(own, action=["draw", 1], lost=0, in_points=False)
    for one, said in (
        (same, "9.0 points ahead at the end, as in the match. Something is clearly better."),
        (other, f"{ahead} at the end; in the match: {ahead}. Nothing is clearly better."),
        (replace(other, ply=10), f"{ahead} at the end. From here on nothing is clearly better."),
    ):
        assert tried_in_words(one, own, DEFAULT_KEYS)[0].replace("\N{NO-BREAK SPACE}", " ") == said
    behind = replace(one, played=Weighed(-9000, 330))
    assert " behind at the end; " in tried_in_words(behind, own, DEFAULT_KEYS)[0]
    near = replace(other, played=Weighed(9000, 330), better=Weighed(9000, 400))
    (said, *_how) = tried_in_words(near, replace(own, in_points=False), DEFAULT_KEYS)
    assert "33" in said and said.endswith("the best 180: hardly a difference.")
    above = replace(near, played=Weighed(9000, 1900))
    (said, *_how) = tried_in_words(above, replace(own, in_points=False), DEFAULT_KEYS)
    assert "190" in said and said.endswith("Nothing is clearly better.")
    assert "of 100, 9.0" in tried_in_words(other, None, DEFAULT_KEYS)[0]


def test_what_a_seat_without_more_points_lost_is_told_where_nothing_else_is() -> None:
    """Of another's mistake it is what weighs most, as who made it reads it."""
    begun, findings = planted(record(("Ann", "Bo"), "abc1"), 1, {11: 340})
    one = replace(max(findings, key=lambda one: one.lost), parts=more(0, -1210))
    face = FACES[begun.game]._replace(costs=lambda *given: BOARD[:2])
    told, _better = found_in_words(face, Reviewed(begun, 0, [one]), one)
    assert told[0].startswith("What cost Bo most: ") and told[0].endswith(" What Bo reads: Bad.")
    later = "clock. Ann can now take a green roof for a new tower."
    for own, said in ((90, "Bad. Worse."), (110, later)):
        level = replace(one, parts=more(900, own))
        told, _better = found_in_words(face, Reviewed(begun, 1, [level]), level)
        assert told[0].endswith(said)


def test_what_the_board_does_not_show_is_told_by_what_comes_later() -> None:
    """The board shows less than two fifths of what was lost."""
    begun, findings = planted(record(("Ann", "Bo"), "abc1"), 1, {11: 340})
    one = replace(max(findings, key=lambda one: one.lost), better=Weighed(11_000, 590))
    later = [Cost(1, said, points) for said, points in (("Much.", 500), ("Little.", 499))]
    for points, shown in (
        ([800], True),
        ([799], False),
        ([0], False),
        ([3001, -1000], True),
        ([3000, -1000], False),
    ):
        costs = [Cost(1, "Bad.", points=each) for each in points]
        face = FACES[begun.game]._replace(
            costs=lambda *given, costs=costs: costs, later=lambda *given: later
        )
        assert reasons(face, begun.names, one) == (costs[:1] if shown else later[:1])
    few = face._replace(later=lambda *given: later[1:])
    assert reasons(few, begun.names, one) == later[1:], "there is nothing else"


def test_a_part_of_a_review_says_nothing_as_if_it_were_all() -> None:
    """Neither that there was no mistake, nor where the course ends."""
    one, face = reviewed([600, 300], [9, 7]), FACES["clocktowers"]
    one = one._replace(begun=replace(one.begun, plies=[2, 4, 5], seats=[0, 0, 1]))
    for some, told, far in (
        (0, "", " made: 0\N{NO-BREAK SPACE}%."),
        (1, "1 of 2 of your decisions are judged, 0 mistakes so far.", ": 50\N{NO-BREAK SPACE}%."),
        (2, "2 decisions: none was a clear mistake.", "judged; the others’ follow."),
    ):
        part = one._replace(findings=one.findings[:some])
        first, *page = [*(line.text for line in review_in_words(face, part, 60)), ""]
        assert first.startswith("Match of") and page[0] == told
        assert course(part) == [(2, 600), (4, 300)][:some]
        assert progress_in_words(part).endswith(far)


def test_the_course_ends_with_the_result() -> None:
    assert course(reviewed([600, 300], [9, 4, 7])) == [(2, 600), (4, 300), (4, 1000)]
    assert course(reviewed([600], [9, 9]))[-1] == (2, 500), "they share it"
    alone = Judged(2, 0, None, None, None, Weighed(30_000), Weighed(30_000), 0, 500, True)
    assert course(of([alone], [41])) == [(2, 30_000), (2, 41_000)], "alone: the points"


# In a record ------------------------------------------------------------------------------------


async def test_it_goes_with_the_record_of_its_match_and_nothing_is_judged_again() -> None:
    """No bot would find what was planted. It comes out as it went in, and so do comments."""
    line = record(("Ann", "Bo"), "abc1")
    begun, findings = planted(line, 1, {11: 340, 5: 90})
    matches.keep("abc1", zlib.compress(signed_line(line)), 1, 1000)
    assert whole_record("abc1") == matches.line_of("abc1")
    review.keep("abc1", begun, findings)
    matches.comment("abc1", 7, "Here I lost it.")
    whole = whole_record("abc1")
    assert signer(json.loads(whole)) == public_key(SECRET)
    assert comments_of(whole) == {7: "Here I lost it."} and has_review(whole)
    async with aclosing(made(whole, "", 1)) as reviews:
        *_all, last = [one async for one in reviews]
    assert last == Reviewed(begun, 1, tuple(findings)) and last.whole
    review.keep("m1", begun, findings[:1])
    assert review.newest() == ("abc1", Reviewed(begun, 0, findings)), "half a review is none"


def signed_line(line: bytes) -> bytes:
    return json.dumps(signed(json.loads(line), SECRET)).encode()


# On disk ------------------------------------------------------------------------------------------


BEGUN = Begun("clocktowers", ["Ann", "Bo"], [9, 7], [0], [3, 7])
FINDINGS = [
    Judged(ply, 0, {"seat": 0}, ["draw", 0], ["draw", 1], Weighed(1, 2), Weighed(4, 5), 3, 1)
    for ply in BEGUN.plies
]


@pytest.fixture(autouse=True)
def two_kept() -> None:
    for match in ("m1", "m2"):
        matches.keep(match, packed(played(match)), 0, 1000)
        review.keep(match, BEGUN, FINDINGS)


def test_it_comes_out_as_it_went_in_and_goes_with_its_match_and_its_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert review.of("m1") == review.of("m2") == (BEGUN, FINDINGS) and review.of("m3") is None
    matches.delete("m1")
    review.keep("m1", BEGUN, FINDINGS)
    assert review.of("m1") is None, "nothing is kept beside a match that is not there"
    monkeypatch.setattr(review, "VERSION", VERSION + 1)
    assert review.of("m2") is None, "another program has made it"
    review.keep("m2", BEGUN, FINDINGS[:1])
    assert review.of("m2") == (BEGUN, FINDINGS[:1])


@pytest.mark.parametrize("made", [b"", b"torn", zlib.compress(b"\xc1"), zlib.compress(b"\x90")])
def test_what_is_damaged_is_none(made: bytes) -> None:
    with sqlite3.connect(history_file()) as file:
        file.execute("UPDATE review SET made = ?", (made,))
    assert review.of("m1") is None
