"""Keys as players write them."""

import pytest

from clocktowers_tui.keys.names import key_from, key_in_words, types_text


@pytest.mark.parametrize(
    ("written", "key", "shown"),
    [
        ("x", "x", "x"),
        ("X", "X", "X"),
        ("é", "é", "é"),
        ("?", "question_mark", "?"),
        ("/", "slash", "/"),
        ("+", "plus", "+"),
        (",", "comma", ","),
        ("question_mark", "question_mark", "?"),
        ("Esc", "escape", "Esc"),
        ("DEL", "delete", "Del"),
        (" PgDn ", "pagedown", "PgDn"),
        ("Ctrl+P", "ctrl+p", "Ctrl+P"),
        ("shift+ctrl+Left", "ctrl+shift+left", "Ctrl+Shift+Left"),
        ("Shift+Tab", "shift+tab", "Shift+Tab"),
        ("alt+x", "alt+x", "Alt+X"),
        ("F5", "f5", "F5"),
    ],
)
def test_a_key(written: str, key: str, shown: str) -> None:
    assert key_from(written) == key
    assert key_in_words(key) == shown
    assert key_from(shown) == key


@pytest.mark.parametrize(
    "written",
    ["", " ", "xx", "f99", "super+x", "ctrl+", "+x", "ctrl+ctrl+x", "shift+x", "\x1b", "<ignore>"],
)
def test_no_key(written: str) -> None:
    assert key_from(written) is None


def test_what_a_line_takes_for_itself() -> None:
    assert all(map(types_text, ("x", "question_mark", "space", "backspace")))
    assert not any(map(types_text, ("escape", "ctrl+p", "f1", "enter")))
