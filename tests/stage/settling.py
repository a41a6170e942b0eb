"""Waiting until Textual has done everything that it has to do.

Textual's own pilot waits until the process seems to sleep, which it also does in the middle of its
work on a busy machine, and sends every widget a message to see whether it answers. Here we look:
a widget that waits for its next message has handled everything that came before."""

import asyncio
from collections.abc import Iterator
from typing import Any, Final

from textual._queue import Queue
from textual.app import App
from textual.message_pump import MessagePump

# Between two looks at what waits for a timer or a thread; nothing counts as done because it passed.
_LOOK_S: Final = 0.001
_LIMIT_S: Final = 60
_ON_ITS_WAY: Final = 3
"""Turns of the loop until a key that the driver sends is in the queue: a call, a task, the put."""
_TURNS: Final = 100
"""How often we look again at once; a widget that takes longer waits for something else."""


async def settle(app: App[Any]) -> None:
    """Return when nothing is left to do; what comes by a line or a timer may still come.

    Raises TimeoutError, with who waits for what, when a widget never gets to its next message.
    """
    for _ in range(_ON_ITS_WAY):
        await asyncio.sleep(0)
    try:
        async with asyncio.timeout(_LIMIT_S):
            await _all_done(app)
    except TimeoutError:
        raise TimeoutError("\n".join(_waits(app))) from None


def _waits(app: App[Any]) -> Iterator[str]:
    """Everything that keeps the app from being done."""
    screen = app.screen
    yield f"resizing: {app._resize_timer}, batch: {app._batch_count}, {screen._callbacks}"
    for pump in filter(_is_busy, _pumps(app)):
        at: Any = None if pump._task is None else pump._task.get_coro()
        calls = []
        while hasattr(at, "cr_await"):
            calls.append(at.__qualname__)
            at = at.cr_await
        yield f"{pump!r} in {' > '.join(calls)} for {at!r}, to do: {pump._next_callbacks}"


async def _all_done(app: App[Any]) -> None:
    while _lives(app) and app._screen_stacks[app.current_mode]:
        if any([await _worked(app, pump) for pump in _pumps(app)]):
            continue
        app.screen._on_timer_update()
        if app._resize_timer is not None or app.screen._callbacks:
            await asyncio.sleep(_LOOK_S)
        elif not any(_is_busy(pump) for pump in _pumps(app)):
            return


def _lives(app: App[Any]) -> bool:
    return app._exception is None and app._running


def _pumps(app: App[Any]) -> Iterator[MessagePump]:
    return iter((app, *app.screen.walk_children(with_self=True)))


async def _worked(app: App[Any], pump: MessagePump) -> bool:
    """Wait until the widget has handled all it was sent; whether there was anything."""
    turns = 0
    while _lives(app) and _is_busy(pump):
        await asyncio.sleep(0 if turns < _TURNS else _LOOK_S)
        turns += 1
    return turns > 0


def _is_busy(pump: MessagePump) -> bool:
    if pump._closed or (pump._task is not None and pump._task.done()):
        return False
    queue: Queue[Any] = pump._message_queue
    waits = any(not waiter.done() for waiter in queue.ready_event._waiters)
    return not waits or not queue.empty() or bool(pump._next_callbacks)
