"""A finished match as others see it on its board: as text, as a picture, as a recording."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from html import escape, unescape
from itertools import chain, pairwise
from typing import Any, Final, NamedTuple, TypeVar

from textual.app import App, ComposeResult
from textual.drivers.headless_driver import HeadlessDriver
from textual.pilot import Pilot
from textual.widgets import Static

from clocktowers_tui.app.app import ClocktowersApp
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.deeds.replay import Plies
from clocktowers_tui.exporting import Drawn
from clocktowers_tui.games.registry import FACES, SPOKEN
from clocktowers_tui.games.spans import wrapped
from clocktowers_tui.games.spoken import scene
from clocktowers_tui.history import Unwritten, Written, matches
from clocktowers_tui.history.matches import Kept
from clocktowers_tui.net.records import NoReplay, Projector
from clocktowers_tui.phrases.history import (
    game_in_words,
    place_in_words,
    scores_in_words,
    when_in_words,
)
from clocktowers_tui.screens.ply_by_ply import PlyByPly
from clocktowers_tui.terminal.driver import CellDriver
from clocktowers_tui.terminal.grid import Grid
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.banner import Banner
from protocol.text import cells, clean

_Made = TypeVar("_Made")
USUAL: Final = (80, 24)
LARGE: Final = (120, 40)
"""A picture has the room of the documents' larger ones."""
_BASELINE: Final = re.compile(r'(<text class="[^"]*-r\d+"[^>]* y=")([\d.]+)')
_RUN: Final = re.compile(
    r'(<text class="[^"]*-r\d+" x="([\d.]+)"[^>]*) textLength="[^"]*"([^>]*>)([^<]*)'
)
_CELL_PX: Final = 12.2
"""How wide Textual draws a cell."""
FONTS: Final = "DejaVu Sans Mono, Menlo, Consolas, monospace"
TITLE_FONTS: Final = "Arial, DejaVu Sans, sans-serif"

