"""From a door's word to the app on the guest's terminal; to plain mode where there is no screen.

Laws: nothing in the app reaches beyond the guest's terminal, folder and server; nothing that goes
wrong shows the guest more than a sentence.
"""

import asyncio
import os
import signal
import sys
import traceback
from contextlib import nullcontext, suppress
from functools import partial
from io import StringIO
from select import select
from typing import Any, Final

from msgspec.structs import replace
from rich.console import Console
from textual.events import Event, InputEvent

from clocktowers_tui.app.app import ClocktowersApp
from clocktowers_tui.cli.command import Command, greeted
from clocktowers_tui.config import settings
from clocktowers_tui.config.files import note
from clocktowers_tui.config.settings import Settings, as_name
from clocktowers_tui.guest.settling import Idle, settle
from clocktowers_tui.net import house
from clocktowers_tui.net.address import as_code, pasted_invitation
from clocktowers_tui.net.arrival import Arrival, arrive
from clocktowers_tui.net.errors import Fault, LinkError, TurnedAway
from clocktowers_tui.net.seats import unfinished
from clocktowers_tui.phrases.codes import fault_in_words
from clocktowers_tui.phrases.friends import (
    code_in_words,
    idle_in_words,
    idle_told_in_words,
)
from clocktowers_tui.plain.client import PlainClient
from clocktowers_tui.plain.lines import Lines, Saying, hidden
from clocktowers_tui.start import on_screen
from clocktowers_tui.terminal import detect
from clocktowers_tui.terminal.guard import Guard
from clocktowers_tui.text.i18n import _
from protocol.errors import GoodbyeCode
from protocol.guests import REMEMBERED, House
from protocol.invitation import NO_SECRET, BadInvitation, decode
from protocol.text import clean


class ClosedApp(ClocktowersApp):
    """`said`: a sentence to begin with."""

    guest = True

    def __init__(self, *given: Any, said: str = "", **named: Any) -> None:
        super().__init__(*given, **named)
        if said:
            self._note(said)
        told = house.told()
        assert told is not None
        self._house: Final = told
        self.idle: Final = Idle(told.idle_s)
        self.ended_idle = False
        # What goes wrong is for the log: it shows the server's files.
        self.error_console = Console(file=StringIO(), record=True, width=100)
        self._reminded = ""
        """The match in which the guest was last told their code."""

    def on_mount(self) -> None:
        self.run_worker(self._end_when_idle(), group="idle")

    async def on_event(self, event: Event) -> None:
        if isinstance(event, InputEvent):
            self.idle.heard()
        await super().on_event(event)

    async def _end_when_idle(self) -> None:
        def warn() -> None:
            self.tell(_("Press a key, or your connection ends soon."), about="idle")

        await self.idle.until_over(warn)
        self.ended_idle = True
        self.exit()

    async def _follow(self) -> None:
        """Say in each match how to come back to it."""
        match = self.state.match
        if match is not None and self.state.seat is not None and match.id != self._reminded:
            self._reminded = match.id
            if self._house.code:
                self._note(code_in_words(self._house.code), "code")
        await super()._follow()

    # What Textual would do on the server's machine -----------------------------------------------

    def open_url(self, url: str, *, new_tab: bool = True) -> None:
        """No browser."""

    def deliver_text(self, *_given: Any, **_named: Any) -> str | None:
        """No file."""

    deliver_binary = deliver_screenshot = deliver_text

    def save_screenshot(self, *_given: Any, **_named: Any) -> str:
        """No file."""
        return ""


SIGNALLED: Final = 128
"""From here on the exit code is that of a signal."""
_NO_INVITATION: Final = (
    GoodbyeCode.INVITATION_OVER,
    GoodbyeCode.INVITATION_REVOKED,
    GoodbyeCode.INVITATION_UNKNOWN,
)
"""The guest may come in without it: by a password, or as anybody."""
TRIES: Final = 3
"""Of a name or a password; the server counts those of all lines of a guest."""


def run(told: House) -> int:
    """The exit code: 0 after the guest has left, 1 after something went wrong."""
    settle(told)
    try:
        return _run(told)
    except Exception:
        note(traceback.format_exc())
        say(_("This program has failed; connect again."))
        return 1


def _run(told: House) -> int:
    kept = greeted()
    plain = not detect.full_screen(os.environ, (os.isatty(0), os.isatty(2)))
    if plain and os.isatty(0):
        say(_("Your terminal cannot show a full screen, so you play by lines of text."))
    told = by_invitation(by_invitation(told, told.name), told.password)
    name = as_name(told.name) or kept.name or as_name(told.called or "") or _asked_name()
    if not name:
        return 0
    house.move_in(told)
    if kept.name != name:
        kept = replace(kept, name=name)
        settings.save(kept, settings.settings_file())
    if told.called is not None:
        print(REMEMBERED.format(name), end="", flush=True)
    with suppress(KeyboardInterrupt):
        return asyncio.run(_play(told, kept, plain=plain))
    return 0


