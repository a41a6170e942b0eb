"""Whole boards as text files; each game's `goldens.py` lists its boards."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.parts import SHELL_ROWS, Part
from clocktowers_tui.games.spans import Block, Span, measurable, paint
from protocol.text import clean

USUAL: Final = (80, 24)
SMALLEST: Final = (60, 20)
LARGE: Final = (120, 40)
SIZES: Final = (USUAL, SMALLEST, LARGE)
"""Sizes of the terminal; the shell takes three rows of it."""
NAMES: Final = ("Ann", "Björn", "Chiara", "Dmitri")
"""Who plays, by seat."""
HOSTILE: Final = tuple(
    measurable(clean(name))
    for name in (
        "漢字漢字漢字漢字漢字",
        "[@click=app.quit]x[/]",
        "e\N{COMBINING ACUTE ACCENT}\N{COMBINING ACUTE ACCENT}\x1b[31m [/nope]",
        "ﾊﾝｶｸ👩🏽‍🚀🇫🇷☁️ wide and long",
    )
)
"""Names that a board may be shown, by seat."""


def text_of(row: Iterable[Span]) -> str:
    return "".join(span.text for span in row)


Draw: TypeAlias = Callable[[Any, int, int, Any], Block | None]
"""A scene in so many cells and rows, with these glyphs; None: they are too few."""


def whole(parts: Mapping[str, Part[Any]], sight: Any, size: tuple[int, int]) -> Block:
    """The board in one piece, as its panes show it."""
    drawn = [
        (rect, parts[name].drawn(sight, (rect.width, rect.height)))
        for name, rect in sight.places.items()
    ]
    return paint(*size, drawn)


def under(parts: Mapping[str, Part[Any]], sight: Any, at: tuple[int, int]) -> Any:
    """What may be picked at a cell of the board."""
    for name, rect in reversed([*sight.places.items()]):
        if rect.holds(*at):
            inside = at[0] - rect.x, at[1] - rect.y
            return parts[name].under(sight, (rect.width, rect.height), inside)
    return None


def drawer(sight: Callable[..., Any], parts: Mapping[str, Part[Any]]) -> Draw:
    """How a game draws its whole board."""

    def draw(scene: Any, width: int, height: int, glyphs: Any) -> Block | None:
        found = sight(scene, width, height, glyphs)
        return None if found is None else whole(parts, found, (width, height))

    return draw


class Golden(NamedTuple):
    """A game's scene on a terminal of this size."""

    scene: Any
    width: int
    height: int
    glyphs: GlyphSet = GlyphSet.UNICODE


Shown = Mapping[str, tuple[Any, Sequence[tuple[int, int]]]]
"""Name → a scene, and the sizes of terminals at which it is kept."""


def sized(shown: Shown, glyphs: GlyphSet = GlyphSet.UNICODE) -> dict[str, Golden]:
    """A golden board for each scene and size: `name-80x24`."""
    return {
        f"{name}-{width}x{height}": Golden(scene, width, height, glyphs)
        for name, (scene, sizes) in shown.items()
        for width, height in sizes
    }


class Goldens(NamedTuple):
    """A game's golden boards: the folder of the files, the scene for each name, and how to draw it.

    `foreign`: characters outside ASCII that ASCII boards show all the same.
    """

    folder: Path
    boards: Callable[[], Mapping[str, Golden]]
    draw: Draw
    sets: Mapping[GlyphSet, Any]
    foreign: str = "ö"

    def text(self, golden: Golden) -> str:
        """The board as it is drawn now."""
        height = golden.height - SHELL_ROWS
        rows = self.draw(golden.scene, golden.width, height, self.sets[golden.glyphs])
        assert rows is not None
        return "\n".join(text_of(row) for row in rows) + "\n"

    def kept(self, name: str) -> str:
        """The board as its file has it."""
        return self._file(name).read_text(encoding="utf-8")

    def names(self) -> set[str]:
        """The names for which there is a file."""
        return {file.stem for file in self.folder.glob("*.txt")}

    def write(self) -> None:
        """Write all files."""
        for name in self.names():
            self._file(name).unlink()
        for name, golden in self.boards().items():
            self._file(name).write_text(self.text(golden), encoding="utf-8")

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.txt"
