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


def sentences(text: str) -> Iterator[str]:
    """The text to be read out: a row of a table is one, with commas."""
    for block in blocks(text):
        if block.rows:
            yield from (", ".join(filter(None, row)) for row in block.rows)
        else:
            yield block.mark + block.text
