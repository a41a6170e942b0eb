"""How tables that played one deal are ranked: as in duplicate bridge, seat by seat."""

from collections.abc import Sequence


def matchpoints(
    scores: Sequence[Sequence[int]], people: Sequence[Sequence[bool]]
) -> list[list[int]]:
    """`scores` of each table, by seat; `people`: where a person sat. Each person gets 2 for each
    table where the same seat has fewer points, and 1 for each with as many; a bot gets none. The
    sum of a table says how well its people played."""
    by_seat = list(zip(*scores, strict=True))
    return [
        [
            sum(_against(mine, other) for other in by_seat[seat]) - 1 if person else 0
            for seat, (mine, person) in enumerate(zip(own, sat, strict=True))
        ]
        for own, sat in zip(scores, people, strict=True)
    ]


def _against(mine: int, other: int) -> int:
    return 2 if mine > other else int(mine == other)
