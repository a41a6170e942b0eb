"""Markdown as lines: nothing is lost, nothing is wider than it may be."""

import pytest

from clocktowers_tui.text.markdown import Line, lines
from protocol.text import cells

TEXT = """# One

A *first* paragraph with `code`, and
**[ours]** a sentence.

## Two

- one thing that is long enough to go on
- another

1. first

| name | n |
|---|---|
| a long name | 1 |
"""


def texts(width: int) -> list[str]:
    return [line.text for line in lines(TEXT, width)]


def test_each_block_is_drawn_in_its_own_way() -> None:
    assert texts(24) == [
        "One",
        "",
        "A first paragraph with",
        "code, and [ours] a",
        "sentence.",
        "",
        "Two",
        "",
        "- one thing that is long",
        "  enough to go on",
        "- another",
        "",
        "1. first",
        "",
        "name         n",
        "a long name  1",
    ]


def test_headings_and_what_is_bold_are_marked() -> None:
    drawn = lines(TEXT, 60)
    assert [(line.heading, line.text) for line in drawn if line.heading] == [(1, "One"), (2, "Two")]
    bold = [line.text[start:end] for line in drawn for start, end in line.bold]
    assert bold == ["[ours]", "name         n"]


def test_what_goes_on_in_the_next_line_is_known() -> None:
    drawn = lines("- a bb ccc", 5)
    assert drawn == [
        Line("- a", indent=2),
        Line("  bb", goes_on=True, indent=2),
        Line("  ccc", goes_on=True, indent=2),
    ]


@pytest.mark.parametrize("width", [12, 24, 58, 200])
def test_no_line_is_wider_than_it_may_be(width: int) -> None:
    assert max(cells(line.text) for line in lines(TEXT, width)) <= width


WIDE_TABLE = """| how often | what it brings | n |
|---|---|---|
| once | the covered card | 1 |
| more often than that | the covered card and the played one | 2 |
"""


def test_a_table_that_is_too_wide_breaks_lines_in_its_widest_cells() -> None:
    assert [line.text for line in lines(WIDE_TABLE, 40)] == [
        "how often          what it brings      n",
        "once               the covered card    1",
        "more often than    the covered card    2",
        "  that               and the played",
        "                     one",
    ]
    assert texts(9)[-3:] == ["name    n", "a long  1", "  name"]


def test_the_last_cell_is_found_across_its_lines() -> None:
    drawn = lines("| a | b |\n|---|---|\n| 1 | not the played one |\n", 14)
    assert [line.text for line in drawn] == ["a  b", "1  not the", "     played", "     one"]
    assert [(line.goes_on, line.indent) for line in drawn[2:]] == [(True, 5), (True, 5)]


def test_a_table_whose_words_do_not_fit_side_by_side_is_told_row_by_row() -> None:
    drawn = lines(WIDE_TABLE, 18)
    assert [line.text for line in drawn] == [
        "how often: once;",
        "  what it brings:",
        "  the covered",
        "  card; n: 1",
        "how often: more",
        "  often than that;",
        "  what it brings:",
        "  the covered card",
        "  and the played",
        "  one; n: 2",
    ]
    assert [drawn[0].text[start:end] for start, end in drawn[0].bold] == ["how", "often:"]


def test_a_row_whose_first_cell_is_empty_is_drawn() -> None:
    """As the letters above the columns of a board are."""
    board = "|  | a | b |\n|---|---|---|\n| 1 | house | park |\n"
    assert [line.text for line in lines(board, 40)] == ["   a      b", "1  house  park"]
