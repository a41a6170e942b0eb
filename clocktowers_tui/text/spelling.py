"""Spells our sentences in characters that the terminal has.

Laws: all drawing asks here for its characters; what was made of texts is remembered only until the
language or the characters change.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Final, ParamSpec, TypeVar, cast

from clocktowers_tui.config.look import GlyphSet

_TYPEWRITTEN: Final = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"', "–": "-", "—": "-", "…": "..."}
    | {"×": "x", "·": "-", "•": "-", "→": "->", "\N{NO-BREAK SPACE}": " "}
)
_ASCII: Final = str.maketrans({"¢": "c", "±": "+-", "●": "*", "○": "o", "█": "#"})
_CYRILLIC: Final = (
    "а=a б=b в=v г=g д=d е=e ё=e ж=zh з=z и=i й=j к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u ф=f х=h "
    "ц=c ч=ch ш=sh щ=sch ъ= ы=y ь= э=e ю=yu я=ya"
)
_LATIN: Final = {
    ord(written): latin
    for small, _is, large in (pair.partition("=") for pair in _CYRILLIC.split())
    for written, latin in ((small, large), (small.upper(), large.capitalize()))
}
_ALONE: Final = {"Ж": "J", "Ч": "C", "Ш": "W", "Щ": "Q", "Э": "A", "Ю": "U", "Я": "Y"}
"""A letter that is a sign on a board has one cell, and another letter than its neighbours."""
_LAST_ACCENT: Final = "[\N{COMBINING GRAVE ACCENT}\N{COMBINING ACUTE ACCENT}](?!\\w)"

_glyphs = GlyphSet.UNICODE

Asked = ParamSpec("Asked")
Worded = TypeVar("Worded")
_MOST: Final = 4096
_forgetting: Final[list[Callable[[], None]]] = []


def kept(told: Callable[Asked, Worded]) -> Callable[Asked, Worded]:
    """A function of texts that answers as before until the language or the characters change:
    drawing asks often. Its arguments can be hashed, and nobody changes what it returns."""
    remembered = lru_cache(maxsize=_MOST)(told)
    _forgetting.append(remembered.cache_clear)
    return cast(Callable[Asked, Worded], remembered)


def forget() -> None:
    """What is `kept` no longer holds."""
    for one in _forgetting:
        one()


def draw_with(glyphs: GlyphSet) -> None:
    """Spell everything in characters of this set from now on."""
    global _glyphs
    _glyphs = glyphs
    forget()


def drawn_with() -> GlyphSet:
    """The present set."""
    return _glyphs


def spelt(text: str) -> str:
    """One of our sentences in characters of the present set."""
    return drawable(text, _glyphs)


def drawable(text: str, glyphs: GlyphSet) -> str:
    """One of our sentences in characters of a set; in ASCII, `perché` is `perche'`, and Cyrillic
    letters are spelt in Latin ones."""
    if glyphs is GlyphSet.UNICODE or text.isascii():
        return text
    text = text.translate(_TYPEWRITTEN)
    if glyphs is GlyphSet.SAFE:
        return text
    if len(text) == 1:
        sign = _ALONE.get(text.upper(), text)
        text = sign if text.isupper() else sign.lower()
    text = text.translate(_LATIN)
    apart = re.sub(_LAST_ACCENT, "'", unicodedata.normalize("NFKD", text.translate(_ASCII)))
    plain = (char for char in apart if not unicodedata.combining(char))
    return "".join(char if char.isascii() else "?" for char in plain)


def ellipsis() -> str:
    """The sign for a text that was cut, in one cell."""
    return "…" if _glyphs is GlyphSet.UNICODE else "~"
