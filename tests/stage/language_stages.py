"""What the walk is shown of a game: each has its own in `games/NAME/stages.py`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple


class Stages(NamedTuple):
    """`events`: for the log. `boards`: by stage a view and the keys that lead there. `seats`: how
    many a view is of. `remarks`: what a key that does nothing is answered with. `said`: what else
    the status may say in this game. `ends`: last views and their outcomes. Functions, because
    sentences follow the language."""

    game: str
    events: Sequence[Any]
    boards: Callable[[], Mapping[str, tuple[Any, Sequence[str]]]]
    seats: Callable[[Any], int]
    remarks: Callable[[], Sequence[str]]
    said: Callable[[], Sequence[str]]
    ends: Callable[[], Sequence[tuple[Any, Any]]]
