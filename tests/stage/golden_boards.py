"""Whole boards as text files; each game's `goldens.py` lists its boards."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.arranging import SHELL_ROWS
from clocktowers_tui.games.spans import Block, Span

SIZES: Final = ((80, 24), (60, 20), (120, 40))
"""Sizes of the terminal; the shell takes three rows of it."""


def text_of(row: Iterable[Span]) -> str:
    return "".join(span.text for span in row)


class Golden(NamedTuple):
    """A game's scene on a terminal of this size."""

    scene: Any
    width: int
    height: int
    glyphs: GlyphSet = GlyphSet.UNICODE


class Goldens(NamedTuple):
    """A game's golden boards: the folder of the files, the scene for each name, and how to draw it.

    `foreign`: characters outside ASCII that ASCII boards show all the same.
    """

    folder: Path
    boards: Callable[[], Mapping[str, Golden]]
    draw: Callable[[Any, int, int, Any], Block | None]
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
