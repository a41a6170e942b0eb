"""Which games the client has a face for: one line a game."""

from collections.abc import Mapping
from typing import Final

from clocktowers_tui.games.clocktowers.face import CLOCKTOWERS
from clocktowers_tui.games.face import Face

FACES: Final[Mapping[str, Face]] = {
    "clocktowers": CLOCKTOWERS,
}
