"""Translates every sentence of the client into the language that is spoken now.

Laws: nothing is translated at import (a text in a class or a table is marked with `N_` and
translated when shown), so that the language can change at any time; a text without a translation is
shown in English.
"""

import gettext
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from clocktowers_tui.text.spelling import forget, kept, spelt
from protocol.languages import SOURCE as SOURCE, asked_for

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
