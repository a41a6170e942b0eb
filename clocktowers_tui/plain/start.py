"""From a command line to plain mode."""

import asyncio
import os
import sys

from clocktowers_tui.cli.beginning import Begun, encoding
from clocktowers_tui.cli.command import STOPPED, fail
from clocktowers_tui.plain.client import NoWay, PlainClient
from clocktowers_tui.plain.lines import Lines, Saying
from clocktowers_tui.terminal import detect
from clocktowers_tui.text.i18n import _


def start(begun: Begun, *, chosen: bool) -> int:
    """The exit code of the program. `chosen`: the player wants no screen; else there is none."""
    if not chosen:
        said = _(
            "no terminal for a screen, so this is plain mode. --plain chooses it, --full-screen "
            "the screen; over SSH the screen needs: ssh -t HOST clocktowers"
        )
        print(f"clocktowers: {said}", file=sys.stderr, flush=True)
    try:
        return asyncio.run(_play(begun))
    except KeyboardInterrupt:
        return STOPPED


async def _play(begun: Begun) -> int:
    look = detect.look(os.environ, encoding=encoding())
    saying = Saying(sys.stdout, prompts=sys.stdin.isatty() and sys.stdout.isatty())
    client = PlainClient(begun.settings, look, Lines(sys.stdin.fileno()), saying)
    return await client.tasks.while_sound(_whole(client, begun))


async def _whole(client: PlainClient, begun: Begun) -> int:
    """To the end; a seat in a match that goes on is kept."""
    try:
        return await client.run(begun.command.wish, begun.command.replays)
    except NoWay as error:
        return fail(str(error))
    finally:
        await client.part()
