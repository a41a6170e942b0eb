"""Shows a finished match on its real board where nobody looks: no terminal, no keys, no motion.

What it paints goes into a grid of cells, as in a terminal, and can be taken from there.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final, TypeVar, cast

from textual.app import App, ComposeResult
from textual.drivers.headless_driver import HeadlessDriver
from textual.pilot import Pilot
from textual.widgets import Static

from clocktowers_tui.app.app import ClocktowersApp
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.deeds.replay import Plies
from clocktowers_tui.exporting import Drawn
from clocktowers_tui.games.registry import FACES, SPOKEN
from clocktowers_tui.games.spoken import scene
from clocktowers_tui.net.records import NoReplay, Projector
from clocktowers_tui.phrases.history import place_in_words
from clocktowers_tui.screens.ply_by_ply import PlyByPly
from clocktowers_tui.terminal.driver import CellDriver
from clocktowers_tui.terminal.grid import Grid
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.banner import Banner

_Made = TypeVar("_Made")
_BEGIN: Final = "\x1b[?1049h\x1b[?25l\x1b[?7l"
"""Full screen, no cursor, no line wrap: what the grid counts on."""
_PAINTS: Final = 2
"""The second paints what the first has laid out."""


class UnseenReplay(PlyByPly):
    """The replay without its keys, told where to go. Nobody is "you" to those who get it, and all
    hands are open. `grid`: what a terminal would show."""

    def __init__(self, client: Client, projector: Projector, grid: Grid) -> None:
        super().__init__(client, Plies(projector, None), 0)
        self.grid: Final = grid
        self._at_ms = 0

    def compose(self) -> ComposeResult:
        yield Banner()
        yield self._board
        yield Static("", id="said", markup=False)

    @property
    def last(self) -> int:
        """The number of plies."""
        return self._plies.last

    async def turn_to(self, ply: int) -> int:
        """Paint the board after so many plies; returns the match time, in milliseconds. Raises
        NoReplay."""
        self._go(ply)
        leading = [worker for worker in self.workers if worker.group == "replay"]
        await self.workers.wait_for_complete(leading)
        if self._at[0] != ply:
            raise NoReplay(_(Projector.ENDED))
        for _painted in range(_PAINTS):
            painted = asyncio.Event()
            self.call_after_refresh(painted.set)
            await painted.wait()
        return self._at_ms

    def result(self) -> list[str]:
        """How it ended, of the last ply."""
        return self._result()

    def told(self) -> list[str]:
        """The same, and what lies where, in sentences."""
        spoken = scene(SPOKEN[self._face.game], self._match.view, self._names)
        return [*self.result(), *spoken]

    def _say_where(self, at_ms: int) -> None:
        """How it ended stands in the first line, too: a picture may be all that somebody sees."""
        self._at_ms = at_ms
        place = place_in_words(self._at[0], self._plies.last)
        end = self._result()[:1] if self._at[0] == self._plies.last else []
        self.query_one(Banner).show([place, *end], self._race_time(at_ms), place)


async def staged(
    line: bytes,
    size: tuple[int, int],
    drawn: Drawn,
    work: Callable[[UnseenReplay], Awaitable[_Made]],
) -> _Made:
    """What `work` makes of the match of this record, on so many columns and rows. Raises
    NoReplay."""
    projector = await Projector.start(line)
    grid = Grid(*size, drawn.look.colours)
    grid.tell(_BEGIN)
    made: list[_Made] = []
    app = ClocktowersApp(
        drawn.settings,
        FACES,
        drawn.look,
        replays=lambda client: UnseenReplay(client, projector, grid),
        driver_class=cast(Any, partial(_Painter, grid=grid)),
    )

    async def play(pilot: Pilot[object]) -> None:
        while not isinstance(stage := app.screen, UnseenReplay):
            await pilot.pause()
        made.append(await work(stage))
        app.exit()

    try:
        await app.run_async(size=size, mouse=False, auto_pilot=play)
    finally:
        await projector.stop()
    if not made:
        raise NoReplay(_(Projector.ENDED))
    return made[0]


class _Painter(CellDriver, HeadlessDriver):
    """Lets Textual paint, into the grid."""

    def __init__(self, app: App[Any], *, grid: Grid, **given: Any) -> None:
        super().__init__(app, **given)
        self._grid = grid

    @property
    def is_headless(self) -> bool:
        return False
