"""Every link between the documents leads somewhere, and README says the main things first."""

import html
import re
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.test_tree import ROOT, files

_FILE = re.compile(r"`((?:protocol|server|clocktowers_tui|tests|bench|docs)/[\w./]+)`")
"""A file or folder of ours, named in a text; NAME in it is any game, NNN any number."""
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
_FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def documents() -> list[Path]:
    return [file for file in files() if file.suffix == ".md"]


def anchors(text: str) -> set[str]:
    """What `#…` may name in a document: its headings, as forges write them."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}


def broken_links(file: Path, text: str) -> Iterator[str]:
    for link in _LINK.findall(_FENCED.sub("", text)):
        if link.startswith(("https://", "mailto:")):
            continue
        path, _, anchor = link.partition("#")
        target = file.parent / path if path else file
        there = target.read_text("utf-8", "replace") if path and target.is_file() else text
        if not target.exists() or (anchor and anchor not in anchors(there)):
            yield link


def missing_files(text: str) -> list[str]:
    named = sorted({*_FILE.findall(text)})
    return [name for name in named if not any(ROOT.glob(re.sub("NAME|NNN", "*", name)))]


def test_every_file_that_a_document_names_is_there() -> None:
    texts = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    own = "a-game.md"  # writes the files that it names, and a test of its own holds it
    named = "".join(file.read_text("utf-8") for file in texts if file.name != own)
    assert len({*_FILE.findall(named)}) > 40
    assert missing_files(named) == []
    assert missing_files("`server/nowhere.py` `server/games/NAME/game.py`") == ["server/nowhere.py"]


def missing_parts(text: str) -> list[str]:
    """Names in the table of rooms that are neither a file nor a folder of their room."""
    missing = []
    for room, words in re.findall(r"^\| `([\w/]+)/` \| (.+) \|$", text, re.MULTILINE):
        for name in re.findall(r"`([a-z_]+)/?`", words):
            places = [ROOT.glob(f"{room.replace('NAME', '*')}/{name}{end}") for end in ("", ".py")]
            if not any(any(found) for found in places):
                missing.append(f"{room}: {name}")
    return missing


def test_every_part_of_a_room_is_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert missing_parts(text) == []
    assert missing_parts(text.replace("`spectating`", "`spectators`")) == ["server/net: spectators"]


def test_every_link_between_documents_leads_somewhere() -> None:
    found = {str(file): [*broken_links(file, file.read_text("utf-8"))] for file in documents()}
    assert found and not {file: links for file, links in found.items() if links}


def unspoken(file: Path, text: str) -> Iterator[str]:
    """Pictures that a screen reader cannot tell of: with no sentence; or one that says of a picture
    what does not stand in it. What is in “ ” there stands in the picture."""
    yield from re.findall(r"<img (?![^>]*alt=\"[^\"]+\")[^>]*>", text)
    for said, name in _PICTURE.findall(_FENCED.sub("", text)):
        picture = file.parent / name
        drawn = _drawn(picture) if picture.suffix == ".svg" else said
        quoted = [one.replace(" ", "") for one in re.findall(r"“(.+?)”", said)]
        if len(said.split()) < 8 or any(one not in drawn for one in quoted):
            yield name


def _drawn(picture: Path) -> str:
    """The text of a screen's picture, row by row from the left, without blanks."""
    found = re.findall(
        r'<text[^>]*?x="([\d.]+)"[^>]*?y="([\d.]+)"[^>]*>([^<]*)<', picture.read_text("utf-8")
    )
    rows = sorted((float(down), float(across), text) for across, down, text in found)
    return re.sub(r"\s", "", html.unescape("".join(text for _y, _x, text in rows)))


def test_every_picture_is_told_in_a_sentence() -> None:
    found = {str(file): [*unspoken(file, file.read_text("utf-8"))] for file in documents()}
    assert found and not {file: names for file, names in found.items() if names}
    readme, picture = ROOT / "README.md", "bench/pictures/match.svg"
    lies = "A match between seven players, in which a line says “You have lost.”"
    for wrong in (f"![]({picture})", f"![A match]({picture})", f"![{lies}]({picture})"):
        assert [*unspoken(readme, wrong)] == [picture]
    assert len([*unspoken(readme, '<img src="a.png"> <img src="b.png" alt="A match.">')]) == 1


def test_readme_says_on_its_first_screen_how_to_install_play_host_and_join() -> None:
    first = (ROOT / "README.md").read_text("utf-8").partition("\n## The games")[0]
    assert len(first.splitlines()) <= 45 and first.count("](") == 1
    order = ["![", "## Install", "## Play", "## Host and join", "clocktowers join HOST"]
    places = [first.index(part) for part in order]
    assert places == sorted(places)