def by_invitation(told: House, typed: str) -> House:
    """As if the guest had come by the invitation that they gave as their name or as the password;
    as they came where it is none. Of one that lets nobody in they read why."""
    line, is_name = pasted_invitation(typed), typed == told.name
    without = replace(
        told,
        name="" if is_name else told.name,
        password="" if told.password == typed else told.password,
    )
    try:
        invitation = decode(line)
    except BadInvitation as error:
        if not (line and is_name):
            return told
        # Most of a secret would be shown to everybody as the guest's name.
        say(fault_in_words(LinkError(Fault[f"INVITATION_{error.wrong.name}"])))
        return without
    if invitation.secret == NO_SECRET:
        say(_("That invitation only shows a finished match; it lets nobody in here."))
        return without
    table = told.table or as_code(invitation.table)
    return replace(without, table=table, invitation=invitation.secret)


def _asked_name() -> str:
    """ "" where the guest says none."""
    for _try in range(TRIES):
        if (typed := ask(_("Your name at the table:"))) is None:
            return ""
        if name := as_name(typed):
            return name
    return ""


async def _play(told: House, kept: Settings, *, plain: bool) -> int:
    arrival, said = await _arrival(told, kept.name)
    if arrival is None:
        return 1
    if plain:
        return await play_plainly(told, kept, arrival)
    make = partial(ClosedApp, said=said)
    app, status = await on_screen(make, Command(None), kept, Guard(), arrival)
    if failed := app.error_console.export_text():  # what Textual would print: for the log alone
        note(failed)
    if 0 < status < SIGNALLED:
        say(_("This program has failed; connect again."))
    elif app.ended_idle:
        say(idle_in_words(told.idle_s))
    if unfinished() and (sentence := code_in_words(told.code)):
        say(sentence)
    return status


async def _arrival(told: House, name: str) -> tuple[Arrival | None, str]:
    """The connection to the lobby, or to the table in `told`; None where it failed, which the guest
    has read. Then the sentence that the app repeats, because it covers the terminal; "" = none."""
    said = ""
    for _try in range(TRIES):
        wish = house.lobby()._replace(table=told.table, watch=told.watch)
        try:
            return await arrive(wish, name), said
        except LinkError as error:
            code = error.code if isinstance(error, TurnedAway) else None
            asked = code == GoodbyeCode.PASSWORD
            if not asked or told.password:
                say(fault_in_words(error))
            if code in _NO_INVITATION:
                said = fault_in_words(error)
                told = replace(told, invitation=b"")
                house.move_in(told)
                continue
            if not asked:
                return None, ""
        if (typed := ask(_("The server's password, or an invitation:"), secret=True)) is None:
            return None, ""
        told = by_invitation(replace(told, password=typed), typed)
        house.move_in(told)
    return None, ""


# Plain mode for a guest: line by line, with the limits of a guest.

_ENDINGS: Final = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)


class _HeardLines(Lines):
    """Tells `idle` of each line."""

    def __init__(self, descriptor: int, idle: Idle) -> None:
        super().__init__(descriptor)
        self._idle: Final = idle

    async def next(self) -> str | None:
        line = await super().next()
        self._idle.heard()
        return line


async def play_plainly(told: House, kept: Settings, arrival: Arrival) -> int:
    """The exit code."""
    idle = Idle(told.idle_s)
    saying = Saying(sys.stdout, prompts=os.isatty(0))
    look = detect.look(os.environ)
    client = PlainClient(kept, look, _HeardLines(0, idle), saying, arrival)
    for number in _ENDINGS:
        asyncio.get_running_loop().add_signal_handler(number, client.tasks.end, 128 + number)
    client.run_worker(_end_when_idle(client, told, idle), group="idle")
    return await client.tasks.while_sound(_whole(client, told))


async def _whole(client: PlainClient, told: House) -> int:
    """A guest without a key hears first and last how they come back."""
    client.say(code_in_words(told.code), idle_told_in_words(told.idle_s))
    try:
        return await client.run(None)
    finally:
        if unfinished():
            client.say(code_in_words(told.code))


async def _end_when_idle(client: PlainClient, told: House, idle: Idle) -> None:
    await idle.until_over(lambda: client.tell(_("Press Enter, or your connection ends soon.")))
    client.say(idle_in_words(told.idle_s))
    client.tasks.end(0)


# What a guest is asked before there is a screen: plain questions, a line each. What is typed behind
# an answer is left to be read later.


PATIENCE_S: Final = 60.0
"""For an answer. A line without one keeps a process busy for nothing."""
_KEYBOARD: Final = 0
_MOST_BYTES: Final = 1024


def say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def ask(question: str, *, secret: bool = False) -> str | None:
    """The answer, cleaned unless it is `secret`; None: the guest has gone, or says nothing."""
    with hidden(_KEYBOARD) if secret else nullcontext():
        print(f"{question} ", end="", file=sys.stderr, flush=True)
        typed = _line()
    if secret:
        say("")
    if not typed:
        return None
    line = typed.decode("utf-8", "replace").rstrip("\r\n")
    return line if secret else clean(line)


def _line() -> bytes:
    """b"" where none comes."""
    typed = b""
    while not typed.endswith(b"\n") and len(typed) < _MOST_BYTES:
        if not select([_KEYBOARD], [], [], PATIENCE_S)[0]:
            return b""
        if not (byte := os.read(_KEYBOARD, 1)):
            break
        typed += byte
    return typed
