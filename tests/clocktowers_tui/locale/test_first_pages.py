"""A player's and host's first page in each language: it names the same commands as the English one,
and the screens' words as they stand there."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from clocktowers_tui.text.i18n import SOURCE, _, speak

FOLDER: Final = Path(__file__).parents[3] / "docs" / "first"
PAGES: Final = {file.stem: file.read_text("utf-8") for file in sorted(FOLDER.glob("*.md"))}


class Said(NamedTuple):
    """`commands`: without their comments; `words`: those of screens, in italics."""

    commands: Sequence[str]
    words: Sequence[str]
    links: Sequence[str]


def said(page: str, code: str) -> Said:
    commands = [line.split("  ")[0] for line in re.findall(r"^    (.+)$", page, re.MULTILINE)]
    words = re.findall(r"(?<!\*)\*([^*\n]+)\*(?!\*)", re.sub(r"^    .+$", "", page, flags=re.M))
    links = [
        link.replace(f"/{code}.md", "/CODE.md") for link in re.findall(r"\]\((\.\..+?)\)", page)
    ]
    return Said(commands, words, links)


def expected(code: str) -> Said:
    """What the English page says, in this language."""
    source = said(PAGES[SOURCE], SOURCE)
    speak(code)
    return source._replace(words=[_(word) for word in source.words])


@pytest.mark.parametrize("code", PAGES)
def test_it_says_what_the_english_one_says(code: str) -> None:
    assert said(PAGES[code], code) == expected(code)
    assert len(expected(code).words) > 5 and len(expected(code).commands) > 8


def test_another_word_than_on_the_screen_would_be_noticed() -> None:
    page = PAGES["nl"]
    for wrong in (page.replace("*Dagpartij*", "*Partij*"), page.replace("join ct:", "join tc:")):
        assert said(wrong, "nl") != expected("nl")


def test_each_page_leads_to_all_others() -> None:
    for code, page in PAGES.items():
        assert {*re.findall(r"\]\((\w+)\.md\)", page)} == PAGES.keys() - {code}
