"""Matches that are over, written for others (`writing` does it)."""

from typing import NamedTuple

from clocktowers_tui.config.look import Look
from clocktowers_tui.config.settings import Settings


class Drawn(NamedTuple):
    """How a board is drawn."""

    settings: Settings
    look: Look
