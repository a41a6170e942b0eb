"""What the walk sees of a game: each game has its own in `games/NAME/stages.py`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple


class Stages(NamedTuple):
    """`events`: for the log. `boards`: for each stage a view and the keys that lead there. `seats`:
    how many a view has. `remarks`: answers to keys that do nothing. `said`: what else the status
    may say in this game. `ends`: last views and their outcomes. These are functions, because
    sentences follow the language."""

    game: str
    events: Sequence[Any]
    boards: Callable[[], Mapping[str, tuple[Any, Sequence[str]]]]
    seats: Callable[[Any], int]
    remarks: Callable[[], Sequence[str]]
    said: Callable[[], Sequence[str]]
    ends: Callable[[], Sequence[tuple[Any, Any]]]
