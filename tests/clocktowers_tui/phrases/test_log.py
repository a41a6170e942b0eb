"""The log in words."""

from msgspec.structs import replace

from clocktowers_tui.games.clocktowers.face import FACE
from clocktowers_tui.phrases.log import log_lines
from clocktowers_tui.state import match as matches
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
