"""Every game's rules: each language says the same, and what is shown is the file that is linked."""

import re
from collections.abc import Sequence
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import FieldInfo, fields

from clocktowers_tui import games
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.screens.rules import LaidOut
from clocktowers_tui.text.i18n import SOURCE, speak
from clocktowers_tui.text.markdown import blocks
from protocol.games.registry import GAMES
from tests.stage.own_files import FaceCase, by_game
from tests.stage.rules_pages import RulesPage, differences, tables_of, texts_of

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = sorted(Path(games.__file__).parent.glob("*/rules"))
CASES: dict[str, FaceCase] = by_game("face_case", "CASE")
TEXTS = {folder.parent.name: texts_of(folder.parent.name) for folder in FOLDERS}
TRANSLATED = [
    (game, code) for game, texts in TEXTS.items() for code in sorted(texts) if code != SOURCE
]
NOT_ON_THE_SHEET = {
    "architetti_attenti": ["Bakery, bookshop, florist and toy shop are the 4 types"],
    "wild_wild_pattern": [
        "There is one of each object in each colour",
        "Cards that were won, Challenge cards before players and Targets stay",
    ],
}
"""Sentences that read like the publisher's and are not; the other languages have as many marks."""
ON_THE_SHEET = {
    "architetti_attenti": ["The sheet lets the youngest player begin"],
    "clocktowers": ["The Italian sheet gives the first turn"],
    "wild_wild_pattern": [
        "Then each opponent takes any one card of the Wheel",
        "After each round all those who have the least are out",
        "pays every line that you meet *exactly*",
    ],
}
"""The publisher's, in a section that has our own sentences, too."""
MARK = re.compile(r"\*\*\[\w+\]\*\*")


def paragraphs(text: str) -> list[str]:
    """Each on one line; a point of a list is one, too."""
    pieces = re.split(r"\n\n|\n(?=- |\d\. )", text)
    return [" ".join(piece.split()) for piece in pieces]


def marked(game: str, sentence: str) -> bool:
    """Whether a mark stands before the sentence in its paragraph."""
    [around] = [piece for piece in paragraphs(TEXTS[game][SOURCE]) if sentence in piece]
    return bool(MARK.search(around[: around.index(sentence)]))


def test_a_mark_covers_its_paragraph_and_no_more() -> None:
    for game, texts in TEXTS.items():
        assert all(marked(game, sentence) for sentence in NOT_ON_THE_SHEET.get(game, []))
        assert not any(marked(game, sentence) for sentence in ON_THE_SHEET[game])
        for text in texts.values():
            twice = [piece for piece in paragraphs(text) if len(MARK.findall(piece)) > 1]
            assert not twice, "the first mark covers the rest of the paragraph"


@pytest.mark.parametrize(("game", "code"), TRANSLATED)
def test_another_language_says_the_same_numbers_and_names(game: str, code: str) -> None:
    assert differences(TEXTS[game][code], TEXTS[game][SOURCE]) == []


@pytest.mark.parametrize("game", TEXTS)
def test_they_are_shown_in_the_language_spoken_or_in_english(game: str) -> None:
    rules = FACES[game].rules
    assert rules() == TEXTS[game][SOURCE]
    for code in TEXTS[game]:
        speak(code)
        assert rules() == TEXTS[game][code]


@pytest.mark.parametrize("game", TEXTS)
def test_the_documentation_links_to_every_text(game: str) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for code in TEXTS[game]:
        assert f"(clocktowers_tui/games/{game}/rules/{code}.md)" in readme


# Tables ------------------------------------------------------------------------------------------

ALL = [(game, code) for game, texts in TEXTS.items() for code in sorted(texts)]
WIDTHS = (58, 78, 118)
"""Widths of the text, on terminals of 60, 80 and 120 columns."""


def missing(table: Sequence[Sequence[str]], drawn: Sequence[str]) -> list[str]:
    """Cells whose words do not stand in the lines in which their table is drawn."""
    left = " ".join(drawn).replace(":", " ").replace(";", " ").split()
    lost = []
    for cell in (cell for row in table for cell in row):
        for word in cell.replace(":", " ").replace(";", " ").split():
            if word in left:
                left.remove(word)
            else:
                lost.append(cell)
    return lost


THING = re.compile(r"(?!a )[a-z ]{2,}")
AMBIGUOUS = {"floors"}
"""What another language has two words for."""


@pytest.mark.parametrize(("game", "code"), TRANSLATED)
def test_another_language_has_the_tables_whose_examples_are_counted_in_english(
    game: str, code: str
) -> None:
    """Each thing has one translation, and nothing else has that; what is made of two, as a tile or
    a card, is named by both, which may end otherwise."""
    found: set[tuple[str, str]] = set()
    tables = zip(tables_of(TEXTS[game][SOURCE]), tables_of(TEXTS[game][code]), strict=True)
    for (_source, english), (_same, other) in tables:
        for row, translated in zip(english, other, strict=True):
            found.update(zip(row, translated, strict=True))
    things = [one for one in found if THING.fullmatch(one[0]) and one[0] not in AMBIGUOUS]
    called = dict(things)
    assert len(things) == len(called) == len({*called.values()})
    for cell, said in found:
        parts = cell.split(" and ") if " and " in cell else cell.split()
        if len(parts) > 1 and all(part in called for part in parts):
            assert all(called[part][:2] in said for part in parts), (cell, said)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("game", "code"), ALL)
def test_every_word_of_every_table_is_drawn(game: str, code: str, width: int) -> None:
    found = tables_of(TEXTS[game][code])
    assert found
    for source, table in found:
        drawn = [line.plain for line in LaidOut(blocks(source), width).lines]
        assert not missing(table, drawn), drawn
        assert max(map(len, drawn)) <= width and not any("…" in line for line in drawn)


# Options -----------------------------------------------------------------------------------------


def written(value: Any) -> str:
    """A value as the command line has it."""
    many = isinstance(value, list | tuple)
    return ",".join(map(str, value)) if many else "none" if value is None else str(value)


def values_of(game: str, field: FieldInfo) -> list[str]:
    """The default, then the others; of seats the first alone."""
    if (own := CASES[game].words.values.get(field.name)) is not None:
        return [*own]
    if isinstance(field.default, StrEnum):
        others = (value for value in type(field.default) if value != field.default)
        return [*map(written, (field.default, *others))]
    assert field.name == "first_seat"
    return ["none", "0"]


@pytest.mark.parametrize("game", TEXTS)
def test_options_and_presets(game: str) -> None:
    page, options = RulesPage(TEXTS[game][SOURCE]), import_module(f"protocol.games.{game}").Options
    said = page.section("Options")
    named = dict(re.findall(r"`([a-z_]+)`: (.*?)(?= - |$| A preset)", said))
    assert list(named) == [field.name for field in fields(options)]
    for field in fields(options):
        values = values_of(game, field)
        assert re.findall(r"`([^`]+)`", named[field.name])[: len(values)] == values
    shown = [[cell.strip("`") for cell in row] for row in page.table("Options")]
    presets = GAMES[game].presets
    assert shown == [[name, *map(written, sets.values())] for name, sets in presets.items()]
