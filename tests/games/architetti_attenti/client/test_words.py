"""Letters on the board are one cell each and different, in English and in every catalogue."""

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from msgspec.structs import fields
from rich.cells import cell_len

import clocktowers_tui
from clocktowers_tui.games.architetti_attenti import words
from clocktowers_tui.text import i18n
from protocol.games.architetti_attenti import TILES, Kind, Parts
from protocol.games.architetti_attenti.board import cell_name

FOLDER = Path(clocktowers_tui.__file__).parent / "locale"
CATALOGUES = sorted([*FOLDER.glob("*.pot"), *FOLDER.glob("*/LC_MESSAGES/*.po")])
BUILT = [kind for kind in Kind if kind is not Kind.FREE]
LETTERS = dict(
    zip(
        (
            *("a house", "a park", "a school", "a bakery", "a bookshop"),
            *("a florist", "a toy shop", "a track", "a station", "the town hall"),
        ),
        "HPSBKFTRNW",
        strict=True,
    )
)


def letters(catalogue: Catalog) -> list[str]:
    """English where there is no other."""
    found = []
    for what, letter in LETTERS.items():
        message = catalogue.get(letter, f"one letter for {what}")
        assert message is not None
        found.append(str(message.string or letter))
    return found


def usable(found: list[str]) -> bool:
    one_cell = all(len(letter) == cell_len(letter) == 1 for letter in found)
    return one_cell and len({letter.lower() for letter in found}) == len(LETTERS)


@pytest.mark.parametrize("file", CATALOGUES, ids=lambda file: str(file.relative_to(FOLDER)))
def test_what_stands_on_a_cell_has_a_letter_of_its_own_in_every_catalogue(file: Path) -> None:
    with file.open("rb") as source:
        assert usable(letters(read_po(source)))


def test_bad_letters_would_be_noticed() -> None:
    assert usable(list("HPSBKFTRNW"))
    assert not usable(list("HPSBKFTRNH"))
    assert not usable(list("HPSBKFTRNh"))
    assert not usable(["家", *"PSBKFTRNW"])


def test_letters_of_a_language_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    italian = dict(zip("HPSBKFTRNW", "CPSNLFGBZM", strict=True))
    monkeypatch.setattr(words, "pgettext", lambda _context, text: italian[text])
    assert words.kind_letters("a language of its own") == " CPSNLFGBZM"


def test_a_catalogue_of_nonsense_does_not_break_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "pgettext", lambda _context, text: f"[{text}]")
    assert words.kind_letters("of words") == "".join(map(words.kind_letter, Kind)) == " HPSBKFTRNW"
    monkeypatch.setattr(words, "pgettext", lambda _context, _text: "X")
    assert words.kind_letters("of one letter") == " HPSBKFTRNW"


def test_every_kind_has_a_word_and_a_title() -> None:
    assert len({words.kind_words(kind) for kind in Kind}) == len(Kind)
    titles = {words.kind_title(kind) for kind in BUILT}
    assert len(titles) == len(BUILT)
    assert all(0 < cell_len(title) <= 7 for title in titles)
    assert words.kind_title(Kind.FREE) == ""


def test_a_tile_is_named_by_its_halves() -> None:
    for tile, (first, second) in enumerate(TILES[1:], start=1):
        both = f"a {words.kind_words(first)} and a {words.kind_words(second)}"
        double = f"two {words.kind_words(first)}s"
        assert words.tile_words(tile) == (double if first is second else both)


@pytest.mark.parametrize("tile", [0, -1, 16, 255])
def test_what_is_no_tile_has_a_word_too(tile: int) -> None:
    assert words.tile_words(tile) == "a tile"


def test_every_part_of_a_score_has_a_title() -> None:
    parts = [*(field.name for field in fields(Parts)), "total"]
    titles = {words.part_title(part) for part in parts}
    assert len(titles) == len(parts)
    assert all(cell_len(title) <= 10 for title in titles)


@pytest.mark.parametrize(("code", "said"), [("en", "e4 f4"), ("nl", "e4 en f4")])
def test_dutch_joins_two_cells_with_a_word(code: str, said: str) -> None:
    named = [cell_name(cell) for cell in range(49)]
    i18n.speak(code)
    try:
        assert words.cells_words([named.index("f4"), named.index("e4")]) == said
    finally:
        i18n.speak("en")
