"""The rules as the software plays them, one text a language; they are the documentation, too."""

from pathlib import Path
from typing import Final

from clocktowers_tui.i18n import SOURCE, language

_FOLDER: Final = Path(__file__).parent


def rules_text() -> str:
    """In Markdown, in the language spoken now; in English where there is none in it."""
    texts = (_FOLDER / f"{code}.md" for code in (language(), SOURCE))
    return next(text for text in texts if text.is_file()).read_text(encoding="utf-8")
