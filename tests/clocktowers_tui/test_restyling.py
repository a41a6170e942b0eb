"""Looks change during play, from each to each, and end as if they had been there at first.

As a program, with looks as `palette,colours,glyphs`, this is a match that changes them: each y goes
to the next."""

import asyncio
import sys
from collections.abc import Sequence
from importlib.resources import files
from itertools import combinations, pairwise
from pathlib import Path

import pyte
from rich.segment import Segment
from textual.app import ComposeResult
from textual.pilot import Pilot
from textual.widgets import Static

from bench.pseudo_terminal import PseudoTerminal, environment
from clocktowers_tui.app.app import ClocktowersApp
from clocktowers_tui.config.look import Colours, GlyphSet, Look, Palette
from clocktowers_tui.config.settings import Settings
from clocktowers_tui.games.clocktowers.face import FACE
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.screens.screen import OurScreen
from clocktowers_tui.widgets.banner import Banner
from clocktowers_tui.widgets.key_line import Entry, KeyLine
from tests.games.clocktowers.boards import LOG, board
from tests.stage.golden_boards import NAMES
from tests.stage.pilot import LIMIT_S

SAID = 22
"""The row that says which look is shown."""

LOOKS = (
    *(Look(palette) for palette in (Palette.DARK, Palette.LIGHT, Palette.NATIVE)),
    Look(colours=Colours.C16),
    Look(colours=Colours.NONE),
)


def named(text: str) -> Look:
    palette, colours, glyphs = text.split(",")
    return Look(Palette(palette), Colours(colours), GlyphSet(glyphs))


class Seen(OurScreen[None]):
    """A banner, a board, a sentence, keys; as in a match."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.board = FACE.board(look)

    def compose(self) -> ComposeResult:
        yield Banner(id="banner")
        yield self.board
        yield Static("", id="said")
        yield KeyLine()

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(Banner).show(["Clocktowers"], "live")
        self.query_one(KeyLine).show([Entry("y", "Next")])
        view = board(4)
        self.board.show(view, NAMES, waiting=False, log=LOG)
        self.board.focus()


class Restyling(ClocktowersApp):
    CSS_PATH = str(files("clocktowers_tui") / "app" / "styles" / "app.tcss")

    def __init__(self, looks: Sequence[Look]) -> None:
        super().__init__(Settings(name="Ann"), FACES, looks[0])
        self._looks = list(looks[1:])

    async def _follow(self) -> None:
        """There is no server that could say where to go."""
        await self.push_screen(Seen(self.look))
        self.bind("y", "following")
        self.say_look()

    def action_following(self) -> None:
        if self._looks:
            self.restyle(self._looks.pop(0))
            self.say_look()

    def say_look(self) -> None:
        """Once everything else is painted, the sentence names the look."""
        said = self.screen.query_one("#said", Static)
        text = ",".join(self.look)
        self.call_after_refresh(self.call_after_refresh, said.update, text)


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


def look_of(screen: pyte.Screen) -> list[tuple[object, ...]]:
    """Characters with their colours; an empty cell has no colour of its own."""
    cells = (screen.buffer[y][x] for y in range(24) for x in range(80))
    return [tuple(cell) if cell.data != " " else (cell.bg, cell.reverse) for cell in cells]


def can_be_read(screen: pyte.Screen) -> bool:
    cells = (screen.buffer[y][x] for y in range(24) for x in range(80))
    return all(cell.fg != cell.bg or cell.fg == "default" for cell in cells if cell.data != " ")


def started(home: Path, *looks: Look) -> PseudoTerminal:
    """The program, which changes its looks, on a terminal of its own."""
    program = ["-m", "tests.clocktowers_tui.test_restyling", *(",".join(look) for look in looks)]
    return PseudoTerminal.run(program, environment(str(home)) | {"NO_COLOR": "1"})


async def test_a_real_terminal_shows_it_into_and_out_of_its_own_colours(home: Path) -> None:
    """Under NO_COLOR, where a player has asked for colours in the program all the same."""
    native, plain, light = Look(Palette.NATIVE), Look(colours=Colours.NONE), Look(Palette.LIGHT)
    way = [plain, light, native, plain]
    wanted = {}
    for look in (light, native):
        async with started(home, look) as fresh:
            await fresh.sees(",".join(look))
            wanted[look] = look_of(fresh.screen)
    async with started(home, *way) as terminal:
        for look in way:
            await terminal.sees(",".join(look))
            wanted.setdefault(look, look_of(terminal.screen))
            assert "Ann (you)" in terminal.screen.display[1]
            assert can_be_read(terminal.screen)
            assert look_of(terminal.screen) == wanted[look], look
            terminal.press("y")
    assert {cell[1] for cell in wanted[plain] if len(cell) > 2} == {"default"}
    assert len({cell[1] for cell in wanted[light] if len(cell) > 2}) > 5


if __name__ == "__main__":
    asyncio.run(Restyling([named(text) for text in sys.argv[1:]]).run_async())
