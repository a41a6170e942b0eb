"""Rows, frames, names and standings keep their width, whatever stands in them."""

from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st
from msgspec import Struct
from rich.cells import cell_len
from wcwidth import wcswidth

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.spans import (
    LIGHT,
    Edge,
    Span,
    cut,
    framed,
    hanging,
    lit,
    measurable,
    nameplate,
    wrapped,
)
from clocktowers_tui.games.standings import (
    level_at_the_top,
    listed,
    ranked,
    standings,
    winners_in_words,
)
from protocol.text import clean
from tests.stage.golden_boards import NAMES

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


@given(TEXTS, st.integers(1, 30))
def test_wrapped_lines_fit(text: str, width: int) -> None:
    assert all(cell_len(part) <= width for part in wrapped(text, width))


@given(TEXTS)
def test_terminals_and_textual_agree_on_what_is_shown(text: str) -> None:
    # Whole texts may still differ where letters join; single characters must not.
    assert all(cell_len(char) == max(0, wcswidth(char)) for char in text)


# Frames -------------------------------------------------------------------------------------------


PLAIN = LIGHT[GlyphSet.ASCII]


def test_lit_is_the_edge_alone() -> None:
    rows = framed((9, 3), [[Span("towers")]], PLAIN, [Span("Ann")])
    inks = {span.text: span.ink for row in lit(rows) for span in row}
    assert inks["towers"] is None and inks["Ann"] is None
    assert {ink for ink in inks.values() if ink} == {Edge.LIT}


# Names --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("width", "own", "shown"),
    [
        (16, True, "Maximilian (you)"),
        (15, True, "Maximili… (you)"),
        (7, True, "… (you)"),
        (6, True, " (you)"),
        (4, True, " (yo"),
        (11, False, "Maximilian"),
        (9, False, "Maximili…"),
    ],
)
def test_the_name_is_cut_and_not_what_says_that_it_is_one_s_own(
    width: int, own: bool, shown: str
) -> None:
    assert nameplate("Maximilian", width, "…", own=own) == shown


def test_wide_characters_are_never_cut_in_two() -> None:
    assert nameplate("漢字漢字", 11, "…", own=True) == "漢字… (you)"
    assert nameplate("漢字漢字", 10, "…", own=True) == "漢… (you)"


# Standings ----------------------------------------------------------------------------------------


class Scores(Struct, frozen=True):
    scores: tuple[int, ...]
    winners: tuple[int, ...]


def placed(outcome: Scores) -> list[str]:
    more = [f"more of {seat}" for seat in range(len(outcome.scores))]
    return [line.plain for line in standings(outcome, NAMES, more, 76)]


def test_best_first_and_level_ones_share_a_place() -> None:
    assert placed(Scores((1, 30, 7, 7), (1,))) == [
        "1.  Björn   30 points  more of 1",
        "2.  Chiara  7 points   more of 2",
        "2.  Dmitri  7 points   more of 3",
        "4.  Ann     1 point    more of 0",
    ]


def test_a_winner_comes_before_who_has_as_many_points() -> None:
    outcome = Scores((6, 6), (1,))
    assert ranked(outcome) == [1, 0]
    assert [line[:2] for line in placed(outcome)] == ["1.", "2."]
    assert level_at_the_top(outcome, NAMES, None) == "Ann and Björn"
    assert level_at_the_top(outcome, NAMES, 1) == "Björn and Ann", "the reader comes first"
    assert winners_in_words(outcome, NAMES, None) == "Björn wins"
    assert winners_in_words(outcome, NAMES, 1) == "You win"


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ([], ""),
        (["Ann"], "Ann"),
        (NAMES[:2], "Ann and Björn"),
        (NAMES[:3], "Ann, Björn and Chiara"),
    ],
)
def test_lists_of_names(names: Sequence[str], words: str) -> None:
    assert listed(names) == words
