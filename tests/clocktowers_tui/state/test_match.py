"""A match in the client's mind: views replace, waiting ends, proofs are checked, and what was shown
stays to be looked at."""

import pytest
from msgspec.structs import replace

from clocktowers_tui.state import match as matches
from clocktowers_tui.state.match import MOST, LineKind, Match, joined
from protocol.errors import RemoteProtocolError
from protocol.from_server import Ended, History, Notice, Update
from protocol.games.clocktowers import Discarded
from protocol.ids import Seat
from tests.stage import small_match


def begun() -> Match:
    return matches.updated(
        matches.started(small_match.started(), ("Ann", "Bob")), small_match.update(0)
    )


def test_the_log_keeps_codes_and_has_a_bound_and_events_outlive_it() -> None:
    match = matches.updated(begun(), small_match.update(1, discards=2))
    assert [line.what for line in match.log] == [Discarded(0), Discarded(0)]
    for n in range(matches.MAX_LOG + 5):
        match = matches.noticed(match, Notice("joined", {"name": str(n)}))
    assert len(match.log) == matches.MAX_LOG
    last = match.log[-1]
    assert last.kind is LineKind.NOTICE
    assert last.what == Notice("joined", {"name": str(matches.MAX_LOG + 4)})
    assert match.events == (Discarded(0), Discarded(0))
    match = matches.updated(match, small_match.update(2, discards=matches.MAX_EVENTS))
    assert len(match.events) == matches.MAX_EVENTS


@pytest.mark.parametrize("answer_first", [True, False])
def test_waiting_ends_with_the_view_that_has_the_action(answer_first: bool) -> None:
    match = matches.sent(begun(), b"key")
    match = matches.answered(match, b"other", 1)
    assert match.pending is not None
    if answer_first:
        match = matches.answered(match, b"key", 2)
        match = matches.updated(match, small_match.update(1))
        assert match.pending is not None
        match = matches.updated(match, small_match.update(2))
    else:
        match = matches.updated(match, small_match.update(2))
        assert match.pending is not None
        match = matches.answered(match, b"key", 2)
    assert match.pending is None


def test_waiting_ends_with_a_refusal_of_that_action() -> None:
    match = matches.sent(begun(), b"key")
    assert matches.answered(match, b"other", None).pending is not None
    assert matches.answered(match, b"key", None).pending is None


def test_the_seed_is_checked_against_the_promise() -> None:
    assert matches.ended(begun(), small_match.ended()).proven
    assert not matches.ended(begun(), small_match.ended(seed="00" * 32)).proven
    assert not matches.ended(begun(), small_match.ended(seed="no hex")).proven
    assert not begun().proven


def test_an_end_without_an_outcome_is_broken_off() -> None:
    match = matches.ended(matches.sent(begun(), b"key"), Ended(match="m1", aborted=True))
    assert (match.over, match.aborted, match.pending) == (True, True, None)
    assert not matches.ended(begun(), small_match.ended()).aborted


@pytest.mark.parametrize("view", [None, [], {"phase": "nap"}, {"phase": "play", "hands": "text"}])
def test_a_view_of_no_game_breaks_the_line(view: object) -> None:
    with pytest.raises(RemoteProtocolError):
        matches.updated(begun(), Update(match="m1", version=1, ply=1, view=view, events=[]))
    with pytest.raises(RemoteProtocolError):
        wrong = Update(match="m1", version=1, ply=1, view=small_match.view(), events=[["flew", 1]])
        matches.updated(begun(), wrong)


def discards(match: Match) -> list[int]:
    return [line.what.seat for line in match.log if line.kind is LineKind.EVENT]


