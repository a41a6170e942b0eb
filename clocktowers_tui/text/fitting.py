"""Text cut or padded to a number of cells."""

from clocktowers_tui.text.spelling import ellipsis
from protocol.text import cells, cut


def fit(text: str, width: int) -> str:
    """A clean `text` in at most `width` cells; what was cut off shows as an ellipsis."""
    if cells(text) <= width:
        return text
    return cut(text, max(0, width - 1)).rstrip() + ellipsis()[: max(0, width)]


def pad(text: str, width: int) -> str:
    """A clean `text` in exactly `width` cells, blanks behind."""
    fitted = fit(text, width)
    return fitted + " " * (width - cells(fitted))
