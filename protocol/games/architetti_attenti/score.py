"""What a board is worth, kind by kind and cell by cell (rules: Score).

`board` is 49 bytes as in a view; `gems` are those left over, which go to the schools.
"""

from typing import NamedTuple

from protocol.games.architetti_attenti import Blocks, Parks, Parts, Rails


class Counting(NamedTuple):
    """The options by which points are counted."""

    blocks: Blocks = Blocks.PACKED
    parks: Parks = Parks.PAIRS
    rails: Rails = Rails.NETWORK


def parts(board: bytes, gems: int, counting: Counting = Counting()) -> Parts:
    """The score, kind by kind. Hot: bots and previews ask it some hundred times a turn."""
    raise NotImplementedError


def shares(board: bytes, gems: int, counting: Counting = Counting()) -> tuple[int, ...]:
    """Cell → the points that what stands there brings; their sum is the score."""
    raise NotImplementedError
