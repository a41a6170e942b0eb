"""What each terminal gets; after every step it shows what Textual's own driver makes it show."""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from clocktowers_tui.config.look import Colours, GlyphSet
from clocktowers_tui.terminal.detect import full_screen, in_tmux, look, near, popups
from clocktowers_tui.terminal.guard import popup
from tests.stage.changed_client import changed, stock
from tests.stage.emulator import cells
from tests.stage.pseudo_terminal import ESC, PseudoTerminal, environment
from tests.stage.staged import CLIENT, PLAYER, OneTable, at_table

UTF8 = {"LANG": "C.UTF-8"}


def test_no_screen_no_game_and_pipes_are_no_terminals() -> None:
    for environ in ({"TERM": ""}, {"TERM": "dumb"}, {"TERM": "unknown"}, {}):
        assert not full_screen(environ, (True, True))
    assert full_screen({"TERM": "xterm"}, (True, True))
    assert not full_screen({"TERM": "xterm"}, (True, False))
    assert not full_screen({"TERM": "xterm"}, (False, True))


@pytest.mark.parametrize(
    ("environ", "shown"),
    [
        ({"TERM": "xterm-256color"}, ""),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, "\x1b]9;A: b,c\x1b\\"),
        ({"KITTY_WINDOW_ID": "1", "TERM_PROGRAM": "WezTerm"}, "\x1b]9;A: b,c\x1b\\"),
        ({"TERM": "foot"}, "\x1b]777;notify;A;b,c\x1b\\"),
        (
            {"TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"},
            "\x1bPtmux;\x1b\x1b]99;o=unfocused;A: b,c\x1b\x1b\\\x1b\\",
        ),
    ],
)
def test_each_shows_a_message_in_its_own_way(environ: dict[str, str], shown: str) -> None:
    assert popup(popups(environ), "A", "b\x1b;c", tmux=in_tmux(environ)) == shown


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
        ({"TERM": "vt100", **UTF8}, GlyphSet.ASCII),
        ({"TERM": "xterm", "LANG": "de_DE.utf8"}, GlyphSet.UNICODE),
        ({"TERM": "xterm"}, GlyphSet.ASCII),
        ({"TERM": "xterm", "LANG": "de_DE.ISO-8859-1"}, GlyphSet.ASCII),
        ({"TERM": "xterm", **UTF8, "LC_ALL": "C"}, GlyphSet.ASCII),
        ({"TERM": "xterm", "LC_CTYPE": "C.UTF-8", "LC_ALL": ""}, GlyphSet.UNICODE),
    ],
)
def test_glyphs_follow_the_locale(environ: dict[str, str], glyphs: GlyphSet) -> None:
    assert look(environ).glyphs is glyphs


def test_a_terminal_at_the_end_of_a_line_is_not_near() -> None:
    assert near({"TERM": "xterm", "SSH_CONNECTION": ""})
    assert not near({"SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"})
    assert not near({"SSH_TTY": "/dev/pts/3"})


# What is really sent to which terminal: TERM, NO_COLOR, COLORTERM, the locale, flags --------------


_SGR: Final = re.compile(r"\x1b\[([\d;]*)m")
_COLOUR: Final = re.compile(r"[34]8;2;\d+;\d+;\d+|[34]8;5;\d+|\d+")
_TRUE: Final = re.compile(r"[34]8;2;.*")
_256: Final = re.compile(r"[34]8;5;.*")
_16: Final = re.compile(r"3[0-7]|9[0-7]|4[0-7]|10[0-7]")
_UNICODE_ONLY: Final = "╭╮╰╯"


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

NONE: Final[set[Colours]] = set()
TRUE, C256, C16 = {Colours.TRUE}, {Colours.C256}, {Colours.C16}
UNICODE, SAFE, ASCII = GlyphSet.UNICODE, GlyphSet.SAFE, GlyphSet.ASCII


CLIENTS: Final = [
    ("TERM=linux COLORTERM=", "", C16, SAFE, False),
    ("TERM=xterm-256color NO_COLOR=1", "", NONE, UNICODE, True),
    ("TERM=xterm-256color NO_COLOR=1", "--colours true", TRUE, UNICODE, True),
    ("TERM=xterm-256color COLORTERM= LC_ALL=C", "", C256, ASCII, True),
    ("TERM=xterm-256color PYTHONIOENCODING=latin-1", "--colours none", NONE, ASCII, True),
    ("TERM=xterm-256color COLORTERM=truecolor", "--colours 16 --glyphs safe", C16, SAFE, True),
]
"""All colours, all glyphs, and everything that decides about them."""


