"""What a key leads to is painted once, not after every layout and every message on its way. A new
screen that has the focus is painted once more."""

import gc
from collections.abc import Awaitable, Callable
from functools import lru_cache
from unittest.mock import patch
from weakref import ref

import pytest
from textual._compositor import Compositor
from textual._styles_cache import StylesCache
from textual.screen import Screen

from clocktowers_tui.app import styled
from clocktowers_tui.screens.dialogs import Question
from clocktowers_tui.screens.painted import GROUNDS, PaintedOnce
from clocktowers_tui.widgets.menu import Row
from clocktowers_tui.widgets.panel import Panel
from tests.games.clocktowers.key_scenes import match
from tests.stage.pilot import LIMIT_S, playing, press, sees, until

KEYS = ("1", "right", "right", "1")
"""Each changes the board, and the sentence or the key line."""

Paints = list[object]


@pytest.fixture
def paints(monkeypatch: pytest.MonkeyPatch) -> Paints:
    """Every update that changes the screen."""
    found: Paints = []
    render = Compositor.render_update

    def rendered(compositor: Compositor, **how: object) -> object:
        update = render(compositor, **how)  # type: ignore[arg-type]
        found.extend([update] if update is not None else [])
        return update

    monkeypatch.setattr(Compositor, "render_update", rendered)
    return found


async def opening_the_settings(paints: Paints) -> None:
    """With a frame that no busy machine exceeds: what is due is painted when all else is done."""
    with patch("textual.screen.UPDATE_PERIOD", LIMIT_S):
        async with playing(painted=True) as player:
            await sees(player, "Join a table")
            paints.clear()
            await press(player, "S")
            await sees(player, "Settings", "Language")


async def choosing(paints: Paints) -> None:
    async with playing(painted=True) as player:
        player[0].change(match())
        await sees(player, "Your turn")
        paints.clear()
        await press(player, *KEYS)


@pytest.mark.parametrize(
    ("does", "most", "part"),
    [(opening_the_settings, 2, "_refresh_layout"), (choosing, len(KEYS), "_on_timer_update")],
)
async def test_a_key_is_painted_once(
    does: Callable[[Paints], Awaitable[None]],
    most: int,
    part: str,
    paints: Paints,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A busy machine may need more than a frame, but not at every try.
    for _ in range(5):
        await does(paints)
        if len(paints) <= most:
            break
    assert len(paints) <= most
    monkeypatch.setattr(PaintedOnce, part, getattr(Screen, part))
    await does(paints)
    assert len(paints) > most


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
