"""The README's pictures are there, and can be made again."""

import asyncio
import re
from pathlib import Path

import pytest

from bench.pictures import FOLDER, README, SCENES, every, taken

_README = Path(__file__).parents[2] / "README.md"


def words(svg: str) -> str:
    """What stands in a picture; ids and colours may be others in another version of Textual."""
    return re.sub(r"\s+", " ", " ".join(re.findall(r">([^<]+)</text>", svg)))


@pytest.mark.parametrize("name", README)
def test_a_picture_of_the_readme_shows_what_the_client_shows(name: str) -> None:
    assert f"bench/pictures/{name}.svg" in _README.read_text("utf-8")
    kept = (FOLDER / f"{name}.svg").read_text("utf-8")
    assert words(kept) == words(asyncio.run(taken(README[name])))


def test_no_other_picture_lies_about() -> None:
    assert {file.stem for file in FOLDER.glob("*.svg")} == set(README)


def test_every_screen_has_its_picture() -> None:
    assert {picture.scene for picture in every()} == set(SCENES)


def test_pictures_ask_nobody_for_fonts() -> None:
    for file in FOLDER.glob("*.svg"):
        assert "@font-face" not in file.read_text("utf-8")
