"""A game's rules pages taken apart: the text below a heading, its tables, its facts."""

import re
from pathlib import Path


def texts_of(game: str) -> dict[str, str]:
    """Language → the whole text of the game's rules."""
    folder = Path(__file__).parents[2] / "clocktowers_tui" / "games" / game / "rules"
    return {file.stem: file.read_text(encoding="utf-8") for file in folder.glob("*.md")}


def tables_of(text: str) -> list[tuple[str, list[list[str]]]]:
    """All tables of a text: each as it is written, and as its rows of cells without marks."""
    found = []
    for source in re.findall(r"(?:^\|.*\n)+", text, flags=re.M):
        rows = [row for row in source.splitlines() if not set(row) <= set("|-")]
        cells = [[cell.strip(" *`") for cell in row.strip()[1:-1].split("|")] for row in rows]
        found.append((source, cells))
    return found


class RulesPage:
    """A text of a rules page."""

    def __init__(self, text: str) -> None:
        self.text = text

    def section(self, heading: str) -> str:
        """The text below a heading, on one line."""
        return " ".join(self._body(heading).split())

    def table(self, heading: str) -> list[list[str]]:
        """The rows of a section's first table, without its head."""
        return self.tables(heading)[0][1:]

    def tables(self, heading: str) -> list[list[list[str]]]:
        """All tables of a section, each as its rows, the head first."""
        found: list[list[list[str]]] = []
        inside = False
        for line in self._body(heading).splitlines():
            if not line.startswith("|"):
                inside = False
                continue
            if not inside:
                found.append([])
            inside = True
            if not set(line) <= set("|-"):
                found[-1].append([cell.strip() for cell in line.strip()[1:-1].split("|")])
        return found

    def _body(self, heading: str) -> str:
        return self.text.split(f" {heading}\n", 1)[1].split("\n#", 1)[0]


def facts(text: str) -> list[str]:
    """Numbers, code and marks of the project's own readings, in their order."""
    found = re.findall(r"`[^`]+`|\*\*\[\w+\]\*\*|\d+", text)
    return ["ours" if fact.startswith("**") else fact for fact in found]


def differences(text: str, other: str) -> list[str]:
    """Sections in which two languages differ: headings of one depth and facts, in one order."""
    parts, others = (re.split(r"^(#+) .*$", page, flags=re.M) for page in (text, other))
    if parts[1::2] != others[1::2]:
        return ["the headings"]
    return [
        one for one, same in zip(parts[::2], others[::2], strict=True) if facts(one) != facts(same)
    ]
