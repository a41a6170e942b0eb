"""Which games the client has: those of the protocol, each in the folder of its name.

A folder has `actions.py` (`title` and `ACTIONS`), which is read at the start; `face.py` (`FACE`),
`spoken.py` (`SPOKEN`) and, for a game that is taught, `lesson.py` (`LESSON`) are read when they are
first looked at.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from clocktowers_tui.keys.actions import ACTIONS, Action
from protocol.games.registry import GAMES

if TYPE_CHECKING:  # read with the first look at a game, with the first lesson, or in plain mode
    from clocktowers_tui.games.face import Face
    from clocktowers_tui.games.lesson import Lesson
    from clocktowers_tui.games.spoken import Spoken

Found = TypeVar("Found")


def _module(game: str, file: str) -> str:
    return f"{__package__}.{game}.{file}"


class _OfGames(Mapping[str, Found], Generic[Found]):
    """What a file has under its own name in capitals, by game; only games that have the file."""

    def __init__(self, file: str) -> None:
        self._file = file

    @cached_property
    def _games(self) -> Sequence[str]:
        return [game for game in _ACTIONS if find_spec(_module(game, self._file))]

    def __getitem__(self, game: str) -> Found:
        if game not in self._games:
            raise KeyError(game)
        found: Found = getattr(import_module(_module(game, self._file)), self._file.upper())
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)


FACES: "Final[Mapping[str, Face]]" = _OfGames("face")
LESSONS: "Final[Mapping[str, Lesson]]" = _OfGames("lesson")
SPOKEN: "Final[Mapping[str, Spoken]]" = _OfGames("spoken")

_ACTIONS: Final[Mapping[str, ModuleType]] = {
    game: import_module(_module(game, "actions")) for game in GAMES
}
NAMED_ACTIONS: Final[tuple[Action, ...]] = (
    *ACTIONS,
    *(action for module in _ACTIONS.values() for action in module.ACTIONS),
)
"""All but those that stand in a single deed's row (`deeds.places`). Each of a game's own names the
game, so two games may use the same key."""


def title_of(game: str) -> str:
    """What a game is called; one that has no face here keeps the name it has on the wire."""
    return str(_ACTIONS[game].title()) if game in _ACTIONS else game


def game_of(typed: str) -> str:
    """The game that is called so, in the menu or on the wire, in any case; else what was typed."""
    called = typed.casefold().replace("_", " ")
    for game in GAMES:
        if called in (title_of(game).casefold(), game.replace("_", " ")):
            return game
    return typed
