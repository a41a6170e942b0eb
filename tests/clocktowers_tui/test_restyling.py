"""Looks change during play, from each to each, and end as if they had been there at first."""

from functools import partial
from itertools import combinations, pairwise

import pytest
from rich.segment import Segment
from textual.widget import Widget
from textual.widgets import Input

from clocktowers_tui.app.app import ClocktowersApp
from clocktowers_tui.config.look import Colours, Look, Palette
from clocktowers_tui.screens.dialogs import TooSmall
from clocktowers_tui.screens.match import MatchScreen
from clocktowers_tui.screens.result import Page, Result
from clocktowers_tui.widgets.menu import Menu
from tests.games.clocktowers.stages import match
from tests.stage.eyes import PALETTES, contrast
from tests.stage.pilot import Playing, playing, sees, strips_of

LOOKS = (
    *(Look(palette) for palette in (Palette.DARK, Palette.LIGHT)),
    Look(colours=Colours.C16),
    Look(colours=Colours.NONE),
)


async def painted(player: Playing) -> list[Segment]:
    """A match, character by character as it goes to the terminal."""
    await player[1].pause()
    assert isinstance(player[0].screen, MatchScreen)
    return [
        Segment(char, part.style)
        for strip in strips_of(player[0])
        for part in strip
        for char in part.text
    ]


async def test_from_every_look_into_every_other() -> None:
    wanted = dict[Look, list[Segment]]()
    for look in LOOKS:
        async with playing(look=look, shows="Join a table") as player:
            player[0].change(match())
            wanted[look] = await painted(player)
    assert len({str(screen) for screen in wanted.values()}) == len(LOOKS)
    # The shortest way on which each look follows each other one.
    way = [*(step for pair in combinations(LOOKS, 2) for step in pair), LOOKS[0]]
    assert {pair for pair in pairwise(way)} >= {(a, b) for a in LOOKS for b in LOOKS if a != b}
    async with playing(look=way[0], shows="Join a table") as player:
        player[0].change(match())
        for look in way:
            player[0].restyle(look)
            assert await painted(player) == wanted[look], look


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


async def test_hints_and_cursors_can_be_read_in_every_palette() -> None:
    """And a row that is not enabled."""
    async with playing(shows="Join a table") as (app, pilot):
        app.action_palette()
        await sees((app, pilot), PALETTE)
        parts: list[tuple[Widget, str]] = [(app.screen.query_one(Input), "input--placeholder")]
        rows = ("option-disabled", "option-highlighted")
        parts += [(app.screen.query_one(Menu), f"option-list--{row}") for row in rows]
        for palette in PALETTES:
            app.restyle(Look(palette))
            await pilot.pause()
            for widget, part in parts:
                style = widget.get_component_rich_style(part)
                assert style.color and style.bgcolor
                pair = [one.get_truecolor().hex for one in (style.color, style.bgcolor)]
                assert contrast(*pair) >= 4.5, (palette, part, pair)
