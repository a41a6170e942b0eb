"""What points are made of: the things that count on a board, and which of them the tile in hand
makes or breaks.

Law: what a part's things are worth together is that part's points (`score.parts`).
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from clocktowers_tui.games.architetti_attenti import choosing, preview
from clocktowers_tui.games.architetti_attenti.choosing import Selection
from protocol.games.architetti_attenti import Blocks, Kind, Parks, Rails, View
from protocol.games.architetti_attenti.board import (
    POINTS,
    around,
    best_packing,
    best_pieces,
    cells_in,
    every_square,
    kinds,
    lines,
    mask_of,
    networks,
)
from protocol.games.architetti_attenti.score import (
    SCHOOL_POINTS,
    STRETCH,
    Counting,
    gems_on_schools,
)


class Thing(NamedTuple):
    """What brings `worth` points. `size`: how large it is: a block's sides, a row's shops, a
    school's gems, or a network's stations and tracks; () where all are alike."""

    worth: int
    size: tuple[int, ...] = ()


Tally: TypeAlias = Mapping[str, Counter[Thing]]
"""Part → its things."""


class Change(NamedTuple):
    """Things of one part that were there before, and that are there instead."""

    before: tuple[Thing, ...]
    after: tuple[Thing, ...]

    @property
    def gain(self) -> int:
        return sum(thing.worth for thing in self.after) - sum(thing.worth for thing in self.before)


def changes(view: View, selection: Selection) -> Mapping[str, Change]:
    """Part → what the tile in hand would change of it where its ghost lies; without parts that stay
    as they are. Empty where the tile does not fit, or there is none."""
    after = preview.town_after(view, selection)
    if after is None:
        return {}
    counting = Counting.of(view)
    now = tally(choosing.own_board(view), choosing.gems_before(view, selection), counting)
    then = tally(*after, counting)
    found = {part: Change(_more(now, then, part), _more(then, now, part)) for part in now}
    return {part: change for part, change in found.items() if change.before or change.after}


def _more(one: Tally, other: Tally, part: str) -> tuple[Thing, ...]:
    return tuple(sorted((one[part] - other[part]).elements()))


@lru_cache(64)
def tally(board: bytes, gems: int, counting: Counting) -> Tally:
    """Everything that brings points."""
    houses, schools = mask_of(board, Kind.HOUSE), mask_of(board, Kind.SCHOOL)
    squares = (best_packing if counting.blocks is Blocks.PACKED else every_square)(houses)
    sides = (2 if square.bit_count() == 2 * 2 else 3 for square in squares)
    pieces = (piece.length for line in lines(kinds(board)) for piece in best_pieces(line))
    filled = gems_on_schools(schools.bit_count(), gems)
    return {
        "houses": Counter({Thing(1): houses.bit_count()}),
        "blocks": Counter(Thing(side * side, (side, side)) for side in sides),
        "parks": Counter({Thing(1): _beside(houses, mask_of(board, Kind.PARK), counting.parks)}),
        "rails": Counter(_railways(board, counting.rails)),
        "shops": Counter(Thing(POINTS[length], (length,)) for length in pieces),
        "schools": Counter(Thing(SCHOOL_POINTS[on_it], (on_it,)) for on_it in filled if on_it),
    }


def _beside(houses: int, parks: int, option: Parks) -> int:
    """Houses beside parks, as often as they count."""
    if option is Parks.HOUSES:
        return (around(parks) & houses).bit_count()
    return sum((around(1 << cell) & houses).bit_count() for cell in cells_in(parks))


def _railways(board: bytes, option: Rails) -> Iterator[Thing]:
    for network in networks(mask_of(board, Kind.TRACK), mask_of(board, Kind.STATION)):
        stations, tracks = network.stations.bit_count(), network.live.bit_count()
        if option is Rails.STRETCH:
            yield from [Thing(STRETCH)] * tracks
        else:
            yield Thing(stations * tracks, (stations, tracks))
