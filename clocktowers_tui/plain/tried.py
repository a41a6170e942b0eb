"""The faces as plain mode tries them out: what a server tells is said out of earshot, not drawn."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from clocktowers_tui.games.face import Face
from clocktowers_tui.games.registry import FACES, SPOKEN
from clocktowers_tui.games.spoken import Spoken


class _Tried:
    """A face in all but one."""

    def __init__(self, face: Face, spoken: Spoken) -> None:
        self._face = face
        self._spoken = spoken

    def __getattr__(self, name: str) -> Any:
        return getattr(self._face, name)

    def try_out(self, view: Any, names: Sequence[str]) -> None:
        """Say all about it. Raises anything if the view cannot be of a match of these players."""
        self._face.turn(view)
        self._face.expected(view, names)
        self._spoken.turn(view, names)
        self._spoken.parts(view, names)


class _TriedFaces(Mapping[str, Face]):
    def __getitem__(self, game: str) -> Face:
        return cast(Face, _Tried(FACES[game], SPOKEN[game]))

    def __iter__(self) -> Iterator[str]:
        return iter(FACES)

    def __len__(self) -> int:
        return len(FACES)


TRIED_FACES: Final = _TriedFaces()
