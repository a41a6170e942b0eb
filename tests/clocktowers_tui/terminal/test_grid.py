"""Whatever is drawn, the terminal shows the same as if it had been sent all of it, and nothing else
comes out; styles are told shortly, in no more colours than there may be."""

import re
import unicodedata
from collections.abc import Sequence
from functools import reduce

import pytest
from hypothesis import example, given, strategies as st

from clocktowers_tui.config.look import Colours
from clocktowers_tui.terminal import guard
from clocktowers_tui.terminal.grid import Grid
from clocktowers_tui.terminal.pen import PLAIN, Style, change, limited, styled
from tests.stage.emulator import ENTER, cells, emulator

WIDTH, HEIGHT = 12, 4

# Whole pairs of cells: terminals disagree which half of a wide character may be drawn over.
pairs = st.sampled_from(["ab", "  ", "x ", " y", "日", "本", "▪│", "e\u0331·", "  "])
sgrs = st.sampled_from(
    ["0", "1", "7", "4", "31", "38;2;1;2;3", "48;2;9;9;9", "1;38;5;8;44", "22", "49", "27;39"]
)
pieces = st.tuples(
    st.integers(0, HEIGHT - 1),
    st.integers(0, WIDTH // 2 - 1),
    st.lists(st.tuples(sgrs, pairs), min_size=1, max_size=4),
)


def drawn(row: int, pair: int, parts: Sequence[tuple[str, str]]) -> str:
    fitting = parts[: WIDTH // 2 - pair]
    text = "".join(f"\x1b[{sgr}m{cells}\x1b[0m" for sgr, cells in fitting)
    return f"\x1b[{row + 1};{2 * pair + 1}H{text}"


frames = st.lists(pieces, min_size=1, max_size=8).map(lambda all: "".join(drawn(*p) for p in all))


def differs(sent: Sequence[str], erases: bool = True) -> bool:
    """Whether a terminal that is told the differences shows something else at some point."""
    grid = Grid(WIDTH, HEIGHT, erases=erases)
    whole, whole_stream = emulator(WIDTH, HEIGHT)
    part, part_stream = emulator(WIDTH, HEIGHT)
    grid.tell(ENTER)
    whole_stream.feed(ENTER)
    part_stream.feed(grid.flush())
    for frame in sent:
        grid.feed(frame)
        whole_stream.feed(frame)
        part_stream.feed(grid.flush())
        if cells(whole) != cells(part):
            return True
    return False


@given(st.lists(frames, min_size=1, max_size=6), st.booleans())
@example(["\x1b[1;1H\x1b[31m     ", "\x1b[1;1H\x1b[32mx \x1b[31m \x1b[33my"], False)
@example(["\x1b[1;1Habcdefghijkl", "\x1b[1;1H\x1b[44m    \x1b[41m        "], True)
@example(["\x1b[1;1Habcdefghijkl", "\x1b[1;1H\x1b[44;4m    \x1b[41;7m        "], True)
def test_the_same_is_seen(sent: list[str], erases: bool) -> None:
    assert not differs(sent, erases)


def shown(*sent: str, width: int = WIDTH) -> Grid:
    grid = Grid(width, HEIGHT)
    grid.tell(ENTER)
    grid.feed("\x1b[H")
    for frame in sent:
        grid.feed(frame)
    grid.flush()
    return grid


def cost(grid: Grid, frame: str) -> str:
    grid.feed(frame)
    return grid.flush()


def test_one_digit_is_one_digit() -> None:
    grid = shown("\x1b[1;8H0:42\x1b[H")
    assert cost(grid, "\x1b[1;8H0:41\x1b[H") == "\x1b[10C1\r"


def test_a_short_gap_is_sent_again_and_a_long_one_jumped_over() -> None:
    grid = shown("abcdefghij\x1b[H")
    assert cost(grid, "\x1b[HXbcYefghiZ\x1b[H") == "XbcY\x1b[5CZ\r"
    grid = shown("a││││b\x1b[H")
    assert cost(grid, "\x1b[HX││││Y\x1b[H") == "X\x1b[4CY\r"


def test_blanks_up_to_the_edge_are_erased_where_that_leaves_their_ground() -> None:
    for erases in (True, False):
        grid = Grid(WIDTH, HEIGHT, erases=erases)
        grid.tell(ENTER)
        grid.feed("\x1b[1;1H" + "x" * WIDTH + "\x1b[2;1H" + "x" * WIDTH)
        grid.flush()
        assert cost(grid, f"\x1b[1;3H{' ' * 10}").count("\x1b[K") == 1
        assert cost(grid, f"\x1b[2;3H\x1b[44m{' ' * 10}").count("\x1b[K") == erases


def test_styles_are_gathered() -> None:
    grid = shown("abababab")
    told = cost(grid, "\x1b[H" + "\x1b[31mX\x1b[32mY" * 4)
    assert told.count("m") == 2


def test_what_is_ours_is_told_unchanged_and_in_order_before_the_cells() -> None:
    ours = "\x1b[>1u", "\x1b]2;Title\x07", "\x07", "\x1b[?1000h"
    grid = shown()
    grid.feed("abc")
    for one in ours:
        grid.tell(one)
    assert grid.flush().startswith("".join(ours))
    grid.tell("\x07")
    assert grid.flush() == "\x07"


hostile = st.lists(
    st.sampled_from(
        [
            *(chr(code) for code in (*range(32), *range(127, 160))),
            *("\x1b[", "\x1b]", "\x1bP", "\x1b\\", "\x1b[?", "52;c;", "?1049l", "2J", "6n", "31m"),
            *("99999999999m", "38;5;900m", "48;2;1m", "38;2m", "9" * 5000, ";", ":", "H", "h", "m"),
            *("x", "日", " "),
        ]
    ),
    max_size=30,
).map("".join)
OURS = re.compile(r"\x1b\[[\d;:]*[ABCDGHKm]|\r")


@given(st.lists(hostile, max_size=4), st.sampled_from(Colours))
def test_of_a_hostile_frame_only_cells_come_out(frames: list[str], colours: Colours) -> None:
    grid = shown()
    grid.limit(colours)
    for frame in frames:
        left = OURS.sub("", cost(grid, frame))
        assert not any(unicodedata.category(char) == "Cc" for char in left)
    assert "next" in cost(grid, "\x1b[0m\x1b[2;1H....\x1b[2;1H") + cost(grid, "\x1b[2;1Hnext")


def test_what_is_dropped_is_counted_and_leaves_nothing_to_be_read() -> None:
    grid = shown()
    for sequence in (
        *("\x07", "\x1b]2;Title\x07", "\x1b]52;c;QQ==\x1b\\", "\x9d0;x\x9c", "\x1bPq\x1b\\"),
        *("\x1b[?1049l", "\x1b[?2026h", "\x1b[2J", "\x1b(B", "\x1b7", "\x1bc", "\x9b2J", "\x1b"),
    ):
        assert cost(grid, sequence) == ""
    assert grid.dropped == 13
    grid.feed("\x1b]0;no end\x1b[0mabc")
    assert grid.flush() == "0;no endabc"


def test_nothing_is_drawn_outside_the_full_screen() -> None:
    grid = Grid(WIDTH, HEIGHT)
    assert cost(grid, "abc") == ""
    grid.tell("\x1b[?1049h")
    assert "abc" in grid.flush()
    grid.feed("\x1b[Hxyz")
    grid.tell("\x1b[?1049l")
    assert grid.flush() == "\x1b[?1049l"
    grid.tell("\x1b[?1049h")
    assert "xyz" in grid.flush()


def test_after_a_resize_all_is_sent() -> None:
    grid = shown("abc\x1b[2;1H日本")
    grid.resize(3, 2)
    screen, stream = emulator(3, 2)
    stream.feed(cost(grid, ""))
    assert screen.display == ["abc", "日 "]
    grid.resize(5, 3)
    assert cost(grid, "").count("abc") == 1


def test_rows_and_columns_beyond_the_edge_are_kept_within() -> None:
    grid = shown()
    told = cost(grid, "\x1b[99;99Habc\x1b[1;11H日日\n\n\n\n\n\r.\x1b[3;12H日")
    screen, stream = emulator(WIDTH, HEIGHT)
    stream.feed(told)
    assert screen.display[0].endswith("日")
    assert screen.display[3].startswith(".")


def test_a_large_frame_is_shown_at_once_where_terminals_can() -> None:
    grid = shown()
    grid.tell("\x1b[?2026h")
    large = cost(grid, "".join(f"\x1b[{n};1H{'x' * WIDTH}" for n in (1, 2, 3, 4)))
    assert large.startswith("\x1b[?2026h") and large.endswith("\x1b[?2026l")
    assert "2026" not in cost(grid, "\x1b[H.")
    assert "2026" not in cost(shown(), "x" * 100)


def test_the_cursor_ends_where_an_input_has_it() -> None:
    grid = shown()
    assert cost(grid, "\x1b[1;1Habc\x1b[3;5H").endswith("\x1b[3;5H")
    assert cost(grid, "\x1b[3;6H") == "\x1b[C"
    assert cost(grid, "\x1b[3;6H") == ""


def test_fewer_colours_from_now_on() -> None:
    grid = shown("\x1b[1;38;2;250;80;80mabc\x1b[0mdef")
    grid.limit(Colours.C16)
    assert cost(grid, "") == "\r\x1b[91mabc\x1b[3C"
    grid.limit(Colours.NONE)
    assert cost(grid, "") == "\r\x1b[39mabc\x1b[3C"
    grid.limit(Colours.TRUE)
    assert "38;2;250;80;80" in cost(grid, "")


# What is told beside cells, and what cannot pass for it -------------------------------------------


def test_no_text_ends_a_title_early() -> None:
    assert guard.title("Ann\x07\x1b]52;c;QQ==\x1b\\\x9c") == "\x1b]2;Ann]52;c;QQ==\\\x07"


@pytest.mark.parametrize(
    "frame", ["\x1b[1;1H\x07\x1b[1;1H", "\x1b]52;c;?\x07", "\x1b]52;c;QQ==\x07\x1b[2J", "\x07\x07"]
)
def test_a_frame_is_no_wish(frame: str) -> None:
    assert frame not in guard.WISHES and not guard.COPIED.fullmatch(frame)


# Styles -------------------------------------------------------------------------------------------


INKS = ("", "31", "97", "38;5;3", "38;5;208", "38;2;213;94;0", "38;2;0;0;0")
styles = st.builds(
    Style,
    st.frozensets(st.sampled_from([1, 2, 3, 4, 7, 9, 21, 53])),
    st.sampled_from(INKS),
    st.sampled_from(INKS),
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


@pytest.mark.parametrize("odd", ["38", "38;5", "38;7;1", "58;5;1", "99"])
def test_what_is_not_known_changes_nothing(odd: str) -> None:
    assert styled(styled(PLAIN, "1"), odd) == styled(PLAIN, f"1;{odd}") == styled(PLAIN, "1")


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
