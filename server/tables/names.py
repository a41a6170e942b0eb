"""The names of people on this server: no two people have names that look alike, such as `Admіn`
with a Cyrillic letter, `Anna.`, small capitals, `paypaI`.

A name has keys; two names that share a key count as one. A name is never refused for its key, only
for mixing alphabets that have letters of the same shape.
"""

import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Final

from protocol.text import MAX_NAME_BYTES, MAX_NAME_CELLS, cells, clean, fits, name_key

if TYPE_CHECKING:
    from server.nodes.cluster import Cluster

_LIKE_L: Final = str.maketrans("I|", "ll")
_DIGITS: Final = str.maketrans("01", "ol")
_ALPHABETS: Final = frozenset({"Latin", "Greek", "Cyrillic", "Armenian", "Coptic", "Cherokee"})
"""With letters of the same shape. Those of East Asia stand beside any of them in honest names."""


def keys(name: str) -> frozenset[str]:
    """The keys of a clean name: how it sounds, and how it looks."""
    return frozenset({_bare(name_key(name)), _looks(name)})


def mixed(name: str) -> bool:
    """Whether the letters are of several alphabets between which nobody can tell some of them."""
    if name.isascii():
        return False
    import disarm

    return len(_ALPHABETS & {script.value for script in disarm.detect_scripts(name)}) > 1


def _looks(name: str) -> str:
    # The tables are read when a name first needs them: most servers are one player's own.
    if name.isascii():
        skeleton = name.translate(_LIKE_L).lower()
    else:
        import disarm

        skeleton = disarm.skeleton_key(name)
    return _bare(skeleton).translate(_DIGITS).replace("rn", "m")


def _bare(key: str) -> str:
    """Without blanks, punctuation and accents that stand alone, unless there is nothing else."""
    letters = (c for c in key if unicodedata.category(c)[0] not in "PZ")
    return "".join(c for c in letters if unicodedata.category(c) != "Sk") or key


class Names:
    """The names of everybody who is connected or seated. The same player may use a name more than
    once: by the session, and by a seat that outlives it. `reserved`: names that no person gets, as
    those of bots. `cluster`: of several servers, which is told what changes."""

    def __init__(self, reserved: Iterable[str] = (), cluster: "Cluster | None" = None) -> None:
        self._cluster: Final = cluster
        self._uses: Counter[str] = Counter()
        self._reserved = frozenset(key for name in reserved for key in keys(name))

    def claim(self, wish: str, elsewhere: Collection[str] = ()) -> str | None:
        """Take a free name that is as close to the wish as possible, and return it. Returns None
        when cleaning leaves nothing of the wish, and for a name that mixes alphabets. `elsewhere`:
        keys of names that people on other servers have.

        A taken name gets a number, as a rule the next: Ann, Ann 2, Ann 3 …
        """
        name = clean(wish)
        if not cells(name) or not _fits(name) or mixed(name):
            return None
        if self._taken(name, elsewhere):
            name = self._numbered(name, elsewhere)
        self.take(name)
        return name

    def _numbered(self, name: str, elsewhere: Collection[str]) -> str:
        """The name with a number that is free, found by halving: many may wish for one name."""
        taken, free = 1, 2
        while self._taken(_with_number(name, free), elsewhere):
            taken, free = free, 2 * free
        while free - taken > 1:
            between = (taken + free) // 2
            if self._taken(_with_number(name, between), elsewhere):
                taken = between
            else:
                free = between
        return _with_number(name, free)

    def _taken(self, name: str, elsewhere: Collection[str]) -> bool:
        return any(
            self._uses[key] or key in self._reserved or key in elsewhere for key in keys(name)
        )

    def has(self, key: str) -> bool:
        return self._uses[key] > 0

    def keys(self) -> list[str]:
        """All keys of names that somebody has."""
        return list(self._uses)

    def take(self, name: str) -> None:
        """Count the name once more."""
        for key in keys(name):
            self._uses[key] += 1
            if self._uses[key] == 1 and self._cluster is not None:
                self._cluster.naming.changed(key)

    def release(self, name: str) -> None:
        """Undo one `claim` or `take`."""
        for key in keys(name):
            self._uses[key] -= 1
            if not self._uses[key]:
                del self._uses[key]
                if self._cluster is not None:
                    self._cluster.naming.changed(key)


def _fits(name: str) -> bool:
    return fits(name, MAX_NAME_CELLS, MAX_NAME_BYTES)


def _with_number(name: str, number: int) -> str:
    """`name` with a number behind it, shortened until both fit."""
    while not _fits(f"{name} {number}"):
        name = name[:-1].rstrip()
    return f"{name} {number}"
