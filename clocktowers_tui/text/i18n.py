"""Translates every sentence of the client into the language that is spoken now, and spells it in
characters that the terminal has.

Laws: nothing is translated at import (a text in a class or a table is marked with `N_` and
translated when shown), so that the language can change at any time; a text without a translation is
shown in English; all drawing asks here for its characters.
"""

import gettext
import os
import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple, ParamSpec, TypeVar, cast

from clocktowers_tui.config.look import GlyphSet
from protocol.languages import SOURCE as SOURCE, asked_for

_TYPEWRITTEN: Final = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"', "–": "-", "—": "-", "…": "..."}
    | {"×": "x", "·": "-", "•": "-", "→": "->", "\N{NO-BREAK SPACE}": " "}
)
_ASCII: Final = str.maketrans({"¢": "c", "●": "*", "○": "o", "█": "#"})
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
_LAST_ACCENT: Final = re.compile("[\N{COMBINING GRAVE ACCENT}\N{COMBINING ACUTE ACCENT}](?!\\w)")

_glyphs = GlyphSet.UNICODE

Asked = ParamSpec("Asked")
Told = TypeVar("Told")
_MOST: Final = 4096
_forgetting: Final[list[Callable[[], None]]] = []


def kept(told: Callable[Asked, Told]) -> Callable[Asked, Told]:
    """A function of texts that answers as before until the language or the characters change:
    drawing asks often. Its arguments can be hashed, and nobody changes what it returns."""
    remembered = lru_cache(maxsize=_MOST)(told)
    _forgetting.append(remembered.cache_clear)
    return cast(Callable[Asked, Told], remembered)


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
    apart = _LAST_ACCENT.sub("'", unicodedata.normalize("NFKD", text.translate(_ASCII)))
    plain = (char for char in apart if not unicodedata.combining(char))
    return "".join(char if char.isascii() else "?" for char in plain)


def ellipsis() -> str:
    """The sign for a text that was cut, in one cell."""
    return "…" if _glyphs is GlyphSet.UNICODE else "~"


# The language that is spoken.

DOMAIN: Final = "clocktowers"
_FOLDER: Final = Path(__file__).parents[1] / "locale"


class _Spoken(NamedTuple):
    code: str
    texts: gettext.NullTranslations


_spoken: _Spoken | None = None


def languages() -> Mapping[str, str]:
    """Code → the language's own name for itself; English first, then the languages with a
    catalogue."""
    return {code: _own_name(catalogue(code)) for code in (SOURCE, *_catalogues())}


@kept
def language() -> str:
    """The code of the language that is spoken now."""
    return _now().code


def speak(code: str | None) -> None:
    """Speak this language from now on; None, or an unknown code: the environment's."""
    known = (SOURCE, *_catalogues())
    found = code if code in known else asked_for(os.environ, known)
    speak_from(catalogue(found), found)


def speak_from(texts: gettext.NullTranslations, code: str) -> None:
    """Speak the language of a catalogue that need not lie in our folder."""
    global _spoken
    _spoken = _Spoken(code, texts)
    forget()


def catalogue(code: str) -> gettext.NullTranslations:
    """A language's catalogue; English when there is none."""
    return gettext.translation(DOMAIN, _FOLDER, [code], fallback=True)


def _catalogues() -> list[str]:
    return sorted(file.parts[-3] for file in _FOLDER.glob(f"*/LC_MESSAGES/{DOMAIN}.mo"))


def _own_name(texts: gettext.NullTranslations) -> str:
    return texts.pgettext("the language's own name for itself", "English")


def _now() -> _Spoken:
    if _spoken is None:
        speak(None)
    assert _spoken is not None
    return _spoken


@kept
def _(message: str) -> str:
    """`message` in the player's language. A catalogue keeps its header under "", which says
    nothing."""
    return spelt(_now().texts.gettext(message)) if message else ""


@kept
def ngettext(singular: str, plural: str, n: int) -> str:
    """The form that the language has for `n` things."""
    return spelt(_now().texts.ngettext(singular, plural, n))


@kept
def pgettext(context: str, message: str) -> str:
    """`message` where it means what `context` says.

    A context that ends in `N cells` is a promise to the translator: longer texts are cut there.
    """
    return spelt(_now().texts.pgettext(context, message))


def decimal(number: float, written: str = ".1f") -> str:
    """A number with decimals as the language writes it: `2.5`, in Italian `2,5`. `written`: as in
    `format`. Only for people: what programs read keeps its point."""
    return format(number, written).replace(".", pgettext("between 2 and 5 in 2.5", "."))


def N_(message: str) -> str:
    """Mark a text for the catalogue; the code that shows it translates it."""
    return message
