"""Text cut or padded to a number of cells."""

from typing import Final

from clocktowers_tui.text.spelling import ellipsis
from protocol.text import cells, clean, cut

_TYPED_CELLS: Final = 40
"""A sentence repeats so much of what somebody has typed."""


def fit(text: str, width: int) -> str:
    """A clean `text` in at most `width` cells; what was cut off shows as an ellipsis."""
    if cells(text) <= width:
        return text
    return cut(text, max(0, width - 1)).rstrip() + ellipsis()[: max(0, width)]


def shown(typed: str) -> str:
    """Something that was typed, clean and short enough for a sentence."""
    return fit(clean(typed), _TYPED_CELLS)


def pad(text: str, width: int) -> str:
    """A clean `text` in exactly `width` cells, blanks behind."""
    fitted = fit(text, width)
    return fitted + " " * (width - cells(fitted))
