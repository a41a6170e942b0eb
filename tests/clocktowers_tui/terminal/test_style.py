"""Styles are read, told shortly, and never in more colours than there may be."""

import re
from functools import reduce

import pytest
from hypothesis import given, strategies as st

from clocktowers_tui.config.look import Colours
from clocktowers_tui.terminal.style import PLAIN, Style, change, limited, styled

INKS = ("", "31", "97", "38;5;3", "38;5;208", "38;2;213;94;0", "38;2;0;0;0")
styles = st.builds(
    Style,
    st.frozensets(st.sampled_from([1, 2, 3, 4, 7, 9, 21, 53])),
    st.sampled_from(INKS),
    st.sampled_from(INKS),
    st.just(""),
)


def told(before: Style, sequence: str) -> Style:
    """What a terminal makes of SGR sequences."""
    parameters = re.findall(r"\x1b\[([\d;]*)m", sequence)
    return reduce(styled, parameters, before)


@given(styles, styles)
def test_a_change_leads_to_the_style(before: Style, after: Style) -> None:
    assert told(before, change(before, after)) == after
    assert told(before, change(None, after)) == after
    assert len(change(before, after)) <= len(change(None, after))
    assert (change(before, after) == "") == (before == after)


@pytest.mark.parametrize(
    ("before", "after", "sequence"),
    [
        (PLAIN, styled(PLAIN, "1"), "\x1b[1m"),
        (styled(PLAIN, "1;31"), styled(PLAIN, "31"), "\x1b[22m"),
        (styled(PLAIN, "1;2;31"), styled(PLAIN, "2;31"), "\x1b[22;2m"),
        (styled(PLAIN, "1;4;31"), PLAIN, "\x1b[m"),
        (styled(PLAIN, "31;44"), styled(PLAIN, "32;44"), "\x1b[32m"),
        (styled(PLAIN, "48;5;9"), styled(PLAIN, "48;2;1;2;3"), "\x1b[48;2;1;2;3m"),
    ],
)
def test_a_change_is_short(before: Style, after: Style, sequence: str) -> None:
    assert change(before, after) == sequence


@pytest.mark.parametrize("odd", ["38", "38;5", "38;7;1", "4:3", "58;5;1", "99"])
def test_what_is_not_known_is_told_as_it_was_written(odd: str) -> None:
    style = styled(styled(PLAIN, "1"), odd)
    assert 1 in style.marks
    assert odd in change(PLAIN, style)
    assert change(style, PLAIN) == "\x1b[m"


ALLOWED = {
    Colours.NONE: r"",
    Colours.C16: r"3[0-7]|9[0-7]|4[0-7]|10[0-7]",
    Colours.C256: r"[34]8;5;\d+",
    Colours.TRUE: r".*",
}


@given(styles, st.sampled_from(Colours))
def test_no_other_colours_are_told(style: Style, colours: Colours) -> None:
    allowed = limited(style, colours)
    sequence = change(None, Style(frozenset(), allowed.ink, allowed.ground))
    for part in re.findall(r"[34]8;(?:5;\d+|2;\d+;\d+;\d+)|\d+", sequence):
        assert part == "0" or re.fullmatch(ALLOWED[colours], part)
    assert allowed.marks == style.marks


def test_colours_are_the_nearest() -> None:
    style = styled(PLAIN, "38;2;250;80;80;48;5;231")
    assert limited(style, Colours.C16)[1:3] == ("91", "97")
    assert limited(style, Colours.C256)[1:3] == ("38;5;203", "38;5;231")
    assert limited(styled(PLAIN, "33"), Colours.C256).ink == "38;5;3"


@pytest.mark.parametrize(
    ("colour", "number"),
    [("46;52;64", 237), ("17;21;28", 233), ("255;135;0", 208), ("56;47;39", 236), ("9;9;9", 232)],
)
def test_dark_colours_stay_dark_in_256(colour: str, number: int) -> None:
    style = styled(PLAIN, f"48;2;{colour}")
    assert limited(style, Colours.C256).ground == f"38;5;{number}"
