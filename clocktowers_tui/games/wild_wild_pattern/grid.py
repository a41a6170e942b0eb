"""In which rows and columns stands what can be picked: so it is drawn, and so the arrows go."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from clocktowers_tui.games.wild_wild_pattern.offers import Offer, Task, What, task
from clocktowers_tui.games.wild_wild_pattern.selecting import Selection, with_cursor
from protocol.games.wild_wild_pattern import View
from protocol.games.wild_wild_pattern.cards import FEATURES, FIRST_COLOUR, FIRST_SUIT

Grid: TypeAlias = Sequence[Sequence[Offer]]

COLUMNS: Final = 2
"""How many objects, or similar offers, stand side by side."""


def _pairs(what: What, first: int, end: int) -> Grid:
    offers = [Offer(what, number) for number in range(first, end)]
    return [offers[at : at + COLUMNS] for at in range(0, len(offers), COLUMNS)]


DECLARATION: Final[Grid] = (
    *_pairs(What.DIRECTION, 0, 2),
    *_pairs(What.FEATURE, 0, FIRST_COLOUR),
    *_pairs(What.FEATURE, FIRST_COLOUR, FIRST_SUIT),
    *_pairs(What.FEATURE, FIRST_SUIT, FEATURES),
)
"""All of it, also what cannot be picked at this step."""


def grid(view: View, selection: Selection) -> Grid:
    """Lists are one column, and so is the ring of the Wheel."""
    if task(view) is Task.DECLARE:
        return DECLARATION
    return [[offer] for offer in with_cursor(view, selection)]


def step(rows: Grid, offers: Sequence[Offer], at: Offer, across: int, down: int) -> Offer:
    """The offer beside or below `at` that can be picked; behind the last one comes the first."""
    column = next(row.index(at) for row in rows if at in row)
    columns = [column] if down else range(COLUMNS)
    line = [row[one] for row in rows for one in columns if one < len(row)]
    found = [offer for offer in line if offer in offers]
    return found[(found.index(at) + across + down) % len(found)]
