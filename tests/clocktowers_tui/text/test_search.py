"""What is looked for is found wherever a reader would see it."""

import pytest

from clocktowers_tui.text.markdown import Line
from clocktowers_tui.text.search import Part, find

LINES = [
    Line("Perché una torre?"),
    Line("- prima una"),
    Line("  torre", goes_on=True, indent=2),
    Line("TORRE"),
]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("torre", [(Part(0, 11, 16),), (Part(2, 2, 7),), (Part(3, 0, 5),)]),
        ("PERCHE", [(Part(0, 0, 6),)]),
        ("  una   torre ", [(Part(0, 7, 16),), (Part(1, 8, 11), Part(2, 2, 7))]),
        ("torre? - prima", []),
        ("", []),
        ("  ", []),
        ("gatto", []),
    ],
)
def test_found(wanted: str, found: list[tuple[Part, ...]]) -> None:
    assert find(LINES, wanted) == found


def test_a_letter_that_grows_when_it_is_small_moves_nothing() -> None:
    """`İ` in small letters is two characters."""
    assert find([Line("İ torre")], "torre") == [(Part(0, 2, 7),)]
