"""Every sentence of the client goes through here; without a catalogue English is what is read.

Texts that stand in a class (the labels of keys) are marked with `N_` and translated when shown.
"""

import gettext
from functools import cache
from importlib.resources import files
from typing import Final

DOMAIN: Final = "clocktowers"


@cache
def _catalogue() -> gettext.NullTranslations:
    """By LANGUAGE, LC_ALL, LC_MESSAGES and LANG, as programs do; read at the first sentence."""
    folder = str(files("clocktowers_tui") / "locale")
    return gettext.translation(DOMAIN, folder, fallback=True)


def _(message: str) -> str:
    """`message` in the player's language."""
    return _catalogue().gettext(message)


def ngettext(singular: str, plural: str, n: int) -> str:
    """The form that the language has for `n` things."""
    return _catalogue().ngettext(singular, plural, n)


def N_(message: str) -> str:
    """Mark a text for the catalogue; whoever shows it translates it."""
    return message
