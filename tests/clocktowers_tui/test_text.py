"""Texts in cells: cut, in columns, as Markdown, searched, and spelt with the terminal's glyphs."""

from collections.abc import Iterator

import pytest
from hypothesis import given, strategies as st

from clocktowers_tui.config.look import GlyphSet, Look
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.screens.rules import LaidOut
from clocktowers_tui.text.fitting import aligned, fit, pad, widths
from clocktowers_tui.text.i18n import _, catalogue, languages, speak
from clocktowers_tui.text.markdown import blocks, sections
from clocktowers_tui.text.spelling import draw_with, drawable
from protocol.text import cells, clean


@given(st.text(), st.integers(0, 30))
def test_fitted_text_keeps_its_width(typed: str, width: int) -> None:
    text = clean(typed)
    assert cells(fit(text, width)) <= width
    assert cells(pad(text, width)) == width


def test_what_fits_is_left_alone() -> None:
    assert fit("Björn", 5) == "Björn"
    assert fit("Björn", 4) == "Bjö…"
    assert fit("鐘楼", 3) == "鐘…"


# Columns stand below each other whatever is in them -----------------------------------------------


ROWS = [["Code", "Title", "Who"], ["ABCD", "鐘楼の夜", "Ann, Björn, Chiara"], ["X", "", "Ann"]]


@pytest.mark.parametrize("room", [12, 20, 36, 60])
def test_each_column_begins_at_the_same_cell(room: int) -> None:
    given = widths(ROWS, (0, 1, 1), room)
    lines = aligned(ROWS, (0, 1, 1), room)
    assert all(cells(line) <= room for line in lines)
    assert [line[:4] for line in lines] == ["Code", "ABCD", "X   "]
    before = given[0] + given[1] + 4
    starts = [line for line in lines if "A" in line[4:] or "W" in line]
    assert all(cells(line[: line.rindex("  ") + 2]) == before for line in starts if room >= 20)


def test_what_one_does_not_need_the_others_get() -> None:
    assert widths([["a" * 30, "b" * 3]], (1, 1), 30) == [25, 3]
    assert widths([["a" * 3, "b" * 30]], (1, 1), 30) == [3, 25]
    assert widths([["a" * 30, "b" * 30]], (2, 1), 32) == [20, 10]
    assert aligned(ROWS, (0, 1, 1), 0) == ["", "", ""]


# Markdown as lines: nothing is lost, nothing is wider than it may be ------------------------------


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


def drawn_texts(width: int, text: str = TEXT) -> list[str]:
    return [line.plain for line in LaidOut(blocks(text), width).lines]


def test_each_block_is_drawn_in_its_own_way() -> None:
    assert drawn_texts(24) == [
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
    told = sections(TEXT)[-1].told
    assert told == ["- one thing that is long enough to go on", *told[1:3], "A long name: n 1."]
    assert all(max(map(cells, drawn_texts(width))) <= width for width in (12, 24, 58, 200))


def test_headings_and_what_is_bold_are_marked() -> None:
    drawn = LaidOut(blocks(TEXT), 60)
    headings = [(at, block.heading, block.text) for at, block in drawn.headings]
    assert headings == [(0, 1, "One"), (4, 2, "Two")]
    spans = ((line.plain, span) for line in drawn.lines for span in line.spans)
    bold = [text[span.start : span.end] for text, span in spans if span.style == "bold"]
    assert bold == ["One", "[ours]", "name         n"]


WIDE_TABLE = """| how often | what it brings | n |
|---|---|---|
| once | the covered card | 1 |
| more often than that | the covered card and the played one | 2 |
"""


def test_a_table_that_is_too_wide_breaks_lines_in_its_widest_cells() -> None:
    assert drawn_texts(40, WIDE_TABLE) == [
        "how often          what it brings      n",
        "once               the covered card    1",
        "more often than    the covered card    2",
        "  that               and the played",
        "                     one",
    ]
    assert drawn_texts(9)[-3:] == ["name    n", "a long  1", "  name"]
    board = "|  | a | b |\n|---|---|---|\n| 1 | house | park |\n"
    assert drawn_texts(40, board) == ["   a      b", "1  house  park"]


def test_a_table_whose_words_do_not_fit_side_by_side_is_told_row_by_row() -> None:
    assert drawn_texts(18, WIDE_TABLE) == [
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


# What is looked for is found wherever a reader would see it ---------------------------------------


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("torre", [["torre"], ["torre"], ["TORRE"], ["torre"]]),
        ("PERCHE", [["Perché"]]),
        ("  una   torre ", [["una torre"], ["una", "torre"], ["una torre"]]),
        ("torre? - la", []),
        ("rr", [["rr"], ["rr"], ["RR"], ["rr"], ["rr"], ["rr"]]),
        ("", []),
    ],
)
def test_found(wanted: str, found: list[list[str]]) -> None:
    """Also across the end of a line. `İ` in small letters is two characters, and moves nothing."""
    text = "Perché una torre?\n- la prima una torre\n- TORRE\n\n|rrrr|\n|-|\n|İ una torre|"
    page = LaidOut(blocks(text), 17, wanted)
    pieces: list[list[str]] = [[] for _line in page.found]
    for line, (start, end), n in page._matches():
        pieces[n].append(page.lines[line].plain[start:end])
    assert pieces == found and page.found == sorted(page.found)


# With fewer glyphs everything of ours is spelt otherwise, and nothing is lost by it ---------------


ASCII = Look(glyphs=GlyphSet.ASCII)


@pytest.mark.parametrize(
    ("glyphs", "spelt"),
    [
        (GlyphSet.UNICODE, "L’ora è così: “città”…"),
        (GlyphSet.SAFE, 'L\'ora è così: "città"...'),
        (GlyphSet.ASCII, "L'ora e' cosi': \"citta'\"..."),
    ],
)
def test_texts_are_spelt_with_the_terminal_s_glyphs(glyphs: GlyphSet, spelt: str) -> None:
    draw_with(glyphs)
    assert _("L’ora è così: “città”…") == spelt
    assert fit("Björn", 4) == ("Bjö…" if glyphs is GlyphSet.UNICODE else "Bjö~")


def test_cyrillic_letters_are_spelt_in_latin_ones_and_a_sign_keeps_its_one_cell() -> None:
    written = "Щука, съешь ещё: Ёж и чайка"
    assert drawable(written, GlyphSet.SAFE) == drawable(written, GlyphSet.UNICODE) == written
    assert drawable(written, GlyphSet.ASCII) == "Schuka, sesh esche: Ezh i chajka"
    for signs in ("ДПШБКЦИРСМ", "ГЗЛКЖ", "КМЗБПДЧР", "КГЖСБ"):
        spelt = [drawable(sign, GlyphSet.ASCII) for sign in signs]
        assert [len(sign) for sign in spelt] == [1] * len(signs)
        assert len({*spelt}) == len(signs)
        assert [drawable(sign.lower(), GlyphSet.ASCII) for sign in signs] == [
            sign.lower() for sign in spelt
        ]


def all_texts() -> Iterator[str]:
    """Everything that the languages say, and all rules."""
    for code in languages():
        speak(code)
        yield from (face.rules() for face in FACES.values())
        said = getattr(catalogue(code), "_catalog", {})
        yield from [*said.values(), *(key for key in said if isinstance(key, str))]


def test_every_character_of_ours_has_a_spelling_in_ascii() -> None:
    for text in all_texts():
        assert drawable(text, GlyphSet.ASCII).count("?") == text.count("?"), text
