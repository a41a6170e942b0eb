"""The rules pages of Architetti Attenti, in every language."""

from typing import Final

from clocktowers_tui.games.architetti_attenti import rules
from tests.clocktowers_tui.games.rules_pages import Page, texts_of

PAGES: Final = {code: Page(text) for code, text in texts_of(rules).items()}
PAGE: Final = PAGES["en"]


def headings(code: str) -> list[str]:
    """All headings of a page, in order."""
    return [line.lstrip("# ") for line in PAGES[code].text.splitlines() if line.startswith("#")]


def same_heading(heading: str, code: str) -> str:
    """The heading that stands in the place of an English one in another language."""
    return headings(code)[headings("en").index(heading)]
