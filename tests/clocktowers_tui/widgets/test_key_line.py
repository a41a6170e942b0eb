"""The line of keys drops from the right, never in the middle of one."""

import pytest

from clocktowers_tui.widgets.key_line import parts

KEYS = (("q", "Quit"), ("?", "Help"), ("Enter", "楼"))


def text(width: int) -> str:
    return "".join(text for text, _style in parts(KEYS, width))


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (80, "q Quit  ? Help  Enter 楼"),
        (24, "q Quit  ? Help  Enter 楼"),
        (23, "q Quit  ? Help"),
        (13, "q Quit"),
        (5, ""),
        (0, ""),
    ],
)
def test_what_fits(width: int, shown: str) -> None:
    assert text(width) == shown
