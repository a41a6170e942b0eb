"""The names of people on this server: no two people have names that look alike."""

from collections import Counter
from collections.abc import Iterable

from protocol.text import MAX_NAME_BYTES, MAX_NAME_CELLS, cells, clean, fits, name_key


class Names:
    """The names of everybody who is connected or seated. The same player may hold a name more than
    once: by the session, and by a seat that outlives it. `reserved`: the names of bots, which no
    person gets."""

    def __init__(self, reserved: Iterable[str] = ()) -> None:
        self._held: Counter[str] = Counter()
        self._reserved = frozenset(map(name_key, reserved))

    def claim(self, wish: str) -> str | None:
        """Hold a free name that is as close to the wish as possible, and return it. Returns None
        when cleaning leaves nothing of the wish.

        A taken name gets the next number: Ann, Ann 2, Ann 3 …
        """
        name = clean(wish)
        if not cells(name) or not _fits(name):
            return None
        number = 1
        candidate = name
        while self._held[name_key(candidate)] or name_key(candidate) in self._reserved:
            number += 1
            candidate = _numbered(name, number)
        self.hold(candidate)
        return candidate

    def hold(self, name: str) -> None:
        """Hold a name once more."""
        self._held[name_key(name)] += 1

    def release(self, name: str) -> None:
        """Undo one `claim` or `hold`."""
        key = name_key(name)
        self._held[key] -= 1
        if not self._held[key]:
            del self._held[key]


def _fits(name: str) -> bool:
    return fits(name, MAX_NAME_CELLS, MAX_NAME_BYTES)


def _numbered(name: str, number: int) -> str:
    """`name` with a number behind it, shortened until both fit."""
    while not _fits(f"{name} {number}"):
        name = name[:-1].rstrip()
    return f"{name} {number}"
