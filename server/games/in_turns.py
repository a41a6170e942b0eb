"""The contract's functions of time, for games in turns: nothing happens by itself."""

from collections.abc import Sequence
from typing import Any

from server.games.contract import Addressed


def deadline(state: Any) -> int | None:
    """None: the game always waits for a player."""
    return None


def tick(state: Any, now_ms: int) -> list[Addressed[Any]]:
    """Nothing, at any time."""
    return []


def holds(state: Any) -> Sequence[int]:
    """Nothing is held back: it is no race."""
    return ()
