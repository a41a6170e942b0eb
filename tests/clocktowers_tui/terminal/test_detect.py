"""What each terminal gets."""

import pytest

from clocktowers_tui.config.look import Colours, GlyphSet, Palette
from clocktowers_tui.terminal.detect import full_screen, look, titled

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
    ("environ", "colours"),
    [
        ({"TERM": "xterm-256color"}, Colours.C256),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, Colours.TRUE),
        ({"TERM": "xterm-256color", "COLORTERM": "24bit", "NO_COLOR": "1"}, Colours.NONE),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, Colours.C256),
        ({"TERM": "xterm"}, Colours.C16),
        ({"TERM": "vt100"}, Colours.C16),
        ({"TERM": "linux"}, Colours.C16),
        ({"TERM": "screen", "COLORTERM": "truecolor"}, Colours.TRUE),
        ({"TERM": "tmux-256color"}, Colours.C256),
        ({"TERM": "xterm-kitty"}, Colours.TRUE),
        ({"TERM": "xterm-direct"}, Colours.TRUE),
    ],
)
def test_colours_follow_the_terminal(environ: dict[str, str], colours: Colours) -> None:
    chosen = look(environ)
    assert chosen.colours is colours
    assert chosen.ansi == (colours in (Colours.C16, Colours.NONE))


@pytest.mark.parametrize(
    ("environ", "glyphs"),
    [
        ({"TERM": "xterm", **UTF8}, GlyphSet.UNICODE),
        ({"TERM": "linux", **UTF8}, GlyphSet.SAFE),
        ({"TERM": "xterm", "LANG": "de_DE.utf8"}, GlyphSet.UNICODE),
        ({"TERM": "xterm"}, GlyphSet.ASCII),
        ({"TERM": "xterm", "LANG": "de_DE.ISO-8859-1"}, GlyphSet.ASCII),
        ({"TERM": "xterm", **UTF8, "LC_ALL": "C"}, GlyphSet.ASCII),
        ({"TERM": "xterm", "LC_CTYPE": "C.UTF-8", "LC_ALL": ""}, GlyphSet.UNICODE),
    ],
)
def test_glyphs_follow_the_locale(environ: dict[str, str], glyphs: GlyphSet) -> None:
    assert look(environ).glyphs is glyphs


def test_glyphs_follow_the_stream() -> None:
    assert look(UTF8, encoding="latin-1").glyphs is GlyphSet.ASCII
    assert look(UTF8, encoding="").glyphs is GlyphSet.ASCII


def test_a_wish_is_above_all() -> None:
    poor = {"TERM": "linux", "LC_ALL": "C", "NO_COLOR": "1"}
    wished = look(poor, colours=Colours.TRUE, glyphs=GlyphSet.UNICODE, encoding="")
    assert wished == (Palette.DARK, Colours.TRUE, GlyphSet.UNICODE)


def test_a_console_has_no_title() -> None:
    assert titled({"TERM": "xterm-256color"})
    assert not titled({"TERM": "linux"})
