"""`clocktowers`: reads the command line, opens the line it asks for, shows the app."""

import asyncio
import os
import sys
from collections.abc import Sequence

from msgspec.structs import replace

from clocktowers_tui import commands, i18n, keymap_file, keys_command, settings, themes
from clocktowers_tui.app import ClocktowersApp
from clocktowers_tui.commands import PASSWORD_VARIABLE, Command
from clocktowers_tui.games.registry import ALL_ACTIONS, FACES
from clocktowers_tui.i18n import _
from clocktowers_tui.net.arrival import arrive
from clocktowers_tui.net.errors import LinkError, TurnedAway
from clocktowers_tui.phrases.faults import fault_in_words
from clocktowers_tui.settings import Settings
from protocol.errors import GoodbyeCode


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code: 0, 2 when there is no terminal or no server, 130 after Ctrl+C."""
    kept = settings.load(settings.settings_file())
    i18n.speak(kept.language)
    i18n.draw_with(themes.look(os.environ).glyphs)
    command = commands.read(sys.argv[1:] if arguments is None else arguments)
    if command.list_keys:
        return keys_command.run()
    terminals = (sys.stdin.isatty(), sys.stderr.isatty())
    if not themes.full_screen(os.environ, terminals):
        return _fail(
            _("a full-screen terminal is needed: start it in one, with TERM set and nothing piped")
        )
    try:
        return asyncio.run(_play(command, kept))
    except KeyboardInterrupt:
        return 130


async def _play(command: Command, kept: Settings) -> int:
    if command.name:
        kept = replace(kept, name=command.name)
    arrival = None
    if command.wish is not None:
        try:
            arrival = await arrive(command.wish, kept.name)
        except LinkError as error:
            return _fail(_sentence(error))
    look = themes.look(os.environ, ascii_only=command.ascii_only)
    keys = keymap_file.read(keymap_file.keymap_file(), ALL_ACTIONS)
    app = ClocktowersApp(kept, FACES, look, keys=keys, arrival=arrival)
    try:
        await app.run_async()
    finally:
        await app.depart()
    return app.return_code or 0


def _sentence(error: LinkError) -> str:
    sentence = fault_in_words(error)
    if isinstance(error, TurnedAway) and error.code == GoodbyeCode.PASSWORD:
        how = _("Put it into {variable}, or choose “Join a table” in the menu.")
        return f"{sentence} {how.format(variable=PASSWORD_VARIABLE)}"
    return sentence


def _fail(sentence: str) -> int:
    print(f"clocktowers: {sentence}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
