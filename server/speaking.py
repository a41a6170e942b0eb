"""The language of `clocktowers-server`: that of the terminal in which it is typed; and of what is
sent to players who are away: theirs.

Laws: English needs no catalogue and reads none; nothing is translated at import (a text in a class
or a table is marked with `N_`). The log, JSON, the lines of a server that runs and what it answers
at the operator's door are English everywhere: programs read them, and people of several languages.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from protocol.languages import SOURCE, asked_for

if TYPE_CHECKING:
    from gettext import NullTranslations

DOMAIN: Final = "clocktowers-server"
FOLDER: Final = Path(__file__).parent / "locale"

_texts: "NullTranslations | None" = None


def speak(environ: Mapping[str, str] = os.environ) -> None:
    """Speak the language that the environment asks for from now on. Once, when a program begins."""
    global _texts
    language = asked_for(environ, (SOURCE, *_known()))
    if language == SOURCE:
        return
    import gettext

    _texts = gettext.translation(DOMAIN, FOLDER, [language])


def _(message: str) -> str:
    """`message` in the language that is spoken."""
    return message if _texts is None else _texts.gettext(message)


def _known() -> list[str]:
    return [file.parts[-3] for file in FOLDER.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")]


def in_language(language: str) -> Callable[[str], str]:
    """As `_`, for a text that goes to somebody elsewhere; English where there is no catalogue."""
    import gettext

    spoken = [language] if language in _known() else []
    return gettext.translation(DOMAIN, FOLDER, spoken, fallback=True).gettext


def N_(message: str) -> str:
    """Mark a text for the catalogue; the code that shows it translates it."""
    return message
