"""Looks change during play, from each to each, and end as if they had been there at first."""

import asyncio
from collections.abc import Sequence
from functools import partial
from importlib.resources import files
from itertools import combinations, pairwise

import pytest
from rich.segment import Segment
from textual.app import ComposeResult
from textual.pilot import Pilot
from textual.widgets import Static

from clocktowers_tui.app.app import ClocktowersApp
from clocktowers_tui.config.look import Colours, Look, Palette
from clocktowers_tui.config.settings import Settings
from clocktowers_tui.games.clocktowers.face import FACE
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.screens.bound_actions import Entry, KeyLine
from clocktowers_tui.screens.dialogs import TooSmall
from clocktowers_tui.screens.result import Page, Result
from clocktowers_tui.screens.screen import OurScreen
from clocktowers_tui.widgets.banner import Banner
from tests.games.clocktowers.boards import LOG, board
from tests.stage.golden_boards import NAMES
from tests.stage.pilot import LIMIT_S, playing, sees, strips_of

SAID = 22
"""The row that says which look is shown."""

LOOKS = (
    *(Look(palette) for palette in (Palette.DARK, Palette.LIGHT)),
    Look(colours=Colours.C16),
    Look(colours=Colours.NONE),
)


class Seen(OurScreen[None]):
    """A banner, a board, a sentence, keys; as in a match."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.board = FACE.board(look)

    def compose(self) -> ComposeResult:
        yield Banner()
        yield self.board
        yield Static("", id="said")
        yield KeyLine()

    def restyle(self, look: Look) -> None:
        self.board.restyle(look)

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
    assert len({str(screen) for screen in wanted.values()}) == len(LOOKS)
    way = every_step()
    assert {pair for pair in pairwise(way)} >= {(a, b) for a in LOOKS for b in LOOKS if a != b}
    app = Restyling(way)
    async with asyncio.timeout(LIMIT_S), app.run_test(size=(80, 24)) as pilot:
        for look in way[1:]:
            app.action_following()
            assert await painted(app, pilot) == wanted[look], look


def top_row(app: ClocktowersApp) -> list[tuple[str, object, object]]:
    """Character by character, with ink and ground."""
    parts = [(part.text, part.style) for part in strips_of(app)[0] if part.style is not None]
    return [(char, style.color, style.bgcolor) for text, style in parts for char in text]


PALETTE, RESULT, SMALL = "Type a part", "Look at the board", "Make this window larger"


@pytest.mark.parametrize(
    ("palette", "what", "dims"),
    [
        (Palette.DARK, PALETTE, True),
        (Palette.NATIVE, PALETTE, False),  # nobody knows the terminal's own colours
        (Palette.DARK, RESULT, False),  # it covers everything
        (Palette.DARK, SMALL, False),  # it covers everything
    ],
)
async def test_where_bytes_cost_nothing_a_dialog_dims_what_lies_below(
    palette: Palette, what: str, dims: bool
) -> None:
    rows = dict[bool, list[tuple[str, object, object]]]()
    for near in (False, True):
        make, look = partial(ClocktowersApp, near=near), Look(palette)
        async with playing(make=make, look=look, shows="Join a table") as player:  # type: ignore[arg-type]
            app = player[0]
            page = Page(RESULT, "", lambda width: [])
            if what == PALETTE:
                app.action_palette()
            else:
                result = Result(app, page)
                app.push_screen(TooSmall(200, 60) if what == SMALL else result)
            await sees(player, what)
            rows[near] = top_row(app)
    assert [char for char, *_inks in rows[True]] == [char for char, *_inks in rows[False]]
    assert (rows[True] != rows[False]) == dims
