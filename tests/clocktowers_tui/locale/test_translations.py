"""Every translation fits on all screens at 80x24; with ASCII glyphs it is all ASCII."""

import pytest

from clocktowers_tui.config.look import GlyphSet, Look
from clocktowers_tui.phrases.refusals import refused_in_words
from clocktowers_tui.screens.home import HomeScreen
from clocktowers_tui.text.i18n import SOURCE, catalogue, languages, speak, speak_from
from protocol.from_server import Refused
from protocol.refusal import RefusalCode
from tests.stage.language_faults import in_lines, walked
from tests.stage.marked_language import Marked
from tests.stage.pilot import playing, seen, sees, until

OTHERS = pytest.mark.parametrize("code", sorted(languages().keys() - {SOURCE}))


@pytest.mark.soak
@OTHERS
async def test_nothing_is_cut_off(code: str) -> None:
    """`make test` walks in a language whose texts are as long as the longest translation."""
    speak_from(Marked(catalogue(code)), code)
    found = await walked()
    assert not found.clipped, in_lines(found.clipped)


async def test_accents_are_spelt_out_where_the_terminal_has_none() -> None:
    """A look with fewer glyphs can be chosen at any time, and the language with it."""
    async with playing() as player:
        app, _pilot = player
        speak("it")
        app.restyle(Look(glyphs=GlyphSet.ASCII))
        await sees(player, "Prepara una partita")
        screen = app.screen
        assert isinstance(screen, HomeScreen)
        screen.say(refused_in_words(Refused(id=0, code=RefusalCode.MATCH_RUNNING)))
        await sees(player, "C'e' una partita in corso")
        assert seen(app).isascii()
        app.restyle(Look())
        await until(player[1], lambda: "C'e'" not in seen(app))
        screen.say(refused_in_words(Refused(id=0, code=RefusalCode.MATCH_RUNNING)))
        await sees(player, "C’è una partita in corso")
