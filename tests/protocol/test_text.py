import sys
import unicodedata
from itertools import chain

import pytest
from hypothesis import example, given, strategies as st
from wcwidth import wcwidth

from protocol.text import MAX_NAME_CELLS, cells, cells_of, clean, name_key

anything = st.text(st.characters())
"""Surrogates too: a client may clean what it did not get from the wire."""

marks = st.text(st.characters(categories=["M"]))
crowded = st.lists(st.one_of(anything, marks, st.sampled_from(["a", " ", "\u200d", "가"]))).map(
    "".join
)


def assert_clean(text: str) -> None:
    categories = [unicodedata.category(char) for char in text]
    assert not [c for c in categories if c[0] == "C" or c in ("Zl", "Zp")]
    assert "MMM" not in "".join(c[0] for c in categories)
    assert text == text.strip()
    assert "  " not in text
    assert not [char for char in text if char.isspace() and char != " "]
    assert unicodedata.is_normalized("NFC", text)


@given(crowded)
@example(" \u01da\u0b46\u0323\u0329\U0006f223")
def test_what_is_cleaned_is_clean_and_stays_as_it_is(text: str) -> None:
    cleaned = clean(text)
    assert_clean(cleaned)
    assert clean(cleaned) == cleaned
    cleaned.encode()


def test_every_character_there_is() -> None:
    """Beyond the planes with characters all are private or unassigned: some of those."""
    planes = (range(0x40000), range(0xE0000, 0xE1000), range(0x40000, sys.maxunicode + 1, 251))
    every = "".join(f"a{chr(code)}" for code in chain(*planes))
    categories = {unicodedata.category(char) for char in clean(every)}
    assert {c for c in categories if c[0] in "CZ"} == {"Zs"}
    assert {c[0] for c in categories} == set("LMNPSZ")


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Ann", "Ann"),
        ("  Ann \t\n  Lee ", "Ann Lee"),
        ("\x1b]0;PWNED\x07Ann", "]0;PWNEDAnn"),
        ("\x1b[2J\x1b[HAnn", "[2J[HAnn"),
        ("\x9b31mAnn\x9c", "31mAnn"),
        ("\u202eAnn\u202c", "Ann"),
        ("A\u200dn\u200bn\ufeff", "Ann"),
        ("A\u2028B\u2029C", "A B C"),
        ("A\u3000B\u00a0C\u2003D", "A B C D"),
        ("A\x85B\x1cC", "A B C"),
        ("e\u0301", "é"),
        ("e\u200d\u0301", "é"),
        ("A\u200d B", "A B"),
        ("A \u200d B", "A B"),
        ("x" + "\u0336" * 50, "x\u0336\u0336"),
        ("x" + "\u0336\u200b" * 50, "x\u0336\u0336"),
        ("\ue000\U000e0041\ud800\U0010ffffA", "A"),
        ("\x00\x01\x02", ""),
        (" \u200b ", ""),
        ("[@click=app.quit]x[/]", "[@click=app.quit]x[/]"),
        ("Зоя 漢字 🦉", "Зоя 漢字 🦉"),
    ],
)
def test_hostile_and_honest_text(typed: str, shown: str) -> None:
    assert clean(typed) == shown


def test_cells_are_what_a_terminal_takes() -> None:
    assert cells("") == 0
    assert cells("Ann") == 3
    assert cells("漢字") == 4
    assert cells(clean("e\u0301")) == 1
    assert cells("漢" * 10) == MAX_NAME_CELLS


def test_a_character_takes_the_cells_that_the_tables_say() -> None:
    """Though most of those that screens draw are not looked up there."""
    characters = [*map(chr, range(0x3000)), "漢", "\U0001f600", "\ufe0f"]
    assert [one for one in characters if cells_of(one) != wcwidth(one)] == []


@given(anything)
def test_a_key_is_its_own_key_and_blind_to_case(name: str) -> None:
    key = name_key(name)
    assert name_key(key) == key
    assert name_key(unicodedata.normalize("NFKC", name).casefold()) == key


@pytest.mark.parametrize("letters", ["a", "\u1100", ""])
def test_a_long_run_of_marks_is_cut_before_it_is_put_in_order(letters: str) -> None:
    """And what is left does not depend on how long the run is."""
    run = "\u0345\u0323\u0301\u0334" * 8
    assert clean(letters + run * 10_000) == clean(letters + run[:8])
