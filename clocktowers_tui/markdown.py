"""A text in Markdown as lines of a terminal: headings, paragraphs, lists and tables, nothing else.

Textual's own Markdown is a widget for every paragraph; here a text is lines, and painted so.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from clocktowers_tui.text import pad
from protocol.text import cells

if TYPE_CHECKING:
    from markdown_it.tree import SyntaxTreeNode

Words: TypeAlias = list[tuple[str, bool]]
"""Words without blanks, and whether each is bold."""


class Line(NamedTuple):
    """`heading`: its level, 0 for all other lines. `bold`: from and to which character.

    `goes_on`: the sentence of the line before goes on here, after `indent` cells.
    """

    text: str = ""
    heading: int = 0
    bold: tuple[tuple[int, int], ...] = ()
    goes_on: bool = False
    indent: int = 0


def lines(text: str, width: int) -> list[Line]:
    """The text in lines of at most `width` cells (a longer word stands alone), blocks apart."""
    # Only who reads such a text waits for the parser: it takes as long as all of our start.
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

    parser = MarkdownIt("commonmark").enable("table")
    found: list[Line] = []
    for block in SyntaxTreeNode(parser.parse(text)).children:
        found += [*([Line()] if found else []), *_block(block, width)]
    return found


def _block(node: "SyntaxTreeNode", width: int) -> Iterator[Line]:
    match node.type:
        case "heading":
            for line in _filled(_words(node), width):
                yield line._replace(heading=int(node.tag[1:]))
        case "bullet_list" | "ordered_list":
            for number, item in enumerate(node.children, start=1):
                mark = "- " if node.type == "bullet_list" else f"{number}. "
                yield from _hung(mark, _words(item), width)
        case "table":
            yield from _table(node, width)
        case _:
            yield from _filled(_words(node), width)


def _words(node: "SyntaxTreeNode", bold: bool = False) -> Words:
    """All words below a node; a bold one that touches a plain one becomes one bold word."""
    words: Words = []
    joined = False
    for text, strong in _parts(node, bold):
        for index, word in enumerate(text.split()):
            if index == 0 and joined and words and not text[0].isspace():
                words[-1] = (words[-1][0] + word, words[-1][1] or strong)
            else:
                words.append((word, strong))
        joined = not text[-1:].isspace()
    return words


def _parts(node: "SyntaxTreeNode", bold: bool) -> Iterator[tuple[str, bool]]:
    if node.type in ("text", "code_inline") and node.content:
        yield node.content, bold
    elif node.type == "softbreak":
        yield " ", bold
    for child in node.children:
        yield from _parts(child, bold or node.type == "strong")


def _filled(words: Words, width: int, indent: int = 0) -> list[Line]:
    """The words in lines; all but the first begin with `indent` blanks."""
    rows: list[Words] = []
    room = 0
    for word in words:
        if rows and cells(word[0]) < room:
            rows[-1].append(word)
            room -= cells(word[0]) + 1
        else:
            rows.append([word])
            room = width - indent - cells(word[0])
    return [_line(row, indent, goes_on=n > 0) for n, row in enumerate(rows)]


def _line(row: Words, indent: int, *, goes_on: bool) -> Line:
    text = " " * indent
    bold: list[tuple[int, int]] = []
    for n, (word, strong) in enumerate(row):
        text += " " if n else ""
        if strong:
            bold.append((len(text), len(text) + len(word)))
        text += word
    return Line(text, bold=tuple(bold), goes_on=goes_on, indent=indent)


def _hung(mark: str, words: Words, width: int) -> Iterator[Line]:
    """The words with `mark` before the first line and blanks before the others."""
    for line in _filled(words, width, len(mark)):
        yield line if line.goes_on else line._replace(text=mark + line.text[len(mark) :])


def _table(node: "SyntaxTreeNode", width: int) -> Iterator[Line]:
    """Every column as wide as it needs; the first gives way when all are too wide."""
    rows = [
        [" ".join(word for word, _bold in _words(cell)) for cell in row.children]
        for part in node.children
        for row in part.children
    ]
    wide = [max(cells(row[at]) for row in rows) for at in range(len(rows[0]))]
    wide[0] = max(1, min(wide[0], width - sum(wide[1:]) - _GAP * (len(wide) - 1)))
    for n, row in enumerate(rows):
        for line in _row(row, wide):
            yield line._replace(bold=((0, len(line.text)),) if n == 0 else ())


def _row(row: Sequence[str], wide: Sequence[int]) -> Iterator[Line]:
    first, *others = row
    pairs = zip(others, wide[1:], strict=True)
    rest = "".join(" " * _GAP + pad(text, width) for text, width in pairs)
    # A row without a name is a row all the same, as a board's column letters are.
    for line in _filled([(word, False) for word in first.split()], wide[0]) or [Line()]:
        shown = line.text if line.goes_on else pad(line.text, wide[0]) + rest
        yield Line(shown.rstrip())


_GAP = 2
