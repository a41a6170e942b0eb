"""The log in words."""

from msgspec.structs import replace

from clocktowers_tui.games.architetti_attenti.face import FACE as TOWNS
from clocktowers_tui.games.clocktowers.face import FACE
from clocktowers_tui.phrases.log import log_by_turns, log_lines
from clocktowers_tui.state import match as matches
from clocktowers_tui.state.match import Line, LineKind, Match
from protocol.from_server import Notice
from protocol.games import architetti_attenti as aa, clocktowers as ct
from protocol.ids import Seat
from tests.stage import small_match


def test_what_a_slow_line_left_out_is_said_in_its_place() -> None:
    match = matches.updated(
        matches.started(small_match.started(), ()), small_match.update(0, discards=1)
    )
    for skipped in (1, 3):
        late = replace(small_match.update(4, discards=1), skipped=skipped)
        match = matches.updated(match, late)
    lines = log_lines(match, FACE, ("Ann", "Bob"), None)
    assert lines[1::2] == ["… 1 move", "… 3 moves"]
    assert lines[0] == lines[2] == lines[4]


def logged(*whats: object) -> Match:
    kinds = {True: LineKind.NOTICE, False: LineKind.EVENT}
    log = tuple(Line(kinds[isinstance(what, Notice)], what) for what in whats)
    return replace(matches.started(small_match.started(), ()), log=log)


def test_an_empty_line_stands_before_each_turn() -> None:
    """A play and the draw after it are one turn, and so are a roof and what it completes."""
    match = logged(
        ct.Discarded(0),
        ct.YouDiscarded(3),
        ct.Drew(0, 0, 1, 2),
        ct.Played(1, 9, 0, 2),
        ct.Completed(1, 0, 9, 2, 5, 3),
        Notice("took_back", {"name": "Bob", "seat": 1}),
        ct.Drew(1, 0, 1, 2),
        ct.Discarded(0),
        ct.YouDiscarded(3),
    )
    lines = log_by_turns(match, FACE, ("Ann", "Bob"), Seat(0))
    assert [bool(line) for line in lines] == [True, True, False, True, True, True, False, True]
    assert lines[2] == lines[6] == ""


def test_alone_each_purchase_begins_a_turn() -> None:
    turn = (aa.Bought(0, 1, 2, 0, 0), aa.Placed(0, 2, 1, 2))
    lines = log_by_turns(logged(*turn, *turn), TOWNS, ("Ann",), Seat(0))
    assert [bool(line) for line in lines] == [True, True, False, True, True]


def test_a_hint_is_told_to_the_others() -> None:
    match = logged(Notice("asked_for_hint", {"name": "Bob", "seat": 1}))
    assert log_lines(match, FACE, ("Ann", "Bob"), Seat(0)) == ["Bob asked for a hint."]
    assert log_lines(match, FACE, ("Ann", "Bob"), Seat(1)) == []
