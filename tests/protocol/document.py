"""PROTOCOL.md taken apart: its blocks of frames, its tables, its notation."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

TEXT: Final = (Path(__file__).parents[2] / "protocol" / "PROTOCOL.md").read_text("utf-8")


class Example(NamedTuple):
    """One frame as the document shows it; `frame` only where it also shows the hex."""

    side: str
    value: dict[str, Any]
    frame: bytes | None


def value_of(notation: str) -> Any:
    """JSON with `h'…'` for bin."""
    return json.loads(re.sub(r"h'([0-9a-f]*)'", r'{"bin": "\1"}', notation), object_hook=_bin)


def _bin(found: dict[str, Any]) -> Any:
    return bytes.fromhex(found["bin"]) if set(found) == {"bin"} else found


def blocks(kind: str) -> list[str]:
    """The fenced blocks marked as `kind`."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)


def examples(kind: str) -> list[Example]:
    """Every frame in the blocks of `kind`, in their order."""
    return [example for block in blocks(kind) for example in _examples(block)]


def _examples(block: str) -> Iterator[Example]:
    joined = re.sub(r"\n +", " ", block)
    lines = [line for line in joined.splitlines() if not line.startswith("#")]
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        if line.startswith(("C: ", "S: ")):
            shown = bytes.fromhex(after[2:]) if after.startswith("= ") else None
            yield Example({"C": "client", "S": "server"}[line[0]], value_of(line[3:]), shown)
        else:
            assert line.startswith("= "), line


def section(title: str) -> str:
    """The text under a heading, up to the next heading of any level."""
    _before, found, after = TEXT.partition(f"# {title}\n")
    assert found, title
    return re.split(r"^#+ ", after, maxsplit=1, flags=re.MULTILINE)[0]


def rows(title: str) -> list[list[str]]:
    """The rows of all tables under a heading, without backticks."""
    lines = [line for line in section(title).splitlines() if line.startswith("|")]
    cells = [[cell.strip().replace("`", "") for cell in line[1:-1].split("|")] for line in lines]
    return [row for row in cells if not set(row[0]) <= {"-"} or not row[0]]
