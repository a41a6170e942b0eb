"""Names: cleaned, of a bearable width, unique while somebody has them."""

from collections.abc import Sequence
from typing import Any

import disarm
import pytest
from hypothesis import given, strategies as st

from protocol.text import MAX_NAME_BYTES, MAX_NAME_CELLS, cells, clean, fits, name_key
from server.tables.names import _DIGITS, Names, _bare, _looks


@pytest.mark.parametrize(
    "wish",
    [
        *["", "   ", "\x1b\x07", "\u200b", "x" * 21, "字" * 11],
        *["\u0301\u0301", "\u3164", "\u2800", "\U00010330" * 13],
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
    names.take("Ann")
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
    assert not names._uses


ALIKE = [
    ("Ann", ["ann", "ANN", "Ａｎｎ", "Ann\u1160", "A\u034fnn", "Ann\ufe0f\u3164"]),
    ("Anna", ["Anna.", "A n n a", "Anna_", "ᴀɴɴᴀ", "ａｎｎａ", "anna", "-Anna-", "𝐀𝐧𝐧𝐚"]),
    ("Paypal", ["paypaI", "PayPa1", "pay pal"]),
    ("Ivo", ["ivo", "IVO", "lvo", "1vo"]),
    ("Momo", ["M0mo", "rnomo"]),
    ("Анна", ["анна", "Анна."]),
    ("Roma", ["Rorna"]),
    ("Strauß", ["STRAUSS"]),
]


@pytest.mark.parametrize(
    ("held", "twin"), [(name, twin) for name, twins in ALIKE for twin in twins]
)
def test_what_imitates_a_name_gets_a_number(held: str, twin: str) -> None:
    names = Names()
    assert names.claim(held) == held
    given_name = names.claim(twin)
    assert given_name is not None and given_name.endswith(" 2")
    names.release(held)
    names.release(given_name)
    assert not names._uses


@pytest.mark.parametrize("name", ["Admіn", "Αnna", "Аnna", "ΜОМО", "Աnna"])
def test_a_name_of_several_alphabets_is_refused(name: str) -> None:
    assert Names().claim(name) is None


def test_a_name_of_another_alphabet_that_looks_the_same_gets_a_number() -> None:
    names = Names()
    assert [names.claim(name) for name in ("AXO", "АХО")] == ["AXO", "АХО 2"]


HONEST = [
    *["José", "Zoë", "Müller", "Muller", "Анна", "Ελένη", "山田たろう", "אבג", "हिन्दी", "ไทย"],
    *["x²", "😀Ann", "😀", "!", "?", "Łukasz", "Çağla", "Nguyễn", "Þór", "Ⅳ"],
    *["カナ Ann", "한글 abc", "Tom & Jo"],
]


def test_honest_names_pass_beside_each_other() -> None:
    names = Names()
    assert [names.claim(name) for name in HONEST] == HONEST


def test_letters_of_ascii_look_as_the_library_says() -> None:
    """Which is not asked for them, so that most servers need not read its tables."""
    for letter in map(chr, range(33, 127)):
        skeleton = disarm.skeleton_key(f"a{letter}b").translate(_DIGITS)
        assert _looks(f"a{letter}b") == _bare(skeleton), letter


def test_many_wishes_for_one_name_are_not_counted_up(monkeypatch: pytest.MonkeyPatch) -> None:
    names, asked = Names(), 0
    taken = names._taken

    def counting(*name: Any) -> bool:
        nonlocal asked
        asked += 1
        return taken(*name)

    claimed = [names.claim("Ann") for _ in range(1500)]
    assert claimed == ["Ann", *[f"Ann {number}" for number in range(2, 1501)]]
    monkeypatch.setattr(names, "_taken", counting)
    assert names.claim("Ann") == "Ann 1501"
    assert asked < 30
