"""Letters on the board are one cell each and different, in English and in every catalogue."""

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from rich.cells import cell_len

import clocktowers_tui
from clocktowers_tui.games.clocktowers import words
from protocol.games.clocktowers import FIRST_ROOF

FOLDER = Path(clocktowers_tui.__file__).parent / "locale"
ROOFS = range(FIRST_ROOF, 14)
COLOURS = {"blue": "B", "green": "G", "purple": "P", "red": "R", "yellow": "Y"}


def letters(catalogue: Catalog) -> list[str]:
    """English where there is no other."""
    found = []
    for colour, letter in COLOURS.items():
        message = catalogue.get(letter, f"one letter for the colour {colour}")
        found.append(str(message.string or letter) if message else letter)
    return found


def usable(found: list[str]) -> bool:
    both = [form for letter in found for form in (letter.upper(), letter.lower())]
    return len({letter.lower() for letter in found}) == 5 and all(
        cell_len(form) == 1 and len(form) == 1 for form in both
    )


CATALOGUES = sorted([*FOLDER.glob("*.pot"), *FOLDER.glob("*/LC_MESSAGES/*.po")])


@pytest.mark.parametrize("file", CATALOGUES, ids=lambda file: str(file.relative_to(FOLDER)))
def test_roofs_have_letters_of_their_own_in_every_catalogue(file: Path) -> None:
    with file.open("rb") as source:
        assert usable(letters(read_po(source)))


def test_translators_are_asked_for_them() -> None:
    with (FOLDER / "clocktowers.pot").open("rb") as source:
        asked = read_po(source)
    for colour, letter in COLOURS.items():
        assert asked.get(letter, f"one letter for the colour {colour}") is not None


def test_bad_letters_would_be_noticed() -> None:
    assert usable(["B", "V", "P", "R", "G"])
    assert not usable(["B", "V", "P", "R", "V"])
    assert not usable(["Bl", "V", "P", "R", "G"])
    assert not usable(["青", "V", "P", "R", "G"])


def test_a_catalogue_of_nonsense_does_not_break_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "pgettext", lambda _context, text: f"[{text}]")
    assert [words.roof_letter(roof) for roof in ROOFS] == list("BGPRY")
    assert words.height_letter() == "h"
    monkeypatch.setattr(words, "pgettext", lambda _context, _text: "X")
    assert [words.roof_letter(roof) for roof in ROOFS] == list("BGPRY")


def test_letters_of_a_language_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    italian = dict(zip("BGPRY", "BVPRG", strict=True))
    monkeypatch.setattr(words, "pgettext", lambda _context, text: italian.get(text, text))
    assert [words.short_code(roof) for roof in ROOFS] == ["Rb", "Rv", "Rp", "Rr", "Rg"]
