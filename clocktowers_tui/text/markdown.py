"""Lays out a text in Markdown as lines of a terminal: headings, paragraphs, lists, tables, no more.

Textual's own Markdown is a widget for every paragraph; here a text is lines, and painted as lines.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from clocktowers_tui.text.fitting import pad
from protocol.text import cells

if TYPE_CHECKING:
    from markdown_it.tree import SyntaxTreeNode


Words: TypeAlias = list[tuple[str, bool]]
"""Words without blanks, and whether each is bold."""


class PageLine(NamedTuple):
    """`heading`: its level, 0 for all other lines. `bold`: the bold parts, from and to which
    character.

    `goes_on`: the sentence of the line before goes on here, after `indent` cells.
    """

    text: str = ""
    heading: int = 0
    bold: tuple[tuple[int, int], ...] = ()
    goes_on: bool = False
    indent: int = 0


def lines(text: str, width: int) -> list[PageLine]:
    """The text in lines of at most `width` cells (a longer word stands alone), blocks apart."""
    # Only a player who reads such a text waits for the parser: it takes as long as all of our
    # start.
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

    parser = MarkdownIt("commonmark").enable("table")
    found: list[PageLine] = []
    for block in SyntaxTreeNode(parser.parse(text)).children:
        found += [*([PageLine()] if found else []), *_block(block, width)]
    return found


def _block(node: "SyntaxTreeNode", width: int) -> Iterator[PageLine]:
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


def _filled(words: Words, width: int, indent: int = 0, first: int = 0) -> list[PageLine]:
    """The words in lines; the first begins with `first`, all others with `indent` blanks."""
    rows: list[Words] = []
    room = 0
    for word in words:
        if rows and cells(word[0]) < room:
            rows[-1].append(word)
            room -= cells(word[0]) + 1
        else:
            room = width - (indent if rows else first) - cells(word[0])
            rows.append([word])
    return [_line(row, indent if n else first, goes_on=n > 0) for n, row in enumerate(rows)]


def _line(row: Words, indent: int, *, goes_on: bool) -> PageLine:
    text = " " * indent
    bold: list[tuple[int, int]] = []
    for n, (word, strong) in enumerate(row):
        text += " " if n else ""
        if strong:
            bold.append((len(text), len(text) + len(word)))
        text += word
    return PageLine(text, bold=tuple(bold), goes_on=goes_on, indent=indent)


def _hung(mark: str, words: Words, width: int) -> Iterator[PageLine]:
    """The words with `mark` before the first line and blanks before the others."""
    for line in _filled(words, width, len(mark), len(mark)):
        yield line if line.goes_on else line._replace(text=mark + line.text[len(mark) :])


def _table(node: "SyntaxTreeNode", width: int) -> Iterator[PageLine]:
    """Every column as wide as it needs. The widest columns shrink when all together are too wide;
    where even their longest words are too wide, each row becomes a list."""
    rows = [
        [" ".join(word for word, _bold in _words(cell)) for cell in row.children]
        for part in node.children
        for row in part.children
    ]
    least = [max(map(_least, column)) for column in zip(*rows, strict=True)]
    room = width - _GAP * (len(least) - 1)
    if sum(least) > room:
        for row in rows[1:]:
            yield from _told(rows[0], row, width)
        return
    wide = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    _narrow(wide, least, room)
    for n, row in enumerate(rows):
        for line in _row(row, wide):
            yield line._replace(bold=((0, len(line.text)),) if n == 0 else ())


def _least(text: str) -> int:
    """How many cells a column needs for a cell, in as many lines as that takes."""
    first, *others = text.split() or [""]
    return max(cells(first), *(_HUNG + cells(word) for word in others), 0)


def _narrow(wide: list[int], least: Sequence[int], room: int) -> None:
    """Take from the widest columns until all fit into `room`; none gets less than its `least`."""
    while sum(wide) > room:
        most = max(range(len(wide)), key=lambda at: (wide[at] > least[at], wide[at]))
        wide[most] -= 1


def _row(row: Sequence[str], wide: Sequence[int]) -> Iterator[PageLine]:
    """A cell of several lines hangs; the other cells stay blank on its later lines."""
    parts = [
        _filled([(word, False) for word in text.split()], width, _HUNG)
        for text, width in zip(row, wide, strict=True)
    ]
    last = sum(wide[:-1]) + _GAP * (len(wide) - 1)
    for n, beside in enumerate(zip_longest(*parts, fillvalue=PageLine())):
        texts = [pad(part.text, width) for part, width in zip(beside, wide, strict=True)]
        text = (" " * _GAP).join(texts).rstrip()
        goes_on = n > 0 and not text[:last].strip()
        yield PageLine(text, goes_on=goes_on, indent=last + _HUNG if goes_on else 0)


def _told(head: Sequence[str], row: Sequence[str], width: int) -> Iterator[PageLine]:
    """`heading: the text below it; heading: …`"""
    words: Words = []
    for heading, text in zip(head, row, strict=True):
        words += [(word, True) for word in f"{heading}:".split()]
        words += [(word, False) for word in f"{text};".split()]
    words[-1] = (words[-1][0].removesuffix(";"), False)
    yield from _filled(words, width, _HUNG)


_GAP = 2
_HUNG = 2
"""How far the later lines of a cell stand to the right of its first line."""


# Where words stand in lines of text, blind to case and accents, also across the end of a line.


class FoundPart(NamedTuple):
    """The characters `start` to `end` of line `line`."""

    line: int
    start: int
    end: int


FoundText: TypeAlias = tuple[FoundPart, ...]
"""One place: a part of a line, or of each of several that follow each other."""


def find(lines: Sequence[PageLine], wanted: str) -> list[FoundText]:
    """Every place where `wanted` stands, in order; none for blanks."""
    words = " ".join(_plain(wanted).split())
    if not words:
        return []
    text, places = _joined(lines)
    return [_match(places[at : at + len(words)]) for at in _occurrences(text, words)]


def _joined(lines: Sequence[PageLine]) -> tuple[str, list[FoundPart]]:
    """All sentences in one text, and where each of its characters stands."""
    text = ""
    places: list[FoundPart] = []
    for number, line in enumerate(lines):
        start = line.indent if line.goes_on else 0
        text += (" " if line.goes_on else "\n") + _plain(line.text[start:])
        places.append(FoundPart(number, start, start))
        places += [FoundPart(number, at, at + 1) for at in range(start, len(line.text))]
    return text, places


def _plain(text: str) -> str:
    """Character for character, small and without accents."""
    return "".join(unicodedata.normalize("NFKD", char)[0].lower()[0] for char in text)


def _occurrences(text: str, words: str) -> Iterator[int]:
    at = text.find(words)
    while at >= 0:
        yield at
        at = text.find(words, at + len(words))


def _match(places: Sequence[FoundPart]) -> FoundText:
    """Characters of the same line as one part."""
    by_line: dict[int, FoundPart] = {}
    for place in places:
        first = by_line.get(place.line, place)
        by_line[place.line] = FoundPart(place.line, first.start, place.end)
    return tuple(by_line.values())
