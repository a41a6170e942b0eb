"""What each terminal gets."""

import pytest

from clocktowers_tui.look import GlyphSet
from clocktowers_tui.themes import full_screen, look, theme

UTF8 = {"LANG": "C.UTF-8"}


@pytest.mark.parametrize("term", ["", "dumb", "unknown"])
def test_no_screen_no_game(term: str) -> None:
    assert not full_screen({"TERM": term}, (True, True))
    assert not full_screen({}, (True, True))


def test_pipes_are_no_terminals() -> None:
    assert full_screen({"TERM": "xterm"}, (True, True))
    assert not full_screen({"TERM": "xterm"}, (True, False))
    assert not full_screen({"TERM": "xterm"}, (False, True))


@pytest.mark.parametrize(
    ("environ", "ansi"),
    [
        ({"TERM": "xterm-256color"}, False),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, True),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, False),
        ({"TERM": "linux"}, True),
        ({"TERM": "screen", "COLORTERM": "truecolor"}, False),
    ],
)
def test_few_colours_are_the_terminals_own(environ: dict[str, str], ansi: bool) -> None:
    chosen = look(environ)
    assert (chosen.ansi, theme(chosen)) == (ansi, "ansi-dark" if ansi else "textual-dark")


@pytest.mark.parametrize(
    ("environ", "glyphs"),
    [
        ({"TERM": "xterm", **UTF8}, GlyphSet.UNICODE),
        ({"TERM": "linux", **UTF8}, GlyphSet.SAFE),
        ({"TERM": "xterm", "LANG": "de_DE.utf8"}, GlyphSet.UNICODE),
        ({"TERM": "xterm"}, GlyphSet.ASCII),
        ({"TERM": "xterm", **UTF8, "LC_ALL": "C"}, GlyphSet.ASCII),
    ],
)
def test_glyphs_follow_the_locale(environ: dict[str, str], glyphs: GlyphSet) -> None:
    assert look(environ).glyphs is glyphs
    assert look(environ, ascii_only=True).glyphs is GlyphSet.ASCII
