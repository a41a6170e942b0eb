"""With fewer glyphs everything of ours is spelt otherwise, and nothing is lost by it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.pseudo_terminal import ESC, PseudoTerminal, environment
from bench.terminal_bytes import CLIENT
from clocktowers_tui.config.look import GlyphSet, Look
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.text.fitting import fit
from clocktowers_tui.text.i18n import _, catalogue, languages, speak
from clocktowers_tui.text.spelling import draw_with, drawable
from clocktowers_tui.widgets.scrolled import bars_with
from tests.clocktowers_tui.locale.test_smallest import foreign
from tests.stage.pilot import SMALL, playing, press, seen, sees, until

ASCII = Look(glyphs=GlyphSet.ASCII)


@pytest.mark.parametrize(
    ("glyphs", "spelt"),
    [
        (GlyphSet.UNICODE, "L’ora è così: “città”…"),
        (GlyphSet.SAFE, 'L\'ora è così: "città"...'),
        (GlyphSet.ASCII, "L'ora e' cosi': \"citta'\"..."),
    ],
)
def test_texts_are_spelt_with_the_terminal_s_glyphs(glyphs: GlyphSet, spelt: str) -> None:
    draw_with(glyphs)
    assert _("L’ora è così: “città”…") == spelt
    assert fit("Björn", 4) == ("Bjö…" if glyphs is GlyphSet.UNICODE else "Bjö~")


def test_cyrillic_letters_are_spelt_in_latin_ones() -> None:
    written = "Щука, съешь ещё: Ёж и чайка"
    assert drawable(written, GlyphSet.SAFE) == drawable(written, GlyphSet.UNICODE) == written
    assert drawable(written, GlyphSet.ASCII) == "Schuka, sesh esche: Ezh i chajka"


def test_a_sign_on_a_board_keeps_its_one_cell() -> None:
    for signs in ("ДПШБКЦИРСМ", "ГЗЛКЖ", "КМЗБПДЧР", "КГЖСБ"):
        spelt = [drawable(sign, GlyphSet.ASCII) for sign in signs]
        assert [len(sign) for sign in spelt] == [1] * len(signs)
        assert len({*spelt}) == len(signs)
        assert [drawable(sign.lower(), GlyphSet.ASCII) for sign in signs] == [
            sign.lower() for sign in spelt
        ]


def texts() -> Iterator[str]:
    """Everything that the languages say, and all rules."""
    for code in languages():
        speak(code)
        yield from (face.rules() for face in FACES.values())
        said = getattr(catalogue(code), "_catalog", {})
        yield from [*said.values(), *(key for key in said if isinstance(key, str))]


def test_every_character_of_ours_has_a_spelling_in_ascii() -> None:
    for text in texts():
        assert drawable(text, GlyphSet.ASCII).count("?") == text.count("?"), text


async def test_nor_is_any_other_character_sent_to_a_terminal(home: Path) -> None:
    """Everything that scrolls, and a declaration as far as it goes."""
    arguments = [*CLIENT, "solo", "--game", "wild_wild_pattern", "--bots", "0", "--ascii"]
    async with PseudoTerminal.run(arguments, environment(str(home)), *SMALL) as terminal:
        await terminal.sees("Ready?")
        for key, seen in (("?", "A pattern:"), ("B", "the rules"), ("L", "What happened")):
            terminal.press(key)
            await terminal.sees(seen)
            terminal.press("\x1b[6~\x1b[B\x1b[6~\x1b[B")
            await terminal.settles()
            terminal.press(ESC)
            await terminal.sees("Ready?")
        terminal.press(" ")
        await terminal.sees("SHOOT!")
        while "Shot!" not in terminal.text():  # a Challenge card is replaced first
            await terminal.sees("pattern")
            terminal.press("1")
            await terminal.settles()
        await terminal.sees("every ...")
        terminal.press("<")
        await terminal.sees("BEFORE", "comes ...")
    assert terminal.painted.isascii()


# Control -----------------------------------------------------------------------------------------


async def test_a_scroll_bar_of_other_glyphs_is_found() -> None:
    async with playing(look=ASCII, size=SMALL) as player:
        await until(player[1], lambda: bool(player[0].focused))
        await press(player, "question_mark")
        await sees(player, "All commands")
        assert not foreign(seen(player[0]))
        await press(player, "escape")
        bars_with(GlyphSet.UNICODE)
        # At most places its ends lie within a cell.
        await press(player, "question_mark", "down")
        await sees(player, "All commands")
        assert foreign(seen(player[0]))
