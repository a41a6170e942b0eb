"""Which names look alike: `Admіn` with a Cyrillic letter, `Anna.`, small capitals, `paypaI`.

A name has keys; two names that share a key count as one. A name is never refused for its key, only
for mixing alphabets that have letters of the same shape.
"""

import unicodedata
from typing import Final

from protocol.text import name_key

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
