"""The game of docs/a-game.md, built from the document's own text: it is played, replayed and
reviewed, and keeps the laws (`tests/games/tutorial.py`, which runs in what is built here)."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields
from inspect import signature
from pathlib import Path
from typing import Final, NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from clocktowers_tui.games.board import Board
from clocktowers_tui.games.face import Face
from clocktowers_tui.games.spoken import spoken
from protocol.games.registry import Vocabulary
from server.games.contract import Game, Rules
from server.games.notation import Notation
from tests.laws.case import Case

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs" / "a-game.md").read_text(encoding="utf-8")
KNOWN: Final = str(ROOT / ".hypothesis")
"""What Hypothesis knows of Unicode and of our constants: to find it out takes it seconds."""
PACKAGES: Final = ("protocol", "server", "clocktowers_tui", "tests")
MOST_LINES, MOST_FILES = 900, 12
_BLOCK: Final = re.compile(r"^\*\*`(.+?)`\*\*\n\n```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LANGUAGES: Final = ("it", "ru", "nl")
"""In the order of the table's columns."""


class Block(NamedTuple):
    path: str
    kind: str
    text: str


BLOCKS: Final = [Block(*found) for found in _BLOCK.findall(PAGE)]


def own(tree: Path, folder: Path) -> None:
    """Make a folder of the tree one of its own: what lies in it stays the project's."""
    if folder != tree:
        own(tree, folder.parent)
    if folder.is_symlink():
        folder.unlink()
    elif folder.is_dir():
        return
    folder.mkdir()
    ours = ROOT / folder.relative_to(tree)
    for each in ours.iterdir() if ours.is_dir() else ():
        if not each.name.startswith((".", "__pycache__")):
            (folder / each.name).symlink_to(each)


def write(tree: Path, path: str, text: str | bytes) -> None:
    own(tree, (tree / path).parent)
    (tree / path).unlink(missing_ok=True)
    (tree / path).write_bytes(text if isinstance(text, bytes) else text.encode())


def changed(text: str, change: str) -> str:
    """With the lines that follow each other after `-` replaced by those after `+`."""
    for old, new in re.findall(r"((?:^-.*\n)+)((?:^\+.*\n)+)", change, re.MULTILINE):
        before, after = (
            "".join(line[1:] + "\n" for line in part.splitlines()) for part in (old, new)
        )
        assert text.count(before) == 1, f"the document replaces what is not there:\n{before}"
        text = text.replace(before, after)
    return text


def built(tree: Path) -> Path:
    """The project with the game of the document."""
    own(tree, tree)
    for package in PACKAGES:
        own(tree, tree / package)
    for path, kind, text in BLOCKS:
        ours = tree / path
        write(tree, path, changed(ours.read_text("utf-8"), text) if kind == "diff" else text)
    write(tree, "tests/games/pig/__init__.py", "")
    for code in LANGUAGES:
        file = f"clocktowers_tui/locale/{code}/LC_MESSAGES/clocktowers"
        with (ROOT / f"{file}.po").open("rb") as found:
            catalogue = read_po(found, locale=code)
        translate(tree, catalogue, code)
        own(tree, (tree / file).parent)
        (tree / f"{file}.mo").unlink()
        with (tree / f"{file}.mo").open("wb") as made:
            write_mo(made, catalogue)
    return tree


def translations() -> Mapping[str, Mapping[str, str]]:
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE)
    return {english: dict(zip(LANGUAGES, others, strict=True)) for english, *others in rows}


def translate(tree: Path, catalogue: Catalog, code: str) -> None:
    """As `make messages` and a translator with the table of the document would."""
    said = translations()
    for message, context in messages(tree):
        key = message if isinstance(message, str) else message[0]
        if not (known := catalogue.get(message, context)) or not known.string:
            assert key in said, f"the document does not translate {key!r}"
            catalogue.add(message, said[key][code], context=context)


def messages(tree: Path) -> Iterator[tuple[str | tuple[str, ...], str | None]]:
    found = extract_from_dir(
        tree / "clocktowers_tui" / "games" / "pig",
        keywords={"_": None, "N_": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2)},
    )
    for _file, _line, message, _comments, context in found:
        yield message, context


def test_the_document_is_short_and_the_game_has_few_files() -> None:
    assert len(PAGE.splitlines()) <= MOST_LINES
    files = {path for path, kind, _text in BLOCKS if kind != "diff"}
    assert 0 < len(files) <= MOST_FILES
    assert len(BLOCKS) == PAGE.count("```") // 2, "each block of code is built"


def test_a_game_has_few_duties() -> None:
    """What has no default and is not only handed on, and the names by which parts are found."""
    asked = list[str]()
    for one in (Vocabulary, Rules, Notation, Game, Face):
        asked += {*one._fields} - {*one._field_defaults}
    asked += [one.name for one in fields(Case) if one.default is one.default_factory]
    asked += [name for name in Board.__annotations__ if not hasattr(Board, name)]
    asked += signature(spoken).parameters
    asked += ["placed", "title", "ACTIONS", "face.py", "SPOKEN", "BOARD", "GAME", "CASE", "en.md"]
    handed_on = {"words", "rules", "notation", "face", "FACE", "more"}
    assert len([name for name in asked if name not in handed_on]) <= 41


def test_the_game_of_the_document_is_complete(tmp_path: Path) -> None:
    tree = built(tmp_path / "tree")
    run = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    of_pig = ["-k", "tutorial or pig"]
    done = subprocess.run(
        [*run, "tests/games/tutorial.py", "tests/laws", *of_pig],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree), "HYPOTHESIS_STORAGE_DIRECTORY": KNOWN},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_its_code_is_laid_out_as_ours(tmp_path: Path) -> None:
    tree = built(tmp_path / "tree")
    files = [path for path, kind, _text in BLOCKS if kind == "python"]
    for check in (["format", "--check", "--diff"], ["check", "--quiet"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *check, *files],
            cwd=tree,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout
