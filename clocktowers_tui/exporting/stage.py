"""Shows a finished match on its real board where nobody looks: no terminal, no keys, no motion.

What it paints goes into a grid of cells, as in a terminal, and can be taken from there.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, ClassVar, Final, NamedTuple, TypeVar

from rich.color import ColorSystem
from textual.app import App, ComposeResult
from textual.drivers.headless_driver import HeadlessDriver
from textual.pilot import Pilot
from textual.widgets import Static

from clocktowers_tui.app.app import ClocktowersApp
from clocktowers_tui.config.look import Look
from clocktowers_tui.config.settings import Settings
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.games.registry import FACES, SPOKEN
from clocktowers_tui.games.spoken import scene
from clocktowers_tui.net.records import NoReplay, Projector
from clocktowers_tui.phrases.history import place_in_words
from clocktowers_tui.screens.replay import ReplayScreen
from clocktowers_tui.terminal import guard
from clocktowers_tui.terminal.grid import Grid
from clocktowers_tui.widgets.banner import Banner

_Made = TypeVar("_Made")
_BEGIN: Final = "\x1b[?1049h\x1b[?25l\x1b[?7l"
"""Full screen, no cursor, no line wrap: what the grid counts on."""


class Performance(NamedTuple):
    """What is shown: a record; in which size in cells, and how it looks."""

    line: bytes
    size: tuple[int, int]
    look: Look
    settings: Settings


class Stage:
    """A match on its board; `last`: the number of its plies."""

    def __init__(self, app: ClocktowersApp, screen: "_Shown", grid: Grid) -> None:
        self._app, self._screen, self._grid = app, screen, grid
        self.last: Final = screen.last

    async def turn_to(self, ply: int) -> int:
        """Paint the board after so many plies; returns the match time, in milliseconds. Raises
        NoReplay."""
        await self._screen.turn_to(ply)
        for _painted in range(_PAINTS):
            painted = asyncio.Event()
            self._screen.call_after_refresh(painted.set)
            await painted.wait()
        return self._screen.at_ms

    def sent(self) -> str:
        """What a terminal would have been sent since it was asked last."""
        return self._grid.flush()

    def text(self) -> list[str]:
        """The lines that are seen, without blanks at their ends."""
        return [line.rstrip() for line in self._grid.text()]

    def result(self) -> list[str]:
        """How it ended, of the last ply."""
        return self._screen.result()

    def told(self) -> list[str]:
        """The same, and what lies where, in sentences."""
        return [*self.result(), *self._screen.spoken()]

    def svg(self, title: str) -> str:
        return self._app.export_screenshot(title=title)


_PAINTS: Final = 2
"""The second paints what the first has laid out."""


async def staged(show: Performance, work: Callable[[Stage], Awaitable[_Made]]) -> _Made:
    """What `work` makes of the match. Raises NoReplay."""
    projector = await Projector.start(show.line)
    grid = Grid(*show.size, show.look.colours)
    grid.tell(_BEGIN)
    made: list[_Made] = []
    app = ClocktowersApp(
        show.settings,
        FACES,
        show.look,
        replays=lambda client: _Shown(client, projector),
        driver_class=_driver(grid),
    )

    async def play(pilot: Pilot[object]) -> None:
        while not isinstance(screen := app.screen, _Shown):
            await pilot.pause()
        made.append(await work(Stage(app, screen, grid)))
        app.exit()

    try:
        await app.run_async(size=show.size, mouse=False, auto_pilot=play)
    finally:
        await projector.stop()
    if not made:
        raise NoReplay("")
    return made[0]


class _Shown(ReplayScreen):
    """The replay without its keys, told where to go. Nobody is "you" to those who get it, and all
    hands are open."""

    def __init__(self, client: Client, projector: Projector) -> None:
        super().__init__(client, projector, None)
        self.at_ms = 0

    @property
    def last(self) -> int:
        return self._last

    def compose(self) -> ComposeResult:
        yield Banner(id="banner")
        yield self._board
        yield Static("", id="said", markup=False)

    async def turn_to(self, ply: int) -> None:
        """Raises NoReplay."""
        self._go(ply)
        leading = [worker for worker in self.workers if worker.group == "replay"]
        await self.workers.wait_for_complete(leading)
        if self._at[0] != ply:
            raise NoReplay("")

    def result(self) -> list[str]:
        return self._result()

    def spoken(self) -> list[str]:
        """What lies where."""
        return scene(SPOKEN[self._face.game], self._match.view, self._names)

    def _say_where(self, at_ms: int) -> None:
        """How it ended stands in the first line, too: a picture may be all that somebody sees."""
        self.at_ms = at_ms
        place = place_in_words(self._at[0], self._last)
        end = self._result()[:1] if self._at[0] == self._last else []
        self.query_one(Banner).show([place, *end], self._race_time(at_ms), place)


def _driver(grid: Grid) -> type[HeadlessDriver]:
    class Driver(HeadlessDriver):
        """Lets Textual paint, into the grid."""

        cells: ClassVar[Grid] = grid

        def __init__(self, app: App[Any], **given: Any) -> None:
            super().__init__(app, **given)
            app.console._color_system = ColorSystem.TRUECOLOR  # as before a terminal

        @property
        def is_headless(self) -> bool:
            return False

        def write(self, data: str) -> None:
            if data not in guard.WISHES and not guard.COPIED.fullmatch(data):
                self.cells.feed(data)

    return Driver
