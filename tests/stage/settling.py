"""Waiting until Textual has done all that it has to do.

Its own pilot waits until the process seems to sleep, which on a busy machine it also does in the
middle of its work. Here what is still to do is asked for: messages, callbacks, a size that waits
for its timer, what has to be painted anew."""

import asyncio
from typing import Any, Final

from textual.app import App
from textual.pilot import Pilot
from textual.screen import Screen

# Between two looks at what waits for a timer; nothing is taken as done because it has passed.
_LOOK_S: Final = 0.001


async def settle(app: App[Any]) -> None:
    """Return when nothing is left to do; what comes by a line or a timer may still come."""
    pilot = Pilot(app)
    while True:
        everything_handled = await pilot._wait_for_screen()
        app.screen._on_timer_update()
        if not everything_handled or not _busy(app):
            return
        await asyncio.sleep(_LOOK_S)


def _busy(app: App[Any]) -> bool:
    screen: Screen[Any] = app.screen
    return (
        app._resize_timer is not None
        or bool(screen._callbacks)
        or any(
            pump.message_queue_size or pump._next_callbacks
            for pump in (app, *screen.walk_children(with_self=True))
        )
    )
