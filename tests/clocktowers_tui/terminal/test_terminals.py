"""What is really sent to which terminal: TERM, NO_COLOR, COLORTERM, the locale, flags."""

import re
from typing import Final, NamedTuple

import pytest

from bench.one_table import OneTable
from bench.terminal_bytes import at_table
from clocktowers_tui.config.look import Colours, GlyphSet

_SGR: Final = re.compile(r"\x1b\[([\d;]*)m")
_COLOUR: Final = re.compile(r"[34]8;2;\d+;\d+;\d+|[34]8;5;\d+|\d+")
_TRUE: Final = re.compile(r"[34]8;2;.*")
_256: Final = re.compile(r"[34]8;5;.*")
_16: Final = re.compile(r"3[0-7]|9[0-7]|4[0-7]|10[0-7]")
_UNICODE_ONLY: Final = "╭╮╰╯"
_SAFE_ONLY: Final = "┌┐└┘"


class Sent(NamedTuple):
    colours: set[Colours]
    glyphs: GlyphSet
    titled: bool


def sent(painted: bytes, names: str) -> Sent:
    """What the bytes of a match on the screen give away."""
    text = painted.decode()
    found = set()
    for parameters in _SGR.findall(text):
        for part in _COLOUR.findall(parameters):
            for kind, pattern in ((Colours.TRUE, _TRUE), (Colours.C256, _256), (Colours.C16, _16)):
                if pattern.fullmatch(part):
                    found.add(kind)
    drawn = re.sub(r"\x1b\][^\x07]*\x07|\x1b\[[^@-~]*[@-~]", "", text)
    drawn = "".join(char for char in drawn if char not in names)
    if drawn.isascii():
        glyphs = GlyphSet.ASCII
    else:
        glyphs = GlyphSet.UNICODE if set(drawn) & set(_UNICODE_ONLY) else GlyphSet.SAFE
    return Sent(found, glyphs, "\x1b[22;2t" in text)


NAMES: Final = "日本Zoë\u0331"

UTF8: Final = {"LANG": "C.UTF-8"}
NONE: Final[set[Colours]] = set()
TRUE, C256, C16 = {Colours.TRUE}, {Colours.C256}, {Colours.C16}
UNICODE, SAFE, ASCII = GlyphSet.UNICODE, GlyphSet.SAFE, GlyphSet.ASCII


OFTEN: Final = [
    ("TERM=linux COLORTERM=", "", C16, SAFE, False),
    ("TERM=xterm-256color NO_COLOR=1", "", NONE, UNICODE, True),
    ("TERM=xterm-256color NO_COLOR=1", "--colours true", TRUE, UNICODE, True),
    ("TERM=xterm-256color COLORTERM= LC_ALL=C", "", C256, ASCII, True),
    ("TERM=xterm-256color PYTHONIOENCODING=latin-1", "--colours none", NONE, ASCII, True),
    ("TERM=xterm-256color COLORTERM=truecolor", "--colours 16 --glyphs safe", C16, SAFE, True),
]
"""All colours, all glyphs, and everything that decides about them."""
RARELY: Final = [
    ("TERM=xterm-256color COLORTERM=truecolor", "", TRUE, UNICODE, True),
    ("TERM=xterm-256color COLORTERM=", "", C256, UNICODE, True),
    ("TERM=xterm COLORTERM=", "", C16, UNICODE, True),
    ("TERM=xterm-kitty COLORTERM=", "", TRUE, UNICODE, True),
    ("TERM=tmux-256color COLORTERM= LC_ALL=C NO_COLOR=1", "", NONE, ASCII, True),
    ("TERM=xterm COLORTERM=", "--colours 256 --glyphs ascii", C256, ASCII, True),
]
"""Further names of terminals: `test_detect` knows them all."""


@pytest.mark.parametrize(
    ("environ", "flags", "colours", "glyphs", "titled"),
    [*OFTEN, *(pytest.param(*row, marks=pytest.mark.soak) for row in RARELY)],
)
async def test_what_is_sent(
    environ: str, flags: str, colours: set[Colours], glyphs: GlyphSet, titled: bool
) -> None:
    given = dict(item.split("=") for item in environ.split())
    latin = given.get("PYTHONIOENCODING") == "latin-1"
    async with at_table(OneTable(7, 40), environ=given, flags=flags.split()) as terminal:
        terminal.press("?")
        await terminal.settles()
        painted = terminal.painted
    if latin:
        painted = painted.decode("latin-1").encode()
    assert sent(painted, NAMES + "?" * latin) == (colours, glyphs, titled)
