"""The only cleaner of what players type: terminals obey escape codes, people believe their eyes.

The server uses it on everything it takes, and the client again on everything it shows. The rules:
NFC; no characters of the categories C* (controls, formats, surrogates, unassigned), Zl, Zp; runs of
space become one; no more than two combining marks in a row; nothing that is meant not to be seen,
or takes no cell without being a mark.
"""

import re
import unicodedata
from typing import Final

MAX_NAME_CELLS: Final = 20
MAX_TITLE_CELLS: Final = 40
MAX_NAME_BYTES: Final = 48
MAX_TITLE_BYTES: Final = 96
"""With these a page of the lobby fits into a frame whatever its tables are called."""
_MARKS_IN_A_ROW: Final = 2
_MARKS_PUT_IN_ORDER: Final = 8
"""More than a letter takes in, so what is left of a run does not depend on this number."""
_SPACES: Final = re.compile(r"\s+")
_UNSEEN: Final = (
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)
"""Fillers, joiners and variation selectors that are letters, marks or signs to Unicode."""
_NARROW: Final = re.compile(
    "[ -~\u00a0-\u02ff\u0370-\u0482\u2010-\u2027\u2190-\u262f\u2638-\u2689\u2690-\u2bff]"
)
"""Letters, lines and signs of one cell, and those that Python, too, knows to be wide."""


def clean(text: str) -> str:
    """`text` without anything that could act on a terminal or hide in a line.

    Clean text stays as it is.
    """
    # Composing again can set a mark free that was part of its letter, and so make one mark too
    # many.
    while (cleaner := _cleaned_once(text)) != text:
        text = cleaner
    return text


def _cleaned_once(text: str) -> str:
    kept: list[str] = []
    marks = 0
    seen = _SPACES.sub(" ", text if text.isascii() else re.sub(_UNSEEN, "", text))
    for char in unicodedata.normalize("NFC", _with_short_runs(seen)):
        category = unicodedata.category(char)
        if category[0] == "C" or category in ("Zl", "Zp"):
            continue
        if category[0] != "M" and cells_of(char) == 0:
            continue
        marks = marks + 1 if category[0] == "M" else 0
        if marks <= _MARKS_IN_A_ROW:
            kept.append(char)
    # Dropping characters can bring spaces, or a letter and its accent, together.
    return unicodedata.normalize("NFC", _SPACES.sub(" ", "".join(kept)).strip())


def _with_short_runs(text: str) -> str:
    """`text` without most of a long run of marks: to put a run in order takes the square of its
    length."""
    if text.isascii():
        return text
    kept: list[str] = []
    marks = 0
    for char in text:
        marks = marks + 1 if unicodedata.combining(char) else 0
        if marks <= _MARKS_PUT_IN_ORDER:
            kept.append(char)
    return "".join(kept)


def cells(text: str) -> int:
    """Terminal cells of a clean text."""
    if text.isascii():
        return len(text)
    from wcwidth import wcswidth

    return max(0, wcswidth(text))


def cells_of(char: str) -> int:
    """Terminal cells of a character; -1 for a control.

    The tables are read when a text first needs them: they take a client's start longer than most of
    the rest, and the first screen shows nothing but letters, lines and signs.
    """
    if _NARROW.match(char) and unicodedata.east_asian_width(char) not in "WF":
        return 1
    from wcwidth import wcwidth

    return wcwidth(char)


def cut(text: str, width: int) -> str:
    """The longest beginning of a clean `text` that has at most `width` cells."""
    used = 0
    for index, char in enumerate(text):
        used += max(0, cells_of(char))
        if used > width:
            return text[:index]
    return text


def fits(text: str, max_cells: int, max_bytes: int) -> bool:
    """Whether a clean text is short enough on a screen and on the wire."""
    return cells(text) <= max_cells and len(text.encode()) <= max_bytes


def name_key(name: str) -> str:
    """Two names with the same key look or sound the same and count as one."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
