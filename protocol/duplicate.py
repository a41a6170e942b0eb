"""How tables that played one deal are ranked: as in duplicate bridge, seat by seat."""

from collections.abc import Sequence


def matchpoints(scores: Sequence[Sequence[int]]) -> list[list[int]]:
    """`scores`: of each table, by seat. At each seat a table gets 2 for each table whose player has
    fewer points there, and 1 for each with as many. The sum of a table says how well it played."""
    by_seat = list(zip(*scores, strict=True))
    return [
        [sum(_against(mine, other) for other in by_seat[seat]) - 1 for seat, mine in enumerate(own)]
        for own in scores
    ]


def _against(mine: int, other: int) -> int:
    return 2 if mine > other else int(mine == other)