# A match on its real board where nobody looks: no terminal, no keys, no motion. What it paints goes
# into a grid of cells, as in a terminal, and can be taken from there.


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
    one: Kept, drawn: Drawn, size: tuple[int, int], work: Callable[[UnseenReplay], Awaitable[_Made]]
) -> _Made:
    """What `work` makes of the match, on so many columns and rows. Raises NoReplay."""
    projector = await Projector.start(matches.line_of(one.head.id))
    grid = Grid(*size, drawn.look.colours)
    grid.tell(_BEGIN)
    made: list[_Made] = []
    driver: Any = partial(_Painter, grid=grid)
    app = ClocktowersApp(
        drawn.settings,
        FACES,
        drawn.look,
        replays=lambda client: UnseenReplay(client, projector, grid),
        driver_class=driver,
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


# What is made of it.


def as_text(one: Kept, drawn: Drawn) -> str:
    """What was played, how it ended, the final board, and what its short forms mean. Raises
    NoReplay."""

    async def work(stage: UnseenReplay) -> list[str]:
        await stage.turn_to(stage.last)
        meant = chain.from_iterable(
            wrapped(line, USUAL[0]) for line in FACES[one.head.game].notation(drawn.look)
        )
        return [*stage.result(), "", *stage.grid.text(), "", *meant]

    seen = asyncio.run(staged(one, drawn, USUAL, work))
    head = "  ".join((game_in_words(one), when_in_words(one), scores_in_words(one)))
    lines = [head, "", *seen]
    return "\n".join(line.rstrip() for line in lines).rstrip() + "\n"


def as_svg(one: Kept, drawn: Drawn) -> str:
    """The final board, and what it shows in words for those who cannot see it. Raises NoReplay."""

    async def work(stage: UnseenReplay) -> str:
        await stage.turn_to(stage.last)
        return described(stage.app.export_screenshot(title=_title(one)), _title(one), stage.told())

    svg = with_own_fonts(asyncio.run(staged(one, drawn, LARGE, work)))
    return _RUN.sub(_in_cells, _seamless(svg)) + "\n"


def as_png(one: Kept, drawn: Drawn) -> Written:
    """The same picture in dots, with the fonts of this machine; not every machine has the library
    that draws it. Raises NoReplay."""
    try:
        from resvg_py import svg_to_bytes  # seldom used
    except ImportError as error:
        said = _("A PNG needs {library}, which is not installed here: install it, or take the SVG.")
        return Unwritten(said.format(library=error.name))
    return svg_to_bytes(svg_string=as_svg(one, drawn))


def _seamless(svg: str) -> str:
    """Textual cuts each row off 1.45 px below the top of its letters, and they end above the next
    row, so that drawings have seams: let them begin where the row does, and fill it."""
    svg = svg.replace("font-size: 20px", "font-size: 21.5px")
    return _BASELINE.sub(lambda found: f"{found[1]}{round(float(found[2]) + 1.45, 2)}", svg)


def _in_cells(run: re.Match[str]) -> str:
    """Each letter at its own cell: where the font is another, and programs do not stretch a text to
    its length, letters would else run into the next text."""
    x, letters = float(run[2]), ""
    for letter in unescape(run[4]):
        seen = escape(letter)
        if wide := cells(letter):
            letters += seen if letter.isspace() else f'<tspan x="{round(x, 1)}">{seen}</tspan>'
            x += wide * _CELL_PX
        else:
            letters += seen
    return f"{run[1]}{run[3]}{letters}"


def described(svg: str, title: str, sentences: Sequence[str]) -> str:
    """With a name and a description, which screen readers say."""
    said = " ".join(" ".join(sentences).split())
    begins, mark, rest = svg.partition(">")
    words = f"<title>{escape(title)}</title><desc>{escape(said)}</desc>"
    return f'{begins} role="img"{mark}{words}{rest}'


def with_own_fonts(svg: str) -> str:
    """Textual's picture names fonts on somebody's server, and a picture should not ask there."""
    svg = re.sub(r"@font-face\s*{[^}]*}", "", svg)
    return svg.replace("Fira Code", FONTS).replace(
        "font-family: arial", f"font-family: {TITLE_FONTS}"
    )


def as_cast(one: Kept, drawn: Drawn, drew: Callable[[int, int], None]) -> str:
    """The whole match, ply by ply. `drew`: told after each how many there are by now, of how many.
    Raises NoReplay."""

    async def work(stage: UnseenReplay) -> list[CastFrame]:
        frames = []
        for ply in range(stage.last + 1):
            frames.append(CastFrame(await stage.turn_to(ply), stage.grid.flush()))
            drew(ply, stage.last)
        return frames

    frames = asyncio.run(staged(one, drawn, USUAL, work))
    return cast(frames, USUAL, _title(one), one.ended_at)


def _title(one: Kept) -> str:
    """Without the points: a recording tells them at its end."""
    names = ", ".join(clean(seat.name) for seat in one.head.seats)
    return f"{game_in_words(one)}: {names}"


# An asciinema recording, version 2: a header, then a line for each time something is seen
# (https://docs.asciinema.org/manual/asciicast/v2/).

LEAST_S: Final = 0.8
MOST_S: Final = 3.0
"""A ply takes as long as in the match, but no less and no more than this: to be read."""
_END_S: Final = 3.0
"""The result stays so long, before a player begins again."""
_ENDED: Final = "\x1b[m\x1b[?7h\x1b[?1049l\x1b[?25h"
"""The terminal is as before: no full screen any more, lines wrap, the cursor is seen."""


class CastFrame(NamedTuple):
    """`at_ms`: match time. `sent`: what a terminal is sent."""

    at_ms: int
    sent: str


def cast(frames: Sequence[CastFrame], size: tuple[int, int], title: str, ended_at: int) -> str:
    """All its lines. `frames`: at least one."""
    width, height = size
    header = {
        "version": 2,
        "width": width,
        "height": height,
        "timestamp": ended_at,
        "title": title,
        "env": {"TERM": "xterm-256color"},
    }
    times_s = _times_s([frame.at_ms for frame in frames])
    events = [[at_s, "o", frame.sent] for at_s, frame in zip(times_s, frames, strict=True)]
    last = [round(times_s[-1] + _END_S, 3), "o", _ENDED]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in [header, *events, last])


def _times_s(match_times_ms: Sequence[int]) -> list[float]:
    """When each is seen, from 0 on."""
    times_s = [0.0]
    for before_ms, at_ms in pairwise(match_times_ms):
        step_s = min(max((at_ms - before_ms) / 1000, LEAST_S), MOST_S)
        times_s.append(round(times_s[-1] + step_s, 3))
    return times_s
