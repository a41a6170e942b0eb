"""Names: cleaned, of a bearable width, unique while somebody has them."""

from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from protocol.text import MAX_NAME_BYTES, MAX_NAME_CELLS, cells, clean, fits, name_key
from server.tables.names import Names


@pytest.mark.parametrize(
    ("wish", "name"),
    [
        ("Ann", "Ann"),
        ("  Ann \t Lee ", "Ann Lee"),
        ("An\x1b]0;owned\x07n", "An]0;ownedn"),
        ("A\u202enn\u200b", "Ann"),
        ("[@click=app.pwn]x[/]", "[@click=app.pwn]x[/]"),
        ("字" * 10, "字" * 10),
        ("x" * 20, "x" * 20),
        ("e\u0301", "\u00e9"),
    ],
)
def test_a_name_is_cleaned_and_kept(wish: str, name: str) -> None:
    assert Names().claim(wish) == name


@pytest.mark.parametrize(
    "wish",
    [
        "",
        "   ",
        "\x1b\x07",
        "\u200b",
        "x" * 21,
        "字" * 11,
        "\u0301\u0301",
        "\u3164",
        "\u2800",
        "\U00010330" * 13,
    ],
)
def test_an_empty_or_too_wide_name_is_refused(wish: str) -> None:
    names = Names()
    assert names.claim(wish) is None
    assert names.claim("Ann") == "Ann"


def test_a_taken_name_gets_the_next_number() -> None:
    names = Names()
    assert [names.claim("Ann") for _ in range(3)] == ["Ann", "Ann 2", "Ann 3"]
    assert names.claim("Ann 2") == "Ann 2 2"


@pytest.mark.parametrize(
    "twin", ["ann", "ANN", "Ａｎｎ", "Ann\u1160", "A\u034fnn", "Ann\ufe0f\u3164"]
)
def test_what_looks_or_sounds_the_same_is_the_same(twin: str) -> None:
    names = Names()
    names.claim("Ann")
    given_name = names.claim(twin)
    assert given_name is not None
    assert given_name.endswith(" 2")


def test_sharp_s_is_the_same_as_two() -> None:
    names = Names()
    assert names.claim("Strauß") == "Strauß"
    assert names.claim("STRAUSS") == "STRAUSS 2"


def test_a_long_name_makes_room_for_its_number() -> None:
    names = Names()
    for wide in ("x" * 20, "字" * 10, "\U00010330" * 12):
        assert names.claim(wide) == wide
        second = names.claim(wide)
        assert second is not None
        assert second.endswith(" 2")
        assert fits(second, MAX_NAME_CELLS, MAX_NAME_BYTES)


def test_a_name_is_free_when_all_who_held_it_have_released_it() -> None:
    names = Names()
    names.claim("Ann")
    names.hold("Ann")
    names.release("Ann")
    assert names.claim("Ann") == "Ann 2"
    names.release("ann")
    assert names.claim("Ann") == "Ann"


@given(st.lists(st.text(min_size=1, max_size=25), max_size=30))
def test_claimed_names_are_clean_narrow_and_different(wishes: Sequence[str]) -> None:
    names = Names()
    claimed = [name for wish in wishes if (name := names.claim(wish)) is not None]
    assert len({name_key(name) for name in claimed}) == len(claimed)
    assert all(1 <= cells(name) <= MAX_NAME_CELLS for name in claimed)
    assert all(clean(name) == name for name in claimed)
    for name in claimed:
        names.release(name)
    assert not names._held
