"""The plies at which something happens to one and the same tower, tile or card. Pure."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, TypeVar

P = TypeVar("P", bound=Hashable)


def plies_of(
    told: Sequence[Sequence[Any]], pieces: Callable[[Any], Iterable[P]]
) -> dict[P, Sequence[int]]:
    """`pieces`: what an event happens to. They come in the order in which they are first seen."""
    found: dict[P, dict[int, None]] = {}
    for ply, events in enumerate(told):
        for event in events:
            for piece in pieces(event):
                found.setdefault(piece, {})[ply] = None
    return {piece: tuple(plies) for piece, plies in found.items()}
