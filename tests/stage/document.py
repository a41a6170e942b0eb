"""PROTOCOL.md and RECORDS.md taken apart: their chapters, blocks, tables, notation.

`text` is the whole of PROTOCOL.md unless a caller gives another.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

_FOLDER: Final = Path(__file__).parents[2] / "protocol"
TEXT: Final = (_FOLDER / "PROTOCOL.md").read_text("utf-8")
RECORDS: Final = (_FOLDER / "RECORDS.md").read_text("utf-8")


class Example(NamedTuple):
    """A frame in the document, and its chapter; `frame` only where the document also shows the
    hex."""

    chapter: str
    side: str
    value: dict[str, Any]
    frame: bytes | None


def value_of(notation: str) -> Any:
    """JSON with `h'…'` for bin."""
    return json.loads(re.sub(r"h'([0-9a-f]*)'", r'{"bin": "\1"}', notation), object_hook=_bin)


def _bin(found: dict[str, Any]) -> Any:
    return bytes.fromhex(found["bin"]) if set(found) == {"bin"} else found


def chapters(text: str = TEXT) -> dict[str, str]:
    """Title → the text between it and the next heading of the second level."""
    titles_and_bodies = re.split(r"^## (.*)\n", text, flags=re.MULTILINE)[1:]
    return dict(zip(titles_and_bodies[::2], titles_and_bodies[1::2], strict=True))


def blocks(kind: str, text: str = TEXT) -> list[str]:
    """The fenced blocks marked as `kind`."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def examples(kind: str) -> list[Example]:
    """Every frame in the blocks of `kind`, in their order."""
    return [
        example
        for chapter, text in chapters().items()
        for block in blocks(kind, text)
        for example in _examples(chapter, block)
    ]


def _examples(chapter: str, block: str) -> Iterator[Example]:
    joined = re.sub(r"\n +", " ", block)
    lines = [line for line in joined.splitlines() if not line.startswith("#")]
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        if line.startswith(("C: ", "S: ")):
            shown = bytes.fromhex(after[2:]) if after.startswith("= ") else None
            side = {"C": "client", "S": "server"}[line[0]]
            yield Example(chapter, side, value_of(line[3:]), shown)
        else:
            assert line.startswith("= "), line


def section(title: str, text: str = TEXT) -> str:
    """The text under a heading, up to the next heading of any level."""
    _before, found, after = f"\n{text}".partition(f"# {title}\n")
    assert found, title
    return re.split(r"^#+ ", after, maxsplit=1, flags=re.MULTILINE)[0]


def rows(title: str, text: str = TEXT) -> list[list[str]]:
    """The rows of all tables under a heading, without backticks."""
    return rows_in(section(title, text))


def rows_in(text: str) -> list[list[str]]:
    """The rows of all tables in a text, without backticks."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip().replace("`", "") for cell in line[1:-1].split("|")] for line in lines]
    return [row for row in cells if not set(row[0]) <= {"-"} or not row[0]]
