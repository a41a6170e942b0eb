"""Reads a game's rules: a file for each language beside its face, the documentation, too."""

from pathlib import Path

from clocktowers_tui.text.i18n import SOURCE, language


def rules_page(folder: Path) -> str:
    """In Markdown, in the language spoken now; in English where there is none in it."""
    texts = (folder / f"{code}.md" for code in (language(), SOURCE))
    return next(text for text in texts if text.is_file()).read_text(encoding="utf-8")