@pytest.mark.parametrize(("environ", "flags", "colours", "glyphs", "titled"), CLIENTS)
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


# The same picture as Textual's own driver paints --------------------------------------------------


TRUECOLOUR: Final = {"COLORTERM": "truecolor"}
SIXTEEN: Final = {"TERM": "xterm", "COLORTERM": ""}


class TwoClients:
    """The same keys for two clients, each at a table of its own."""

    def __init__(self) -> None:
        self.tables: list[OneTable] = []
        self.terminals: list[PseudoTerminal] = []
        self._ports: list[str] = []

    async def add(
        self, stack: AsyncExitStack, home: str, program: Sequence[str], environ: dict[str, str]
    ) -> None:
        table = OneTable(7)
        address = await stack.enter_async_context(table.listening())
        whole = environment(home) | environ
        terminal = PseudoTerminal.run([*program, "join", address, "--name", PLAYER], whole)
        await stack.enter_async_context(terminal)
        await terminal.sees("Thursday")
        self.tables.append(table)
        self.terminals.append(terminal)
        self._ports.append(address.rpartition(":")[2])

    async def press(self, *keys: str) -> None:
        for key in keys:
            for terminal in self.terminals:
                terminal.press(key)
            await self.check(repr(key))

    async def check(self, step: str) -> None:
        await asyncio.gather(*(terminal.settles() for terminal in self.terminals))
        seen = [cells(terminal.screen) for terminal in self.terminals]
        ours, stock = (_without(port, all) for port, all in zip(self._ports, seen, strict=True))
        for y, (line, expected) in enumerate(zip(ours, stock, strict=True)):
            assert line == expected, f"after {step}, line {y}:\n{self.terminals[0].text()}"

    async def sees(self, *words: str) -> None:
        """Both are where they are meant to be."""
        for terminal in self.terminals:
            await terminal.sees(*words)
        await self.check(f"{words} came")

    async def opponents(self) -> None:
        while not self.tables[0].my_turn():
            for table in self.tables:
                table.opponent()
            await self.check("an opponent's action")

    async def resize(self, width: int, height: int) -> None:
        for terminal in self.terminals:
            terminal.resize(width, height)
        await self.check(f"{width}x{height}")


def _without(port: str, seen: list[list[tuple[Any, ...]]]) -> list[list[tuple[Any, ...]]]:
    """The two differ by nothing but the port that a screen may show."""
    for line in seen:
        start = "".join(cell[0] for cell in line).find(port)
        if start >= 0:
            del line[start : start + len(port)]
    return seen


@asynccontextmanager
async def begun(home: Path, environ: dict[str, str]) -> AsyncIterator[TwoClients]:
    async with AsyncExitStack() as stack:
        both = TwoClients()
        for number, one in enumerate((CLIENT, changed(stock))):
            (home / str(number)).mkdir()
            await both.add(stack, str(home / str(number)), one, environ)
        yield both


async def spend(home: Path, environ: dict[str, str]) -> None:
    async with begun(home, environ) as both:
        await both.press("?", ESC, "n")
        await both.sees("Rules", "Title")
        await both.press("\x1b[B", "\x1b[C", ESC, "\x1b[A", "\x1b[B", "\r")
        await both.sees("日本 Bob", "Next roof")
        await both.opponents()
        await both.press("\x1b[C", "\x1b[D", "1", "\x1b[C", ESC, "?", ESC, "L", "q")
        await both.resize(120, 40)
        await both.press("2")
        await both.resize(60, 20)
        await both.resize(40, 10)
        await both.resize(80, 24)
        await both.press("\r", "f")
        await both.opponents()
        await both.press("\x03", ESC, "q")
        await both.sees("Leave this match?")
        await both.press("\x1b[B", "\x1b[B", "\r")
        await both.sees("as Zoë")
        await both.press("q", "\x1b[B", "\r")
        await both.sees("Quit")
        await both.press("n", "日", "本", "e", "\x7f", "\x1b[D", "x", ESC)


@pytest.mark.parametrize("environ", [TRUECOLOUR, pytest.param(SIXTEEN, marks=pytest.mark.soak)])
async def test_it_is_the_same_picture(home: Path, environ: dict[str, str]) -> None:
    """Other colours change the codes of a cell, not the way of it."""
    await spend(home, environ)
