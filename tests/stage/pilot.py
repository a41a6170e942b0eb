"""Drives the app as a player would: starts it, waits for what is on the screen, presses keys."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from typing import Any, Final
from unittest.mock import patch

from textual._context import visible_screen_stack
from textual.containers import VerticalScroll
from textual.pilot import Pilot
from textual.screen import Screen
from textual.strip import Strip

from clocktowers_tui.app.app import ClocktowersApp
from clocktowers_tui.config.look import Look
from clocktowers_tui.config.settings import Settings
from clocktowers_tui.deeds.places import ALL_ACTIONS
from clocktowers_tui.games.registry import FACES, LESSONS
from clocktowers_tui.keys.keymap import read_keymap_text
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.arrival import Arrival, arrive
from clocktowers_tui.net.lasting_link import LastingLink
from clocktowers_tui.net.seats import OwnSeat, Seat, Seats
from clocktowers_tui.net.wishes import Wish
from clocktowers_tui.new_table import FIRST_GAME
from tests.stage.late import LATE

LOOK: Final = Look()
WIDE: Final = (80, 24)
SMALL: Final = (60, 20)
# A hang must end; a loaded machine with two cores must not fail.
LIMIT_S: Final = 60

Playing = tuple[ClocktowersApp, Pilot[None]]


@asynccontextmanager
async def playing(
    wish: Wish | None = None,
    name: str = "Ann",
    size: tuple[int, int] = WIDE,
    look: Look = LOOK,
    keymap: str = "",
    at: Address | None = None,
    new: bool = False,
    painted: bool = False,
    asked: Wish | None = None,
    make: type[ClocktowersApp] = ClocktowersApp,
    shows: str | Sequence[str] = (),
) -> AsyncIterator[Playing]:
    """The app, without a terminal; with a wish it has the connection open before it starts.

    `keymap`: the text of the player's keymap file. `at`: a server that runs, where the wish would
    start one of its own; what is seen is the same. `new`: to every game, so that lessons are
    offered. `asked`: as in the app; `make`: its kind. `painted`: what changes is painted at
    once; else when a test looks, and at the end. `shows`: what is waited for first.
    """
    arrival = None
    if wish is not None and at is not None:
        arrival = Arrival(wish, await LastingLink.open(at, name, own=OwnSeat(name, Seats())))
    elif wish is not None:
        arrival = await arrive(wish, name)
    keys = read_keymap_text(keymap.encode(), ALL_ACTIONS)
    settings = Settings(name=name, lessons={} if new else dict.fromkeys(LESSONS, 0))
    app = make(settings, FACES, look, keymap=keys, arrival=arrival, asked=asked)
    try:
        with nullcontext() if painted else _painted_when_looked_at():
            async with app.run_test(size=size) as pilot:
                await _shown((app, pilot), shows)
                yield app, pilot
                if app.screen_stack:
                    seen(app)
                app._exit = True  # as when a player quits
    finally:
        await app.part()


def _painted_when_looked_at() -> AbstractContextManager[object]:
    """Without a terminal nobody sees what is painted between two looks: a fifth of the processor's
    time. Each look renders the whole screen."""
    refresh = Screen._compositor_refresh

    def wait(screen: Screen[Any]) -> None:
        if screen is not screen.app.screen or not screen.app.is_headless:
            refresh(screen)
        screen._dirty_widgets.clear()
        screen._compositor._dirty_regions.clear()
        screen.app._update_mouse_over(screen)

    return patch.object(Screen, "_compositor_refresh", wait)


def strips_of(app: ClocktowersApp) -> list[Strip]:
    """The only place that leans on Textual's compositor."""
    visible_screen_stack.set(app._background_screens)
    return app.screen._compositor.render_strips()


def seen(app: ClocktowersApp) -> str:
    """The characters on the screen."""
    strips = strips_of(app)
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


def seen_on_top(app: ClocktowersApp) -> str:
    """The same without the screen that is seen around a dialog, which cuts that screen's words; a
    text that scrolls is seen whole."""
    strips = strips_of(app)
    parts = [widget.region for widget in app.screen.children]
    if app.screen.styles.background.a:
        parts = [app.screen.region]
    rows = [
        " ".join(strip.crop(part.x, part.right).text for part in parts if part.y <= y < part.bottom)
        for y, strip in enumerate(strips)
    ]
    for long in app.screen.query(VerticalScroll):
        if long.max_scroll_y:
            rows[long.region.y : long.region.bottom] = [
                strip.text
                for child in long.children
                for strip in child.render_lines(child.size.region)
            ]
    return "\n".join(rows)


def reversed_text(app: ClocktowersApp) -> str:
    """The text on the screen in reverse video."""
    strips = strips_of(app)
    segments = [segment for strip in strips for segment in strip]
    return "".join(text for text, style, _ in segments if style is not None and style.reverse)


async def until(pilot: Pilot[None], condition: Callable[[], bool]) -> None:
    """Wait until this is true; AssertionError with the screen when it does not come."""
    with pilot.app._context():  # a pause paints only the active app's screen, and delays the others
        try:
            async with asyncio.timeout(LIMIT_S):
                while not condition():
                    await pilot.pause(0.01)
        except TimeoutError:
            assert isinstance(pilot.app, ClocktowersApp)
            raise AssertionError(f"waited in vain; seen was\n{seen(pilot.app)}") from None
        await LATE.wait()
        await pilot.pause()


async def sees(playing: Playing, *texts: str) -> None:
    """Wait until all these texts are on the screen."""
    app, pilot = playing

    def shown() -> bool:
        screen = seen(app)
        return all(text in screen for text in texts)

    await until(pilot, shown)


async def press(playing: Playing, *keys: str, shows: str | Sequence[str] = ()) -> None:
    """Press one key after the other; then wait until this text, or all of these, is seen."""
    for key in keys:
        await playing[1].press(key)
    await _shown(playing, shows)


async def _shown(playing: Playing, shows: str | Sequence[str]) -> None:
    if shows:
        await sees(playing, *([shows] if isinstance(shows, str) else shows))


async def click_on(playing: Playing, text: str) -> None:
    """The second cell of the text on the screen."""
    app, pilot = playing
    rows = seen(app).split("\n")
    y = next(y for y, row in enumerate(rows) if text in row)
    await pilot.click(offset=(rows[y].index(text) + 1, y))
    await pilot.pause()


async def keep_seat(address: Address, name: str, table: str = "ABCD") -> None:
    """On disk there is a seat at this server, in a match that the server does not know."""
    seats = Seats()
    token = "ab" * 32
    host, port = address
    kept = Seat(
        host=host, port=port, name=name, match="m", table=table, game=FIRST_GAME, token=token
    )
    await seats.keep(kept)
    seats.release()
