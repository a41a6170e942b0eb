"""What a choice and the others' last actions mark in a town, and how that is written.

Law: it is text that marks, so that it is seen without colours.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from clocktowers_tui.games.clocktowers.glyphs import Glyphs
from clocktowers_tui.games.clocktowers.inks import Ink
from clocktowers_tui.games.clocktowers.words import height_letter
from clocktowers_tui.games.spans import Span

NEW: Final = -1
"""The place of a tower that would be started."""
OUT: Final = -2
"""No tower: the card goes out of the game."""
_SIGNS: Final = {NEW: "+", OUT: "x"}


class Effect(NamedTuple):
    """What a play does: the tower's height after it, and the points it gives at once, if any."""

    height: int = 0
    points: int = 0


class Marks(NamedTuple):
    """`choosing`: a card is chosen and waits for its tower. `at`: the place picked for it.

    `legal`: the towers that take the card, `NEW` among them. `sending`: the pick is under way.
    `fresh`: the towers that others have built on since the player's turn.
    """

    choosing: bool = False
    legal: Mapping[int, Effect] = {}
    at: int | None = None
    sending: bool = False
    fresh: frozenset[int] = frozenset()


def label(place: int, marks: Marks, glyphs: Glyphs, key: str = "") -> Span:
    """The tower's number, counted from 1 (`+` for a new one, `x` for none), or the key that picks
    it, and what marks it."""
    number = key or _SIGNS.get(place) or str(place + 1)
    if place == marks.at:
        if marks.sending:
            return Span(f"{glyphs.sending}{number}{glyphs.sending}", Ink.MARKED)
        return Span(f"[{number}]", Ink.MARKED)
    if place in marks.legal or place == OUT:
        return Span(number.join(glyphs.legal), Ink.BOLD)
    if place in marks.fresh:
        return Span(number.join(glyphs.fresh), Ink.FRESH)
    return Span(number, Ink.DIM)


def tag(effect: Effect) -> str:
    """`h3`, the height; of a roof `+5`, the points: where its colour goes stands at Next roof."""
    return f"+{effect.points}" if effect.points else f"{height_letter()}{effect.height}"


def places(towers: int, marks: Marks) -> list[int]:
    """The places drawn, left to right: every tower, then a new one where that may be started."""
    new = [NEW] if NEW in marks.legal or marks.at == NEW else []
    return [*range(towers), *new]
