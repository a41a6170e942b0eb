"""The rules pages of Wild Wild Pattern, in every language."""

from typing import Final

from clocktowers_tui.games.wild_wild_pattern import rules
from tests.stage import rules_pages
from tests.stage.rules_pages import Page, texts_of

PAGES: Final = {code: Page(text) for code, text in texts_of(rules).items()}
PAGE: Final = PAGES["en"]


def same_heading(heading: str, code: str) -> str:
    """The heading that stands in the place of an English one in another language."""
    return rules_pages.same_heading(heading, PAGE, PAGES[code])
