"""Whatever is drawn, the terminal shows the same as if it had been sent all of it, and nothing else
comes out; styles are told shortly, in no more colours than there may be."""

import re
import unicodedata
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import example, given, strategies as st
from rich.ansi import AnsiDecoder
from rich.console import Console
from rich.control import Control
from rich.segment import Segment

from clocktowers_tui.config.look import Colours
from clocktowers_tui.terminal import guard
from clocktowers_tui.terminal.grid import Grid
from clocktowers_tui.terminal.pen import PLAIN, Style, change, limited
from tests.stage.emulator import ENTER, cells, emulator

WIDTH, HEIGHT = 12, 4

# Whole pairs of cells: terminals disagree which half of a wide character may be drawn over.
pairs = st.sampled_from(["ab", "  ", "x ", " y", "日", "本", "▪│", "e\u0331·", "  "])
sgrs = st.sampled_from(
    ["0", "1", "7", "4", "31", "38;2;1;2;3", "48;2;9;9;9", "1;38;5;80;44", "22", "49", "27;39"]
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


def painted(frame: str) -> Iterator[Segment]:
    """As Textual paints it, what is written here for a terminal."""
    first, *rest = re.split(r"\x1b\[(\d*);?(\d*)H", frame)
    decoder, console = AnsiDecoder(), Console(width=1000)
    yield from decoder.decode_line(first).render(console)
    for row, column, text in zip(*[iter(rest)] * 3, strict=True):
        yield Control.move_to(int(column or 1) - 1, int(row or 1) - 1).segment
        yield from decoder.decode_line(text).render(console)


def differs(sent: Sequence[str], erases: bool = True) -> bool:
    """Whether a terminal that is told the differences shows something else at some point."""
    grid = Grid(WIDTH, HEIGHT, erases=erases)
    whole, whole_stream = emulator(WIDTH, HEIGHT)
    part, part_stream = emulator(WIDTH, HEIGHT)
    grid.tell(ENTER)
    whole_stream.feed(ENTER)
    part_stream.feed(grid.flush())
    for frame in sent:
        grid.feed(painted(frame))
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
    grid.feed(painted("\x1b[H"))
    for frame in sent:
        grid.feed(painted(frame))
    grid.flush()
    return grid


def cost(grid: Grid, frame: str) -> str:
    grid.feed(painted(frame))
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
        grid.feed(painted("\x1b[1;1H" + "x" * WIDTH + "\x1b[2;1H" + "x" * WIDTH))
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
    grid.feed(painted("abc"))
    for one in ours:
        grid.tell(one)
    assert grid.flush().startswith("".join(ours))
    grid.tell("\x07")
    assert grid.flush() == "\x07"


controls = [chr(code) for code in (*range(32), *range(127, 160))]
hostile = st.lists(st.sampled_from([*controls, "[", "]", "52;c;", "x", "日", " "]), max_size=30)
OURS = re.compile(r"\x1b\[[\d;:]*[ABCDGHKm]|\r")


@given(st.lists(hostile.map("".join), max_size=4))
def test_of_a_hostile_text_only_cells_come_out(texts: list[str]) -> None:
    grid = shown()
    for text in texts:
        grid.feed([Segment(text)])
        left = OURS.sub("", grid.flush())
        assert not any(unicodedata.category(char) == "Cc" for char in left)
    assert grid.dropped == sum(char in controls and char != "\n" for char in "".join(texts))
    assert "next" in cost(grid, "\x1b[2;1H....\x1b[2;1H") + cost(grid, "\x1b[2;1Hnext")


def test_nothing_is_drawn_outside_the_full_screen() -> None:
    grid = Grid(WIDTH, HEIGHT)
    assert cost(grid, "abc") == ""
    grid.tell("\x1b[?1049h")
    assert "abc" in grid.flush()
    grid.feed(painted("\x1b[Hxyz"))
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
    told = cost(grid, "\x1b[99;99Habc\x1b[1;11H日日\x1b[9;1H.\x1b[3;12H日")
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


OFF = {22: {1, 2}, 23: {3}, 24: {4, 21}, 27: {7}, 29: {9}, 55: {53}}
ONE = re.compile(r"([34])8;(5;\d+|2;\d+;\d+;\d+)|(\d+)")


def told(style: Style, sequence: str) -> Style:
    """What a terminal makes of SGR sequences."""
    for which, colour, code in ONE.findall(sequence.replace("[m", "[0m")):
        number = int(code or 0)
        if (colour and which == "3") or 30 <= number < 40 or 90 <= number < 100:
            style = style._replace(ink=f"38;{colour}" if colour else code if number != 39 else "")
        elif colour or 40 <= number < 50 or number >= 100:
            ink = f"38;{colour}" if colour else str(number - 10) if number != 49 else ""
            style = style._replace(ground=ink)
        elif number in OFF:
            style = style._replace(marks=style.marks - OFF[number])
        else:
            style = style._replace(marks=style.marks | {number}) if number else PLAIN
    return style


def one(sgr: str) -> Style:
    return told(PLAIN, f"\x1b[{sgr}m")


@given(styles, styles)
def test_a_change_leads_to_the_style(before: Style, after: Style) -> None:
    assert told(before, change(before, after)) == after
    assert told(before, change(None, after)) == after
    assert len(change(before, after)) <= len(change(None, after))
    assert (change(before, after) == "") == (before == after)


@pytest.mark.parametrize(
    ("before", "after", "sequence"),
    [
        (PLAIN, one("1"), "\x1b[1m"),
        (one("1;31"), one("31"), "\x1b[22m"),
        (one("1;2;31"), one("2;31"), "\x1b[22;2m"),
        (one("1;4;31"), PLAIN, "\x1b[m"),
        (one("31;44"), one("32;44"), "\x1b[32m"),
        (one("48;5;9"), one("48;2;1;2;3"), "\x1b[48;2;1;2;3m"),
    ],
)
def test_a_change_is_short(before: Style, after: Style, sequence: str) -> None:
    assert change(before, after) == sequence


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
    style = one("38;2;250;80;80;48;5;231")
    assert limited(style, Colours.C16)[1:3] == ("91", "97")
    assert limited(style, Colours.C256)[1:3] == ("38;5;203", "38;5;231")
    assert limited(one("33"), Colours.C256).ink == "38;5;3"


@pytest.mark.parametrize(
    ("colour", "number"),
    [("46;52;64", 237), ("17;21;28", 233), ("255;135;0", 208), ("56;47;39", 236), ("9;9;9", 232)],
)
def test_dark_colours_stay_dark_in_256(colour: str, number: int) -> None:
    style = one(f"48;2;{colour}")
    assert limited(style, Colours.C256).ground == f"38;5;{number}"
