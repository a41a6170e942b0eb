"""Which towers of a town a choice marks, and how a tower's number is written for it."""

from typing import Final, NamedTuple

from clocktowers_tui.games.clocktowers.glyphs import Glyphs
from clocktowers_tui.games.clocktowers.inks import Ink
from clocktowers_tui.games.clocktowers.spans import Span

NEW: Final = -1
"""The place of a tower that would be started."""


class Marks(NamedTuple):
    """`choosing`: a card is chosen and waits for its tower. `at`: the tower picked for it.

    `legal`: the towers that take the card, `NEW` among them. `sending`: the pick is under way.
    """

    choosing: bool = False
    legal: frozenset[int] = frozenset()
    at: int | None = None
    sending: bool = False


UNMARKED: Final = Marks()


def label(tower: int, marks: Marks, glyphs: Glyphs) -> Span:
    """The tower's number, counted from 1 (`+` for a new one), with what the choice says of it."""
    number = "+" if tower == NEW else str(tower + 1)
    if tower == marks.at:
        if marks.sending:
            return Span(f"{glyphs.sending}{number}{glyphs.sending}", Ink.DIM)
        return Span(f"[{number}]", Ink.MARKED)
    if tower in marks.legal:
        return Span(f"{glyphs.legal[0]}{number}{glyphs.legal[1]}", Ink.BOLD)
    return Span(number, Ink.DIM if marks.choosing else Ink.BOLD)


def places(towers: int, marks: Marks) -> list[int]:
    """The places drawn, left to right: every tower, then a new one where that may be started."""
    new = [NEW] if NEW in marks.legal or marks.at == NEW else []
    return [*range(towers), *new]
