"""In which rows and columns stands what can be picked: so it is drawn, and so the arrows go."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from clocktowers_tui.games.wild_wild_pattern.offers import Offer, Task, What, task
from clocktowers_tui.games.wild_wild_pattern.selecting import (
    WAYS,
    Selection,
    digits,
    with_cursor,
)
from protocol.games.wild_wild_pattern import View
from protocol.games.wild_wild_pattern.cards import FEATURES, FIRST_COLOUR, FIRST_SUIT

Grid: TypeAlias = Sequence[Sequence[Offer]]

COLUMNS: Final = 2
"""How many objects, or similar offers, stand side by side."""


DECLARATION_ROWS: Final = 9
"""Before and after, eight objects, five colours and two suits."""


def _pairs(offers: Sequence[Offer]) -> Grid:
    return [offers[at : at + COLUMNS] for at in range(0, len(offers), COLUMNS)]


def _features(first: int, end: int) -> Sequence[Offer]:
    return [Offer(What.FEATURE, number) for number in range(first, end)]


def _declaration(view: View, selection: Selection) -> Grid:
    """All of it, also what cannot be picked at this step. The objects stand in the order of their
    digits."""
    objects = dict.fromkeys(offer for offer in digits(view, selection) if offer is not None)
    return (
        *_pairs(WAYS),
        *_pairs([*objects]),
        *_pairs(_features(FIRST_COLOUR, FIRST_SUIT)),
        *_pairs(_features(FIRST_SUIT, FEATURES)),
    )


def grid(view: View, selection: Selection) -> Grid:
    """Lists are one column, and so is the ring of the Wheel."""
    if task(view) is Task.DECLARE:
        return _declaration(view, selection)
    return [[offer] for offer in with_cursor(view, selection)]


def step(rows: Grid, offers: Sequence[Offer], at: Offer, across: int, down: int) -> Offer:
    """The offer beside or below `at` that can be picked; behind the last one comes the first."""
    column = next(row.index(at) for row in rows if at in row)
    columns = [column] if down else range(COLUMNS)
    line = [row[one] for row in rows for one in columns if one < len(row)]
    found = [offer for offer in line if offer in offers]
    return found[(found.index(at) + across + down) % len(found)]
