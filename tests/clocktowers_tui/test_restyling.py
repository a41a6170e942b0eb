"""Looks change during play, from each to each, and end as if they had been there at first."""

import asyncio
import os
import sys
from itertools import combinations, pairwise

import pexpect
import pyte
import pytest
from rich.segment import Segment
from textual.app import App
from textual.pilot import Pilot

from clocktowers_tui.app.app import ClocktowersApp
from clocktowers_tui.config.look import Colours, GlyphSet, Look, Palette
from clocktowers_tui.screens.dialogs import Quit
from tests.stage.restyling import LOOKS, Restyling

LIMIT_S = 30


SAID = 22
"""The row that says which look is shown."""


async def painted(app: ClocktowersApp, pilot: Pilot[None]) -> list[Segment]:
    """Character by character as it goes to the terminal, once all is painted in the app's look."""
    while True:
        await pilot.pause()
        strips = app.screen._compositor.render_strips()
        if len(strips) > SAID and ",".join(app.look) in strips[SAID].text:
            break
    rest = [strip for y, strip in enumerate(strips) if y != SAID]
    return [Segment(char, part.style) for strip in rest for part in strip for char in part.text]


async def from_the_start(look: Look) -> list[Segment]:
    app = Restyling([look])
    async with asyncio.timeout(LIMIT_S), app.run_test(size=(80, 24)) as pilot:
        return await painted(app, pilot)


def every_step() -> list[Look]:
    """The shortest way on which each look follows each other one."""
    way = [step for pair in combinations(LOOKS, 2) for step in pair]
    return [*way, LOOKS[0]]


async def test_from_every_look_into_every_other() -> None:
    wanted = {look: await from_the_start(look) for look in LOOKS}
    assert len({str(screen) for screen in wanted.values()}) == len(LOOKS) - 1  # 16 is native
    way = every_step()
    assert {pair for pair in pairwise(way)} >= {(a, b) for a in LOOKS for b in LOOKS if a != b}
    app = Restyling(way)
    async with asyncio.timeout(LIMIT_S), app.run_test(size=(80, 24)) as pilot:
        for look in way[1:]:
            app.action_following()
            assert await painted(app, pilot) == wanted[look], look


async def test_a_board_below_a_dialog_changes_too() -> None:
    look = Look(Palette.LIGHT, glyphs=GlyphSet.ASCII)
    wanted = await from_the_start(look)
    app = Restyling([Look()])
    async with asyncio.timeout(LIMIT_S), app.run_test(size=(80, 24)) as pilot:
        await painted(app, pilot)
        await app.push_screen(Quit())
        app.restyle(look)
        await app.pop_screen()
        app.say_look()
        assert await painted(app, pilot) == wanted


class Terminal:
    """The program on a pty, and what an emulator makes of its bytes."""

    def __init__(self, *looks: Look, **environ: str) -> None:
        self._screen = pyte.Screen(80, 24)
        self._stream = pyte.ByteStream(self._screen)
        self._program = pexpect.spawn(
            sys.executable,
            ["-P", "-m", "tests.stage.restyling", *(",".join(look) for look in looks)],
            env={**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", **environ},
            dimensions=(24, 80),
            timeout=LIMIT_S,
        )

    def shows(self, look: Look) -> "pyte.Screen":
        """The screen, once it says that all of it is painted in this look."""
        while ",".join(look) not in self._screen.display[SAID]:
            self._stream.feed(self._program.read_nonblocking(65536, timeout=LIMIT_S))
        return self._screen

    def presses(self, key: str) -> None:
        self._program.send(key)

    def ends(self) -> None:
        self._program.close(force=True)


def look_of(screen: "pyte.Screen") -> list[tuple[object, ...]]:
    """Characters with their colours; an empty cell has no colour of its own."""
    cells = (screen.buffer[y][x] for y in range(24) for x in range(80))
    return [tuple(cell) if cell.data != " " else (cell.bg, cell.reverse) for cell in cells]


def can_be_read(screen: "pyte.Screen") -> bool:
    cells = (screen.buffer[y][x] for y in range(24) for x in range(80))
    return all(cell.fg != cell.bg or cell.fg == "default" for cell in cells if cell.data != " ")


async def test_textuals_own_answer_to_no_color_would_be_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wanted = await from_the_start(Look())
    monkeypatch.setenv("NO_COLOR", "1")
    assert await from_the_start(Look()) == wanted
    monkeypatch.setattr(ClocktowersApp, "get_line_filters", App.get_line_filters)
    assert await from_the_start(Look()) != wanted


def test_a_real_terminal_shows_it_into_and_out_of_its_own_colours() -> None:
    """Under NO_COLOR, where a player has asked for colours in the program all the same."""
    native, plain, light = Look(Palette.NATIVE), Look(colours=Colours.NONE), Look(Palette.LIGHT)
    way = [plain, light, native, plain]
    wanted = {}
    for look in (light, native):
        fresh = Terminal(look, NO_COLOR="1")
        wanted[look] = look_of(fresh.shows(look))
        fresh.ends()
    terminal = Terminal(*way, NO_COLOR="1")
    wanted[plain] = look_of(terminal.shows(plain))
    for look in way:
        screen = terminal.shows(look)
        assert "Ann (you)" in screen.display[1]
        assert can_be_read(screen)
        assert look_of(screen) == wanted[look], look
        terminal.presses("y")
    terminal.ends()
    assert {cell[1] for cell in wanted[plain] if len(cell) > 2} == {"default"}
    assert len({cell[1] for cell in wanted[light] if len(cell) > 2}) > 5
