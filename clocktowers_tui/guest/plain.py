"""Plain mode for a guest: line by line, with the limits of a guest."""

import asyncio
import os
import signal
import sys
from typing import Final

from clocktowers_tui.config.settings import Settings
from clocktowers_tui.guest.settling import Allowance, Idle
from clocktowers_tui.net.arrival import Arrival
from clocktowers_tui.net.seats import unfinished
from clocktowers_tui.phrases.friends import (
    code_in_words,
    idle_in_words,
    idle_told_in_words,
    silent_in_words,
)
from clocktowers_tui.plain.client import PlainClient
from clocktowers_tui.plain.lines import Lines, Saying
from clocktowers_tui.terminal import detect
from protocol.guests import House

_LOOK_S: Final = 5.0
"""How often the client looks whether the guest is idle, and asks for more of the processor."""
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
    client.tasks.run_worker(_look_after(client, told, idle), group="idle")
    return await client.tasks.while_sound(_whole(client, told))


async def _whole(client: PlainClient, told: House) -> int:
    """A guest without a key hears first and last how they come back."""
    client.say(code_in_words(told.code), idle_told_in_words(told.idle_s))
    try:
        return await client.run(None)
    finally:
        await client.part()
        if unfinished():
            client.say(code_in_words(told.code))


async def _look_after(client: PlainClient, told: House, idle: Idle) -> None:
    allowance = Allowance()
    while not idle.over:
        await asyncio.sleep(min(_LOOK_S, told.idle_s / 4))
        allowance.renew()
        if idle.warns():
            client.tell(silent_in_words())
    client.say(idle_in_words(told.idle_s))
    client.tasks.end(0)
