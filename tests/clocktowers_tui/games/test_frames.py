"""Frames and rules are as wide as they are told, whatever stands in them."""

from hypothesis import given, strategies as st

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.frames import LIGHT, Edge, framed, lit, ruled
from clocktowers_tui.games.spans import Span, cells
from tests.stage.golden_boards import text_of

PLAIN = LIGHT[GlyphSet.ASCII]


def test_a_frame_with_a_title_and_an_end() -> None:
    rows = framed((16, 4), [[Span("towers")]], PLAIN, [Span("Ann")], [Span("9")])
    assert [text_of(row) for row in rows] == [
        ".- Ann ---- 9 -.",
        "|towers        |",
        "|              |",
        "'--------------'",
    ]


@given(
    width=st.integers(12, 40),
    height=st.integers(2, 9),
    title=st.text(st.sampled_from("ab漢"), max_size=40),
)
def test_it_is_never_wider_than_it_is_told(width: int, height: int, title: str) -> None:
    rows = framed((width, height), [[Span(title)]] * 12, PLAIN, [Span(title)], [Span("12")])
    assert [cells(row) for row in rows] == [width] * height
    assert text_of(rows[0]).endswith(" 12 -.")


def test_without_a_title_a_rule_is_a_rule() -> None:
    assert text_of(ruled(8, "-", [])) == "--------"
    assert text_of(ruled(12, "-", [Span("Ann")])) == "- Ann ------"


def test_lit_is_the_edge_alone() -> None:
    rows = framed((9, 3), [[Span("towers")]], PLAIN, [Span("Ann")])
    inks = {span.text: span.ink for row in lit(rows) for span in row}
    assert inks["towers"] is None and inks["Ann"] is None
    assert {ink for ink in inks.values() if ink} == {Edge.LIT}
