"""What a player was shown stays to be looked at: bounded, and without what was taken back."""

from msgspec.structs import replace

from clocktowers_tui.state import match as matches
from clocktowers_tui.state.match import Match
from clocktowers_tui.state.moments import MOST, joined
from protocol.from_server import History
from tests.stage import small_match


def after(match: Match, *versions: int) -> Match:
    for version in versions:
        match = matches.updated(match, small_match.update(version, discards=1))
    return match


def begun() -> Match:
    return matches.started(small_match.started(), ("Ann", "Bob"))


def test_each_view_is_kept_with_what_was_told_before_it() -> None:
    match = after(begun(), 0, 1, 2)
    assert [(one.ply, one.told) for one in match.seen] == [(0, 1), (1, 2), (2, 3)]
    assert match.seen[-1].view is match.view


def test_there_is_a_bound_and_the_oldest_go_first() -> None:
    match = after(begun(), *range(MOST + 5))
    assert [one.ply for one in match.seen] == [*range(5, MOST + 5)]


def test_what_was_taken_back_is_seen_no_more() -> None:
    match = after(begun(), 0, 1, 2, 3)
    back = replace(small_match.update(4), ply=1, taken_back=2)
    match = matches.updated(match, back)
    assert [(one.ply, one.told) for one in match.seen] == [(0, 1), (1, 2)]


def test_after_a_return_it_begins_with_the_whole_view_that_came() -> None:
    events = small_match.update(0, discards=7).events
    match = matches.caught_up(begun(), History(match="m1", version=7, events=events))
    assert match.seen == ()
    match = matches.updated(match, small_match.update(7))
    assert [(one.ply, one.told) for one in match.seen] == [(7, 7)]


def test_who_looks_back_loses_nothing_that_is_forgotten_meanwhile() -> None:
    """A match that is taken back loses what no longer stands all the same."""
    early = after(begun(), *range(MOST))
    late = after(early, *range(MOST, MOST + 3))
    assert [one.ply for one in joined(early.seen, late.seen)] == [*range(MOST + 3)]
    back = matches.updated(late, replace(small_match.update(9999), ply=9, taken_back=1))
    assert [one.ply for one in joined(late.seen, back.seen)][-1] == 9
