"""The documents show every picture that is kept, and each can be made again."""

import asyncio
import re
from pathlib import Path

import pytest

from bench.pictures import FOLDER, KEPT, every, taken
from bench.scenes import SCENES

_ROOT = Path(__file__).parents[2]
_DOCUMENTS = "".join(
    file.read_text("utf-8") for file in (_ROOT / "README.md", *(_ROOT / "docs").glob("*.md"))
)


def words(svg: str) -> str:
    """What stands in a picture; ids and colours may be others in another version of Textual."""
    return re.sub(r"\s+", " ", " ".join(re.findall(r">([^<]+)</text>", svg)))


@pytest.mark.parametrize("name", KEPT)
def test_a_picture_in_a_document_shows_what_the_client_shows(name: str) -> None:
    assert f"bench/pictures/{name}.svg" in _DOCUMENTS
    kept = (FOLDER / f"{name}.svg").read_text("utf-8")
    assert words(kept) == words(asyncio.run(taken(KEPT[name])))


def test_no_other_picture_lies_about() -> None:
    assert {file.stem for file in FOLDER.glob("*.svg")} == set(KEPT)


def test_every_screen_has_its_picture() -> None:
    assert {picture.scene for picture in every(looks=False)} == set(SCENES)


def test_pictures_ask_nobody_for_fonts() -> None:
    for file in FOLDER.glob("*.svg"):
        assert "@font-face" not in file.read_text("utf-8")
