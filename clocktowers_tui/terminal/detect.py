"""What the terminal can show: its colours, its characters, whether the client can use it at all.

Measured on Textual 8.2: `dumb` and `unknown` get escapes all the same, NO_COLOR with a normal theme
still paints greys, and without UTF-8 in the locale the board's lines become question marks.
"""

from collections.abc import Mapping
from typing import Final

from clocktowers_tui.config.look import Colours, GlyphSet, Look, Palette
from clocktowers_tui.config.settings import Popups

_NO_SCREEN: Final = ("", "dumb", "unknown")
_SIXTEEN: Final = ("ansi", "linux", "screen", "vt100", "vt220", "xterm", "xterm-16color")
_TRUE: Final = (
    "alacritty",
    "contour",
    "foot",
    "ghostty",
    "wezterm",
    "xterm-ghostty",
    "xterm-kitty",
)
"""These have all colours, and their name comes through SSH where COLORTERM does not."""
_BY_SSH: Final = ("SSH_CONNECTION", "SSH_TTY")
_BY_BYTES: Final = ("ansi", "vt100", "vt220")
"""These know one byte for each character, whatever the locale says."""
_NO_TITLE: Final = ("linux", *_BY_BYTES)
_POPUPS: Final[Mapping[Popups, str]] = {
    "9": "iTerm.app WezTerm ghostty xterm-ghostty wezterm",
    "99": "xterm-kitty",
    "777": "foot foot-direct foot-extra rxvt-unicode rxvt-unicode-256color contour",
}
"""By what TERM or TERM_PROGRAM say. Others show nothing, or a part of the text."""


def full_screen(environ: Mapping[str, str], terminals: tuple[bool, ...]) -> bool:
    """Whether there is a screen to draw on. `terminals`: which of stdin and stderr are
    terminals."""
    return environ.get("TERM", "") not in _NO_SCREEN and all(terminals)


def titled(environ: Mapping[str, str]) -> bool:
    """Whether the terminal has a title to set; others would print the title, or parts of it."""
    return environ.get("TERM", "") not in _NO_TITLE


def copies(environ: Mapping[str, str]) -> bool:
    """Whether the terminal is known to take a copy (OSC 52); tmux and screen keep it from others
    unless they are set otherwise."""
    if environ.get("TMUX") or environ.get("STY"):
        return False
    return environ.get("TERM", "").removesuffix("-direct") in _TRUE or "WT_SESSION" in environ


def popups(environ: Mapping[str, str]) -> Popups:
    """How the terminal shows a message on the desktop. Through tmux nobody knows which terminal it
    is, but for kitty, which leaves its mark in the environment; another terminal that is started
    from kitty has that mark, too."""
    for name in (environ.get("TERM_PROGRAM"), environ.get("TERM")):
        for how, terminals in _POPUPS.items():
            if name in terminals.split():
                return how
    return "99" if environ.get("KITTY_WINDOW_ID") else "no"


def in_tmux(environ: Mapping[str, str]) -> bool:
    """Whether tmux lies between; through SSH only the terminal's name tells of it."""
    return "TMUX" in environ or environ.get("TERM", "").startswith("tmux")


def near(environ: Mapping[str, str]) -> bool:
    """Whether the terminal is on this machine, as far as the shell says: then no byte is dear."""
    return not any(environ.get(name) for name in _BY_SSH)


def erases(environ: Mapping[str, str], screen: int) -> bool:
    """Whether erased cells take the ground that is set (terminfo's `bce`). Terminfo answers only
    for the first terminal that a process asks about."""
    try:
        import curses
    except ImportError:  # some builds of Python lack it
        return False
    try:
        curses.setupterm(environ.get("TERM", ""), screen)
        return curses.tigetflag("bce") > 0
    except curses.error:  # terminfo does not know the terminal
        return False


def look(
    environ: Mapping[str, str],
    *,
    encoding: str = "utf-8",
    colours: Colours | None = None,
    glyphs: GlyphSet | None = None,
) -> Look:
    """The look the player asked for; where they asked for nothing, the best this terminal can show.
    `encoding`: of what is written to it."""
    return Look(Palette.DARK, colours or _colours(environ), glyphs or _glyphs(environ, encoding))


def asks_for_none(environ: Mapping[str, str]) -> bool:
    """Whether the player wants no colours (no-color.org)."""
    return bool(environ.get("NO_COLOR"))


def _colours(environ: Mapping[str, str]) -> Colours:
    term = environ.get("TERM", "")
    if asks_for_none(environ):
        return Colours.NONE
    if environ.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return Colours.TRUE
    if term in _TRUE or term.endswith("-direct"):
        return Colours.TRUE
    return Colours.C16 if term in _SIXTEEN else Colours.C256


def _glyphs(environ: Mapping[str, str], encoding: str) -> GlyphSet:
    locale = next(
        (value for name in ("LC_ALL", "LC_CTYPE", "LANG") if (value := environ.get(name))), ""
    )
    if not (_is_utf8(locale) and _is_utf8(encoding)) or environ.get("TERM") in _BY_BYTES:
        return GlyphSet.ASCII
    return GlyphSet.SAFE if environ.get("TERM") == "linux" else GlyphSet.UNICODE


def _is_utf8(name: str) -> bool:
    return "utf8" in name.lower().replace("-", "")
