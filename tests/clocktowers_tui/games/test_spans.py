"""Rows keep their width, whatever stands in them."""

from hypothesis import given, strategies as st
from rich.cells import cell_len
from wcwidth import wcswidth

from clocktowers_tui.games.spans import (
    Rect,
    Span,
    block,
    cells,
    cut,
    hanging,
    line,
    measurable,
    paint,
    wrapped,
)
from protocol.text import clean
from tests.stage.golden_boards import text_of

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30).map(clean).map(measurable)


@given(TEXTS, st.integers(0, 40))
def test_a_cut_text_is_never_too_wide(text: str, width: int) -> None:
    assert cell_len(cut(text, width, "…")) <= width


def test_a_no_break_space_parts_no_number_from_its_sign_and_is_seen_as_a_blank() -> None:
    said = "it wins 50\N{NO-BREAK SPACE}%"
    assert wrapped(said, 10) == ["it wins", "50 %"]
    assert wrapped(said.replace("\N{NO-BREAK SPACE}", " "), 10) == ["it wins 50", "%"]
    assert hanging(said, 40) == ["it wins 50 %"]


def test_what_fits_is_left_whole() -> None:
    assert cut("漢字", 4, "…") == "漢字"
    assert cut("漢字漢", 5, "…") == "漢字…"
    assert cut("漢字漢", 4, "…") == "漢…"


@given(st.lists(TEXTS, max_size=4), st.integers(0, 40))
def test_a_line_has_its_width(texts: list[str], width: int) -> None:
    assert cells(line(width, [Span(text) for text in texts])) == width


@given(st.lists(TEXTS, max_size=4), st.integers(0, 20), st.integers(0, 5))
def test_a_block_is_a_rectangle(texts: list[str], width: int, height: int) -> None:
    rows = block(width, height, [[Span(text)] for text in texts])
    assert [cells(row) for row in rows] == [width] * height


@given(TEXTS, st.integers(1, 30))
def test_wrapped_lines_fit(text: str, width: int) -> None:
    assert all(cell_len(part) <= width for part in wrapped(text, width))


def test_words_that_fit_are_not_lost() -> None:
    assert wrapped("Dmitri draws floor 1 mouse", 12) == ["Dmitri draws", "floor 1", "mouse"]


@given(TEXTS)
def test_terminals_and_textual_agree_on_what_is_shown(text: str) -> None:
    # Whole texts may still differ where letters join; single characters must not.
    assert all(cell_len(char) == max(0, wcswidth(char)) for char in text)


def test_names_in_other_scripts_stay() -> None:
    assert measurable("漢字 Ελένη ﾊﾝｶｸ") == "漢字 Ελένη ﾊﾝｶｸ"


def test_blocks_stand_where_their_rectangles_are() -> None:
    left = [[Span("ab")], [Span("cd")]]
    right = [[Span("漢")]]
    rows = paint(7, 3, [(Rect(4, 1, 2, 1), right), (Rect(1, 0, 2, 2), left)])
    assert [text_of(row) for row in rows] == [" ab    ", " cd 漢 ", "       "]