def test_what_was_taken_back_is_gone_from_events_and_log() -> None:
    match = matches.updated(begun(), small_match.update(1, discards=2))
    match = matches.noticed(match, Notice("joined", {"name": "Cleo"}))
    match = matches.updated(match, small_match.update(2, discards=1))
    match = matches.updated(match, replace(small_match.update(3), taken_back=2))
    assert match.events == (Discarded(0),)
    assert [line.kind for line in match.log] == [LineKind.EVENT, LineKind.NOTICE]
    match = matches.noticed(match, Notice("took_back", {"name": "Ann", "seat": 0}))
    page = History(
        match="m1", version=5, events=small_match.update(0, discards=3).events, taken_back=1
    )
    match = matches.caught_up(match, page)
    assert match.events == (Discarded(0),) * 3


def test_what_a_slow_line_left_out_is_a_line_of_its_own() -> None:
    match = matches.updated(begun(), small_match.update(1, discards=2))
    late = replace(small_match.update(9, discards=1), taken_back=1, skipped=7)
    match = matches.updated(match, late)
    kinds = [line.kind for line in match.log]
    assert kinds == [LineKind.EVENT, LineKind.GAP, LineKind.EVENT]
    assert match.log[1].what == 7
    match = matches.updated(match, replace(small_match.update(10), taken_back=1))
    assert [line.kind for line in match.log] == kinds[:2]


@pytest.mark.parametrize("count", [-1, 3, 10**9])
def test_a_server_that_takes_back_too_much_leaves_nothing(count: int) -> None:
    match = matches.updated(begun(), small_match.update(1, discards=2))
    match = matches.updated(match, replace(small_match.update(2), taken_back=count))
    assert len(match.events) == len(discards(match)) == (2 if count < 0 else 0)


def test_only_who_may_can_ask_for_it() -> None:
    match = matches.updated(begun(), replace(small_match.update(4), revocable=0))
    assert matches.may_take_back(match, Seat(0))
    for seat in (None, Seat(1)):
        assert not matches.may_take_back(match, seat)
    assert not matches.may_take_back(matches.sent(match, b"other"), Seat(0))
    assert not matches.may_take_back(matches.ended(match, small_match.ended()), Seat(0))
    assert not matches.may_take_back(begun(), Seat(0))


def test_a_take_back_removes_no_event_that_stands_though_the_newest_were_not_kept() -> None:
    more = small_match.update(1, discards=matches.MAX_EVENTS + 5)
    match = matches.updated(begun(), more)
    match = matches.updated(match, replace(small_match.update(2), taken_back=3))
    assert len(match.events) == matches.MAX_EVENTS
    match = matches.updated(match, replace(small_match.update(3), taken_back=4))
    assert len(match.events) == matches.MAX_EVENTS - 2
    match = matches.updated(match, small_match.update(4, discards=1))
    assert len(match.events) == matches.MAX_EVENTS - 1


# Moments to look back at --------------------------------------------------------------------------


def shown_after(match: Match, *versions: int) -> Match:
    for version in versions:
        match = matches.updated(match, small_match.update(version, discards=1))
    return match


def unseen() -> Match:
    return matches.started(small_match.started(), ("Ann", "Bob"))


def test_there_is_a_bound_and_the_oldest_go_first() -> None:
    match = shown_after(unseen(), *range(MOST + 5))
    assert [one.ply for one in match.seen] == [*range(5, MOST + 5)]


def test_after_a_return_it_begins_with_the_whole_view_that_came() -> None:
    events = small_match.update(0, discards=7).events
    match = matches.caught_up(unseen(), History(match="m1", version=7, events=events))
    assert match.seen == ()
    match = matches.updated(match, small_match.update(7))
    assert [(one.ply, one.told) for one in match.seen] == [(7, 7)]


def test_who_looks_back_loses_nothing_that_is_forgotten_meanwhile() -> None:
    """A match that is taken back loses what no longer stands all the same."""
    early = shown_after(unseen(), *range(MOST))
    late = shown_after(early, *range(MOST, MOST + 3))
    assert [one.ply for one in joined(early.seen, late.seen)] == [*range(MOST + 3)]
    back = matches.updated(late, replace(small_match.update(9999), ply=9, taken_back=1))
    assert [one.ply for one in joined(late.seen, back.seen)][-1] == 9
