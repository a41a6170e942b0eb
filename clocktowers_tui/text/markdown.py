"""Takes a text in Markdown apart: headings, paragraphs, points of lists, tables, no more.

Textual's own Markdown is a widget for every paragraph. Here a text is blocks: a screen breaks them
into lines, plain mode says them.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from markdown_it.tree import SyntaxTreeNode


Words: TypeAlias = Sequence[tuple[str, bool]]
"""The parts of a text, and whether each is bold."""


class TextBlock(NamedTuple):
    """`heading`: its level, 0 for all others. `mark`: what stands before a point of a list, which
    `follows` the point before it. `rows`: of a table, the first is its head."""

    words: Words = ()
    heading: int = 0
    mark: str = ""
    follows: bool = False
    rows: Sequence[Sequence[str]] = ()

    @property
    def text(self) -> str:
        return _plain(self.words)


def blocks(text: str) -> list[TextBlock]:
    # Only a player who reads such a text waits for the parser: it takes as long as all of our
    # start.
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

    parser = MarkdownIt("commonmark").enable("table")
    return [block for node in SyntaxTreeNode(parser.parse(text)).children for block in _block(node)]


def _block(node: "SyntaxTreeNode") -> Iterator[TextBlock]:
    match node.type:
        case "heading":
            yield TextBlock(_words(node), heading=int(node.tag[1:]))
        case "bullet_list" | "ordered_list":
            for n, item in enumerate(node.children, start=1):
                mark = "- " if node.type == "bullet_list" else f"{n}. "
                yield TextBlock(_words(item), mark=mark, follows=n > 1)
        case "table":
            rows = [row for part in node.children for row in part.children]
            yield TextBlock(rows=[[_plain(_words(cell)) for cell in row.children] for row in rows])
        case _:
            yield TextBlock(_words(node))


def _words(node: "SyntaxTreeNode") -> Words:
    return [*_parts(node, bold=False)]


def _parts(node: "SyntaxTreeNode", *, bold: bool) -> Iterator[tuple[str, bool]]:
    if node.type in ("text", "code_inline") and node.content:
        yield node.content, bold
    elif node.type == "softbreak":
        yield " ", bold
    for child in node.children:
        yield from _parts(child, bold=bold or node.type == "strong")


def _plain(words: Words) -> str:
    return "".join(text for text, _bold in words)


class Section(NamedTuple):
    """`level`: of its heading. `told`: what stands below it, up to the next heading, to be read
    out."""

    heading: str
    level: int
    told: Sequence[str]


def sections(text: str) -> Sequence[Section]:
    """The text behind its title. A row of a table is a sentence that names the columns."""
    found: list[Section] = []
    told: list[str] = []
    for block in blocks(text):
        if block.heading:
            told = []
            found.append(Section(block.text, block.heading, told))
        elif block.rows:
            told += [_row_told(block.rows[0], row) for row in block.rows[1:]]
        else:
            told.append(block.mark + block.text)
    return found[1:]


def _row_told(head: Sequence[str], row: Sequence[str]) -> str:
    """`Floors: no animal 5, cat 5, mouse 4, in all 14.`, `Players 2: floors 19.`; where words stand
    behind one thing alone, they need no name."""
    first, *rest = row
    if first.isdigit():
        first = f"{head[0]} {first}".strip()
    first = first[:1].upper() + first[1:]
    if len(rest) == 1 and not rest[0][:1].isdigit():
        return f"{first}: {rest[0]}."
    others = (f"{name} {cell}" for name, cell in zip(head[1:], rest, strict=False) if cell)
    return f"{first}: {', '.join(others)}." if rest else first
