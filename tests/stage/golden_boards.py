"""Whole boards as text files: each game says in its `goldens.py` what is seen on them."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.arranging import SHELL_ROWS
from clocktowers_tui.games.spans import Block, text_of

SIZES: Final = ((80, 24), (60, 20), (120, 40))
"""Of the terminal; three rows of it are the shell's."""


class Golden(NamedTuple):
    """A game's scene on a terminal of this size."""

    scene: Any
    width: int
    height: int
    glyphs: GlyphSet = GlyphSet.UNICODE


class Goldens(NamedTuple):
    """One game's: the folder of the files, what is on each by name, and how it is drawn.

    `foreign`: what is no ASCII and stands on ASCII boards all the same.
    """

    folder: Path
    boards: Callable[[], Mapping[str, Golden]]
    draw: Callable[[Any, int, int, Any], Block | None]
    sets: Mapping[GlyphSet, Any]
    foreign: str = "ö"

    def text(self, golden: Golden) -> str:
        """As it is drawn now."""
        height = golden.height - SHELL_ROWS
        rows = self.draw(golden.scene, golden.width, height, self.sets[golden.glyphs])
        assert rows is not None
        return "\n".join(text_of(row) for row in rows) + "\n"

    def kept(self, name: str) -> str:
        """As its file has it."""
        return self._file(name).read_text(encoding="utf-8")

    def names(self) -> set[str]:
        """Of which there is a file."""
        return {file.stem for file in self.folder.glob("*.txt")}

    def write(self) -> None:
        """All files anew."""
        for name in self.names():
            self._file(name).unlink()
        for name, golden in self.boards().items():
            self._file(name).write_text(self.text(golden), encoding="utf-8")

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.txt"
