"""What the terminal can show: which colours, which characters, whether it can be used at all.

Measured on Textual 8.2: `dumb` and `unknown` get escapes all the same, NO_COLOR with a normal theme
still paints greys, and without UTF-8 in the locale the board's lines become question marks.
"""

from collections.abc import Mapping
from typing import Final

from clocktowers_tui.look import Colours, GlyphSet, Look, Palette

_NO_SCREEN: Final = ("", "dumb", "unknown")
_SIXTEEN: Final = ("xterm", "screen", "linux", "vt100", "vt220", "ansi", "xterm-16color")


def full_screen(environ: Mapping[str, str], terminals: tuple[bool, ...]) -> bool:
    """Whether there is a screen to draw on; `terminals`: what of stdin and stderr is one."""
    return environ.get("TERM", "") not in _NO_SCREEN and all(terminals)


def look(environ: Mapping[str, str], *, ascii_only: bool = False) -> Look:
    """The best this terminal can show."""
    glyphs = GlyphSet.ASCII if ascii_only else _glyphs(environ)
    return Look(Palette.DARK, _colours(environ), glyphs)


def theme(look: Look) -> str:
    """The name of Textual's theme for a look."""
    return "ansi-dark" if look.ansi else "textual-dark"


def _colours(environ: Mapping[str, str]) -> Colours:
    if environ.get("NO_COLOR"):
        return Colours.NONE
    if environ.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return Colours.TRUE
    return Colours.C16 if environ.get("TERM", "") in _SIXTEEN else Colours.C256


def _glyphs(environ: Mapping[str, str]) -> GlyphSet:
    locale = next(
        (value for name in ("LC_ALL", "LC_CTYPE", "LANG") if (value := environ.get(name))), ""
    )
    if "utf8" not in locale.lower().replace("-", ""):
        return GlyphSet.ASCII
    return GlyphSet.SAFE if environ.get("TERM") == "linux" else GlyphSet.UNICODE
