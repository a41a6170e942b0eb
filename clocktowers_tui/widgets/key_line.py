"""The last line of a screen: the keys that do something now, most useful first."""

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from textual.content import Content
from textual.events import Click
from textual.reactive import reactive
from textual.widget import Widget

from protocol.text import cells

_GAP: Final = "  "


class Entry(NamedTuple):
    """`keys` as they are shown, and what they do. `press`: the key by Textual's name, "" where
    there are several. `stays`: the others are dropped before it."""

    keys: str
    words: str
    press: str = ""
    stays: bool = False


Keys: TypeAlias = Sequence[Entry]


class KeyLine(Widget):
    """One line. Entries that do not fit are dropped from the right, those that stay as the last,
    but never the `pinned` keys.

    Those stand at the right end: they change seldom, and what stays where it is needs no bytes. A
    click on an entry presses its key, so it does what the key does, wherever that is decided.
    """

    _shown = reactive[tuple[Keys, Keys]](((), ()))

    def show(self, keys: Keys, pinned: Keys = ()) -> None:
        self._shown = tuple(keys), tuple(pinned)

    def render(self) -> Content:
        fitted, pinned = self._fitting()
        gap = " " * (self._pinned_from(pinned) - _width(fitted)) if pinned else ""
        return Content.assemble(*_parts(fitted), gap, *_parts(pinned))

    def on_click(self, event: Click) -> None:
        fitted, pinned = self._fitting()
        found = under(fitted, event.x) or under(pinned, event.x - self._pinned_from(pinned))
        if found is not None and found.press:
            self.app.simulate_key(found.press)

    def _fitting(self) -> tuple[Keys, Keys]:
        keys, all_pinned = self._shown
        pinned = fitting(all_pinned, self.size.width)
        room = self.size.width - _width(pinned) - len(_GAP) * bool(pinned)
        return fitting(keys, room), pinned

    def _pinned_from(self, pinned: Keys) -> int:
        return self.size.width - _width(pinned)


def fitting(keys: Keys, width: int) -> Keys:
    """As many as have room in `width` cells."""
    kept = list(keys)
    while kept and _width(kept) > width:
        loose = [n for n, entry in enumerate(kept) if not entry.stays]
        del kept[loose[-1] if loose else -1]
    return kept


def under(keys: Keys, x: int) -> Entry | None:
    """The entry at cell `x` of a line that begins with these entries; None in a gap."""
    for entry in keys:
        width = _width([entry])
        if 0 <= x < width:
            return entry
        x -= width + len(_GAP)
    return None


def _width(keys: Keys) -> int:
    return sum(cells(text) for text, _style in _parts(keys))


def _parts(keys: Keys) -> list[tuple[str, str]]:
    """(text, style) pairs."""
    parts: list[tuple[str, str]] = []
    for entry in keys:
        gap = _GAP if parts else ""
        parts += [(f"{gap}{entry.keys}", "bold"), (f" {entry.words}", "dim")]
    return parts
