"""Which games the client has a face for: one line a game in each of the four lists.

A face is read when it is first looked at: at home none is, and so titles stand here.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Final

from clocktowers_tui.games.architetti_attenti.actions import ACTIONS as ATTENTI_ACTIONS
from clocktowers_tui.games.clocktowers.actions import ACTIONS as CLOCKTOWERS_ACTIONS
from clocktowers_tui.games.face import Face
from clocktowers_tui.games.wild_wild_pattern.actions import ACTIONS as PATTERN_ACTIONS
from clocktowers_tui.keys.actions import ACTIONS, Action
from clocktowers_tui.text.i18n import pgettext

if TYPE_CHECKING:  # read with the first lesson, or in plain mode
    from clocktowers_tui.games.lesson import Lesson
    from clocktowers_tui.games.spoken import Spoken

_MODULES: Final = {
    "clocktowers": "clocktowers_tui.games.clocktowers.face",
    "architetti_attenti": "clocktowers_tui.games.architetti_attenti.face",
    "wild_wild_pattern": "clocktowers_tui.games.wild_wild_pattern.face",
}
_LESSONS: Final = {
    "clocktowers": "clocktowers_tui.games.clocktowers.lesson",
    "architetti_attenti": "clocktowers_tui.games.architetti_attenti.lesson",
    "wild_wild_pattern": "clocktowers_tui.games.wild_wild_pattern.lesson",
}
_SPOKEN: Final = {
    "clocktowers": "clocktowers_tui.games.clocktowers.spoken",
    "architetti_attenti": "clocktowers_tui.games.architetti_attenti.spoken",
    "wild_wild_pattern": "clocktowers_tui.games.wild_wild_pattern.spoken",
}
_ACTIONS: Final = (*CLOCKTOWERS_ACTIONS, *ATTENTI_ACTIONS, *PATTERN_ACTIONS)


class _Faces(Mapping[str, Face]):
    """By game; each module has its face under the name `FACE`."""

    def __getitem__(self, game: str) -> Face:
        face: Face = import_module(_MODULES[game]).FACE
        return face

    def __iter__(self) -> Iterator[str]:
        return iter(_MODULES)

    def __len__(self) -> int:
        return len(_MODULES)


FACES: Final = _Faces()


class _Lessons(Mapping[str, "Lesson"]):
    """By game; each module has its lesson under the name `LESSON`."""

    def __getitem__(self, game: str) -> "Lesson":
        lesson: Lesson = import_module(_LESSONS[game]).LESSON
        return lesson

    def __iter__(self) -> Iterator[str]:
        return iter(_LESSONS)

    def __len__(self) -> int:
        return len(_LESSONS)


LESSONS: Final = _Lessons()


class _AllSpoken(Mapping[str, "Spoken"]):
    """By game; each module has what is spoken of its game under the name `SPOKEN`."""

    def __getitem__(self, game: str) -> "Spoken":
        spoken: Spoken = import_module(_SPOKEN[game]).SPOKEN
        return spoken

    def __iter__(self) -> Iterator[str]:
        return iter(_SPOKEN)

    def __len__(self) -> int:
        return len(_SPOKEN)


SPOKEN: Final = _AllSpoken()


def title_of(game: str) -> str:
    """What a game is called; one that has no face here keeps the name it has on the wire."""
    return _titles().get(game, game)


def _titles() -> Mapping[str, str]:
    return {
        "clocktowers": pgettext("a game's name, 15 cells", "Clocktowers"),
        "architetti_attenti": pgettext("a game's name, 18 cells", "Architetti Attenti"),
        "wild_wild_pattern": pgettext("a game's name, 18 cells", "Wild Wild Pattern"),
    }


ALL_ACTIONS: Final[tuple[Action, ...]] = (*ACTIONS, *_ACTIONS)
"""Each of a game's own names the game, so two games may use the same key."""
