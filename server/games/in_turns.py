"""What a game in turns answers where the contract asks for time: nothing happens by itself."""

from collections.abc import Sequence
from typing import Any

from server.games.contract import Addressed


def deadline(state: Any) -> int | None:
    """None: it waits for a player, however long that takes."""
    return None


def tick(state: Any, now_ms: int) -> list[Addressed[Any]]:
    """Nothing, at any time."""
    return []


def holds(state: Any) -> Sequence[int]:
    """Nobody is kept waiting: it is no race."""
    return ()
