"""In a language with longer words nothing is left in English, nothing is cut off at 80x24.

A stage is added to `walk` for what is new: a screen that no stage shows fails the test.
"""

import re
from gettext import NullTranslations

import pytest
from textual.content import Content
from textual.widgets import Static

from clocktowers_tui.cli.commands import read
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.text.i18n import _, catalogue, languages, ngettext, pgettext, speak_from
from protocol.text import cells
from protocol.usage import UNKNOWN
from tests.stage.language_faults import in_lines, walked
from tests.stage.language_walk import KNOWN
from tests.stage.marked_language import Marked, Pseudo, clipped, untranslated
from tests.stage.our_screens import our_screens
from tests.stage.pilot import playing, seen, until


async def test_all_is_translated_and_whole() -> None:
    speak_from(Pseudo([catalogue(code) for code in sorted(languages())]), "qps")
    found = await walked()
    assert not found.untranslated, in_lines(found.untranslated)
    assert not found.clipped, in_lines(found.clipped)
    assert not our_screens() - found.screens, "the walk has to go there, too"


def test_every_text_is_a_third_longer_and_keeps_its_places() -> None:
    speak_from(Pseudo(), "qps")
    texts = {
        "Leave the table": _("Leave the table"),
        "{n} complete towers": ngettext("{n} complete tower", "{n} complete towers", 2),
        UNKNOWN: _(UNKNOWN),
    }
    for text, said in texts.items():
        assert cells(said) >= 1.3 * cells(text)
        assert untranslated(said.replace("{n}", "").replace("%s", ""), ()) == []
        assert ("{n}" in said, "%s" in said) == ("{n}" in text, "%s" in text)
    assert cells(pgettext("on a card, 7 cells", "CLOCK")) == 7


@pytest.mark.parametrize("command", ["", "solo", "today", "learn", "join", "host"])
def test_so_is_the_help_of_the_command_line(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    speak_from(Pseudo(), "qps")
    with pytest.raises(SystemExit):
        read([*command.split(), "--help"])
    said = capsys.readouterr().out
    # What is typed as it stands.
    said = re.sub(r"--?[a-z]+|\b[A-Z]{3,}\b|\{[a-z0-9,]+\}", "", said)
    assert (
        untranslated(
            said,
            [
                "clocktowers",
                "solo",
                "today",
                "learn",
                "join",
                "host",
                "history",
                "replay",
                "review",
                "keys",
                *FACES,
            ],
        )
        == []
    )


# Controls ----------------------------------------------------------------------------------------


async def shown(language: NullTranslations, *, width: int) -> str:
    """A screen with a text of which a part is not translated, in a place so wide."""
    speak_from(language, "qps")
    async with playing() as player:
        app, pilot = player
        await until(pilot, lambda: bool(app.focused))
        text = Static(Content(f"Go: {_('Join a table')}"), markup=False)
        text.styles.width, text.styles.height, text.styles.dock = width, 1, "top"
        app.screen.query_one(".banner").display = False  # it would stand beside it
        await app.screen.mount(text)
        await pilot.pause()
        return seen(app)


async def test_what_is_not_translated_is_found() -> None:
    screen = await shown(Pseudo(), width=40)
    assert (untranslated(screen, KNOWN), clipped(screen)) == (["Go"], [])


class Lengthy(NullTranslations):
    """A translation too long for its place."""

    def gettext(self, message: str) -> str:
        return message * 2


async def test_a_translation_that_would_be_clipped_is_found() -> None:
    assert any("Go: " in each for each in clipped(await shown(Pseudo([Lengthy()]), width=20)))


@pytest.mark.parametrize("language", [Pseudo(), Marked(NullTranslations())])
async def test_what_is_clipped_is_found(language: NullTranslations) -> None:
    assert len(clipped(await shown(language, width=12))) == 1
