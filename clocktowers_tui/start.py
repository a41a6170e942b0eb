"""From what a command line asks for to the app on the screen, with the connection open."""

import asyncio
import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from textual.screen import Screen

from clocktowers_tui.app.app import ClocktowersApp
from clocktowers_tui.cli.command import STOPPED, Command, encoding, fail
from clocktowers_tui.config import settings
from clocktowers_tui.config.settings import Settings
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.keys.actions import Action
from clocktowers_tui.keys.keymap import keymap_file, read_keymap
from clocktowers_tui.net import errors, trust, wishes
from clocktowers_tui.net.house import is_guest
from clocktowers_tui.phrases import NotDone, codes
from clocktowers_tui.terminal import detect
from clocktowers_tui.terminal.driver import for_terminal
from clocktowers_tui.terminal.guard import Guard
from clocktowers_tui.text.i18n import _

if TYPE_CHECKING:
    from clocktowers_tui.net.arrival import Arrival


def start(command: Command, kept: Settings, guard: Guard | None) -> int:
    """The exit code of the program. `guard` None: there is no terminal to be used."""
    if guard is None:
        return fail(
            _("start this in a terminal, not in a pipe; over SSH, type: ssh -t HOST clocktowers")
        )
    try:
        return asyncio.run(_play(command, kept, guard))
    except KeyboardInterrupt:
        return STOPPED


async def _play(command: Command, kept: Settings, guard: Guard) -> int:
    arrival = replays = mailed = None
    asked: wishes.Wish | None = None
    if command.replays:
        try:
            if isinstance(command.replays, str):
                replays = await _replaying(command.replays)
            else:
                from clocktowers_tui.deeds.by_mail import by_mail
                from clocktowers_tui.screens.what_if import ByMailScreen

                mailed = await by_mail(command.replays, settings.called(kept))
                replays = partial(ByMailScreen, trial=mailed)
        except NotDone as error:
            return fail(str(error))
    wish = command.wish
    if wish is not None and not kept.name and isinstance(wish, wishes.Host | wishes.Visit):
        asked = wish  # the player says on the screen who they are
    elif wish is not None:
        from clocktowers_tui.net.arrival import arrive, held

        name = settings.called(kept)
        try:
            if isinstance(wish, wishes.Visit) and not wish.table and held(wish, name):
                asked = wish  # the player says on the screen to which table
            else:
                arrival = await arrive(wish, name)
        except errors.LinkError as error:
            if not trust.asks_password(error):
                return fail(codes.fault_in_words(error))
            asked = wish  # the player types it on the screen
        else:
            own = arrival and arrival.server
            if own is not None and own.ways.invitation:
                from clocktowers_tui.phrases.friends import printed_in_words

                print(printed_in_words(own.friends, own.ways), flush=True)
    _app, status = await on_screen(ClocktowersApp, command, kept, guard, arrival, asked, replays)
    if mailed is not None:
        print(*filter(None, (mailed.sends(), mailed.left())), sep="\n", flush=True)
    return status


_App = TypeVar("_App", bound=ClocktowersApp)


async def on_screen(
    make: Callable[..., _App],
    command: Command,
    kept: Settings,
    guard: Guard,
    arrival: "Arrival | None",
    asked: "wishes.Wish | None" = None,
    replays: Callable[[Client], Screen[Any]] | None = None,
) -> tuple[_App, int]:
    """Run the app until it ends; returns it and the exit code."""
    able = detect.look(
        os.environ, encoding=encoding(), colours=command.colours, glyphs=command.glyphs
    )
    # Flags stand above settings, those above what the terminal says of itself.
    wished = command.colours or kept.colours, command.glyphs or kept.glyphs
    look = able.wished(kept.palette, *wished)
    keymap = read_keymap(keymap_file(), _known)
    app = make(
        kept,
        FACES,
        look,
        able=able,
        keymap=keymap,
        arrival=arrival,
        asked=asked,
        finds=command.finds,
        replays=replays,
        driver_class=for_terminal(guard, look),
        near=detect.near(os.environ) and not is_guest(),
    )
    try:
        await app.run_async(mouse=command.mouse)
    finally:
        await app.part(hold_seat=True)
    return app, app.return_code or 0


def _known() -> Sequence[Action]:
    """Of a keymap; only who has one waits until all places are loaded."""
    from clocktowers_tui.deeds.places import ALL_ACTIONS

    return ALL_ACTIONS


async def _replaying(match: str) -> Callable[[Client], Screen[Any]]:
    """What makes the screen of a replay. Raises NotDone."""
    from clocktowers_tui.deeds.finished import find
    from clocktowers_tui.deeds.replay import Replay
    from clocktowers_tui.net.records import Projector
    from clocktowers_tui.screens.replay import ReplayScreen

    record = await find(match)
    projector = await Projector.start(record.line)
    return lambda client: ReplayScreen(client, Replay(client, projector, record))
