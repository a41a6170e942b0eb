"""What is told to the terminal beside cells, and what cannot pass for it."""

import pytest

from clocktowers_tui.terminal import modes


def test_no_text_ends_a_title_early() -> None:
    assert modes.title("Ann\x07\x1b]52;c;QQ==\x1b\\\x9c") == "\x1b]2;Ann]52;c;QQ==\\\x07"


def test_what_is_copied_is_known() -> None:
    assert modes.COPIED.fullmatch("\x1b]52;c;SGVsbG8=\x07")


@pytest.mark.parametrize(
    "frame", ["\x1b[1;1H\x07\x1b[1;1H", "\x1b]52;c;?\x07", "\x1b]52;c;QQ==\x07\x1b[2J", "\x07\x07"]
)
def test_a_frame_is_no_wish(frame: str) -> None:
    assert frame not in modes.WISHES and not modes.COPIED.fullmatch(frame)
