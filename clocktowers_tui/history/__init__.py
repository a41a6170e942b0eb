"""The matches that this player has finished, kept on this machine."""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import platformdirs


def history_file() -> Path:
    """Here, because the menu looks whether there are any and loads no more for that."""
    return platformdirs.user_data_path("clocktowers", appauthor=False) / "history.sqlite"


# The ways to write a match for others.


class ExportForm(StrEnum):
    """`json`: a record; `notation`: one line a move; `text`, `png` and `svg`: the final board;
    `cast`: all of it, for asciinema."""

    JSON = "json"
    NOTATION = "notation"
    TEXT = "text"
    PNG = "png"
    SVG = "svg"
    CAST = "cast"


PICTURES: Final = (ExportForm.PNG, ExportForm.SVG)
SUFFIXES: Final[Mapping[ExportForm, str]] = {
    ExportForm.JSON: "jsonl",
    ExportForm.NOTATION: "notation.txt",
    ExportForm.TEXT: "txt",
}
"""Of files; others end in the name of their form."""


class Unwritten(NamedTuple):
    """A match that cannot be written. `why`: a sentence."""

    why: str


Written: TypeAlias = bytes | Unwritten
