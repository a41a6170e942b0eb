"""Where words stand in lines of text, blind to case and accents, also across the end of a line."""

import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from clocktowers_tui.text.markdown import PageLine


class Part(NamedTuple):
    """The characters `start` to `end` of line `line`."""

    line: int
    start: int
    end: int


Match: TypeAlias = tuple[Part, ...]
"""One place: a part of a line, or of each of several that follow each other."""


def find(lines: Sequence[PageLine], wanted: str) -> list[Match]:
    """Every place where `wanted` stands, in order; none for blanks."""
    words = " ".join(_plain(wanted).split())
    if not words:
        return []
    text, places = _joined(lines)
    return [_match(places[at : at + len(words)]) for at in _occurrences(text, words)]


def _joined(lines: Sequence[PageLine]) -> tuple[str, list[Part]]:
    """All sentences in one text, and where each of its characters stands."""
    text = ""
    places: list[Part] = []
    for number, line in enumerate(lines):
        start = line.indent if line.goes_on else 0
        text += (" " if line.goes_on else "\n") + _plain(line.text[start:])
        places.append(Part(number, start, start))
        places += [Part(number, at, at + 1) for at in range(start, len(line.text))]
    return text, places


def _plain(text: str) -> str:
    """Character for character, small and without accents."""
    return "".join(unicodedata.normalize("NFKD", char)[0].lower()[0] for char in text)


def _occurrences(text: str, words: str) -> Iterator[int]:
    at = text.find(words)
    while at >= 0:
        yield at
        at = text.find(words, at + len(words))


def _match(places: Sequence[Part]) -> Match:
    """Characters of the same line as one part."""
    by_line: dict[int, Part] = {}
    for place in places:
        first = by_line.get(place.line, place)
        by_line[place.line] = Part(place.line, first.start, place.end)
    return tuple(by_line.values())
