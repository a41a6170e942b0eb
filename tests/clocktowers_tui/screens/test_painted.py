"""What a key leads to is painted once, not after every layout and every message on its way. A new
screen that has the focus is painted once more."""

import asyncio
import gc
from collections.abc import Awaitable, Callable
from functools import lru_cache
from weakref import ref

import pytest
from textual._compositor import Compositor
from textual._styles_cache import StylesCache
from textual._time import sleep
from textual.screen import Screen

from clocktowers_tui.app import styled
from clocktowers_tui.screens.dialogs import Question
from clocktowers_tui.screens.painted import GROUNDS, PaintedOnce
from clocktowers_tui.widgets.menu import Row
from clocktowers_tui.widgets.panel import Panel
from tests.games.clocktowers.stages import match
from tests.stage.pilot import Playing, playing, press, sees, until

FRAME_S = 1000.0
"""Longer than any busy machine takes for all that a key leads to."""
KEYS = ("1", "right", "right", "1")
"""Each changes the board, and the sentence or the key line."""


class Painted:
    """Every update that changes the screen; a frame is over when `frames` says so."""

    def __init__(self) -> None:
        self.updates: list[object] = []
        self._over = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        """As Textual's timers do."""
        if seconds < FRAME_S / 2:
            await sleep(seconds)
        else:
            await self._over.wait()

    async def frames(self, player: Playing) -> None:
        """Each is over when all that was under way in it is done; in the last nothing is due."""
        app, pilot = player
        due = True
        while due:
            await pilot.pause()
            due = app.screen._update_timer._active.is_set()
            self._over.set()
            self._over = asyncio.Event()


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> Painted:
    painted = Painted()
    render = Compositor.render_update

    def rendered(compositor: Compositor, **how: object) -> object:
        update = render(compositor, **how)  # type: ignore[arg-type]
        painted.updates.extend([update] if update is not None else [])
        return update

    monkeypatch.setattr(Compositor, "render_update", rendered)
    monkeypatch.setattr("textual.screen.UPDATE_PERIOD", FRAME_S)
    monkeypatch.setattr("textual.timer.sleep", painted.sleep)
    return painted


async def opening_the_settings(painted: Painted) -> int:
    async with playing(painted=True) as player:
        await sees(player, "Join a table")
        await painted.frames(player)
        painted.updates.clear()
        await press(player, "S")
        await sees(player, "Settings", "Language")
        await painted.frames(player)
        return len(painted.updates)


async def choosing(painted: Painted) -> int:
    async with playing(painted=True) as player:
        player[0].change(match())
        await painted.frames(player)
        await sees(player, "Your turn")
        painted.updates.clear()
        for key in KEYS:
            await press(player, key)
            await painted.frames(player)
        return len(painted.updates)


@pytest.mark.parametrize(
    ("does", "most", "part"),
    [(opening_the_settings, 2, "_refresh_layout"), (choosing, len(KEYS), "_on_timer_update")],
)
async def test_a_key_is_painted_once(
    does: Callable[[Painted], Awaitable[int]],
    most: int,
    part: str,
    painted: Painted,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert await does(painted) <= most
    monkeypatch.setattr(PaintedOnce, part, getattr(Screen, part))
    assert await does(painted) > most


async def keeps_what_is_closed() -> bool:
    """Whether what a closed dialog has painted stays in memory after the next one."""
    painted = []
    async with playing() as player:
        app, pilot = player
        await sees(player, "Join a table")
        for _dialog in range(3):
            await app.push_screen(Question("Title", ["Sentence"], [Row("a", "Answer")]))
            await sees(player, "Sentence")
            painted.append(ref(app.screen.query_one(Panel)._styles_cache))
            await press(player, "enter")
            await until(pilot, lambda: not isinstance(app.screen, Question))
            await pilot.pause()
        gc.collect()
        return painted[0]() is not None


async def test_what_a_closed_dialog_has_painted_is_forgotten() -> None:
    assert not await keeps_what_is_closed()


async def test_a_memory_of_closed_widgets_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """As Textual has it."""
    with_widgets = lru_cache(1024)(GROUNDS.__wrapped__.func)
    monkeypatch.setattr(styled, "forget_closed_widgets", lambda: None)
    monkeypatch.setattr(StylesCache, "get_inner_outer", with_widgets)
    assert await keeps_what_is_closed()
