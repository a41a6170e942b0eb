"""The rules as the software plays them, one text a language; they are the documentation, too."""

from pathlib import Path

from clocktowers_tui.games.rules_page import rules_page


def rules_text() -> str:
    """In Markdown, in the language spoken now."""
    return rules_page(Path(__file__).parent)
