"""The last line of a screen: the keys that do something now, most useful first."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from textual.content import Content
from textual.widget import Widget

from protocol.text import cells

Keys: TypeAlias = Sequence[tuple[str, str]]

_GAP: Final = "  "


class KeyLine(Widget):
    """One line; what does not fit is dropped from the right, but never the `pinned` keys.

    Those stand at the right end: they change seldom, and what stays where it is needs no bytes.
    """

    def __init__(self) -> None:
        super().__init__()
        self._keys: tuple[tuple[str, str], ...] = ()
        self._pinned: tuple[tuple[str, str], ...] = ()

    def show(self, keys: Keys, pinned: Keys = ()) -> None:
        """(key, what it does); nothing is painted when they are the same."""
        shown = (tuple(keys), tuple(pinned))
        if shown != (self._keys, self._pinned):
            self._keys, self._pinned = shown
            self.refresh()

    def render(self) -> Content:
        width = self.size.width
        pinned = parts(self._pinned, width)
        fitted = parts(self._keys, width - _width(pinned) - len(_GAP) * bool(pinned))
        gap = " " * (width - _width(fitted) - _width(pinned)) if pinned else ""
        return Content.assemble(*fitted, gap, *pinned)


def _width(parts: Sequence[tuple[str, str]]) -> int:
    return sum(cells(text) for text, _style in parts)


def parts(keys: Keys, width: int) -> list[tuple[str, str]]:
    """(text, style) pairs of together at most `width` cells."""
    fitted: list[tuple[str, str]] = []
    room = width
    for key, words in keys:
        gap = _GAP if fitted else ""
        room -= cells(f"{gap}{key} {words}")
        if room < 0:
            break
        fitted += [(f"{gap}{key}", "bold"), (f" {words}", "dim")]
    return fitted
