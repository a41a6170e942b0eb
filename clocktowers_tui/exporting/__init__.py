"""Matches that are over, written for others: the ways to do it (`writing` does it)."""

from enum import StrEnum
from typing import NamedTuple

from clocktowers_tui.config.look import Look
from clocktowers_tui.config.settings import Settings


class Form(StrEnum):
    """`json`: a record; `notation`: one line a move; `text` and `svg`: the final board; `cast`: all
    of it, for asciinema."""

    JSON = "json"
    NOTATION = "notation"
    TEXT = "text"
    SVG = "svg"
    CAST = "cast"


class Drawn(NamedTuple):
    """How a board is drawn."""

    settings: Settings
    look: Look
