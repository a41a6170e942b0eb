"""The one cleaner of what players type: terminals obey escape codes, people believe their eyes.

Used by the server on everything it takes, and by the client again on everything it shows. The
rules: NFC; no characters of the categories C* (controls, formats, surrogates, unassigned), Zl, Zp;
runs of space become one; no more than two combining marks in a row.
"""

import re
import unicodedata
from typing import Final

from wcwidth import wcswidth

MAX_NAME_CELLS: Final = 20
MAX_TITLE_CELLS: Final = 40
_MARKS_IN_A_ROW: Final = 2
_SPACES: Final = re.compile(r"\s+")


def clean(text: str) -> str:
    """`text` without anything that could act on a terminal or hide in a line."""
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", _SPACES.sub(" ", text)):
        category = unicodedata.category(char)
        if category[0] == "C" or category in ("Zl", "Zp"):
            continue
        marks = marks + 1 if category[0] == "M" else 0
        if marks <= _MARKS_IN_A_ROW:
            kept.append(char)
    # Dropping characters can bring spaces, or a letter and its accent, together.
    return unicodedata.normalize("NFC", _SPACES.sub(" ", "".join(kept)).strip())


def cells(text: str) -> int:
    """Terminal cells of a clean text."""
    return max(0, wcswidth(text))


def name_key(name: str) -> str:
    """Two names with the same key look or sound the same and count as one."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
