"""A screen that comes up is painted once, not after every layout it goes through."""

import pytest
from textual._compositor import Compositor
from textual.screen import Screen

from clocktowers_tui.screens.painted import PaintedOnce
from tests.stage.pilot import playing, press, sees


async def paints(monkeypatch: pytest.MonkeyPatch) -> int:
    """How many it takes to open the settings."""
    count, render = 0, Compositor.render_update

    def rendered(compositor: Compositor, **how: object) -> object:
        nonlocal count
        count += 1
        return render(compositor, **how)  # type: ignore[arg-type]

    async with playing(painted=True) as player:
        await sees(player, "Join a table")
        monkeypatch.setattr(Compositor, "render_update", rendered)
        await press(player, "S")
        await sees(player, "Settings", "Language")
    return count


async def test_the_settings_are_painted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    # A busy machine may need more than one frame, but not at every try.
    for _ in range(5):
        if (count := await paints(monkeypatch)) <= 2:
            break
    assert count <= 2
    monkeypatch.setattr(PaintedOnce, "_refresh_layout", Screen._refresh_layout)
    assert await paints(monkeypatch) > 2
