"""People at one table who came through different doors, and play by keys alone: on a terminal (the
Textual client, OpenSSH's) or in a browser.
"""

import asyncio
import json
import re
import subprocess
from pathlib import Path
from typing import Any, Final, Protocol

import msgspec

from clocktowers_tui.config.settings import Draft, Drafts, Settings
from tests.stage.guests import SshServer
from tests.stage.processes import PROGRAM
from tests.stage.pseudo_terminal import ESC, PseudoTerminal, environment

OVER: Final = "Rematch"
"""The key line of a result has it."""
_PATIENCE_S: Final = 300.0
_LOOK_S: Final = 0.05
_LOOKS: Final = 20
"""After so many a key that has changed nothing is pressed again."""
_BYTES: Final = {"Enter": "\r", "Escape": ESC, "PageDown": "\x1b[6~"}
_NAMES: Final = {"\r": "Enter"}
_OFFERED: Final = (
    ("R Result", "R"),
    ("H Hint", "H"),
    ("Close", " "),
    ("Ready", " "),
    ("Say nothing", "n"),
    ("Lay", "\r"),
    ("Place", "12345678"),
    ("Take", "12345678"),
    ("Choose", "n"),
    ("Click!", "1"),
    ("Pass", "n"),
)
"""What the key line offers → what is pressed; of several keys another one each time."""
_HINTED: Final = (("Hint: pass with n", "n"), ("Hint: x, Click!", "x"), ("Hint: ", "\r"))
"""What a hint says → the key that does it."""


class End(Protocol):
    """What somebody sees and presses; a browser's `Tab` is one."""

    async def text(self) -> str: ...

    async def press(self, *keys: str) -> None: ...

    async def sees(self, *words: str) -> Any: ...


class DoorTerminal:
    """A pseudo-terminal with the words of a tab."""

    def __init__(self, terminal: PseudoTerminal) -> None:
        self._terminal: Final = terminal

    async def text(self) -> str:
        return self._terminal.text()

    async def press(self, *keys: str) -> None:
        self._terminal.press("".join(_BYTES.get(key, key) for key in keys))

    async def sees(self, *words: str) -> None:
        await self._terminal.sees(*words)


async def still(end: End, other_than: str = "") -> str:
    """What it shows when nothing has changed for a while, and that is something else."""
    shown, looks = "", 0
    async with asyncio.timeout(_PATIENCE_S):
        while looks < 8:
            await asyncio.sleep(_LOOK_S)
            before, shown = shown, await end.text()
            looks = looks + 1 if shown not in ("", other_than) and shown == before else 0
    return shown


def operator(server: SshServer, *asked: str) -> str:
    """What the operator of that server is told."""
    command = [*PROGRAM, asked[0], "--state", str(server.state), *asked[1:]]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def invited(server: SshServer, home: Path, game: str, draft: Draft) -> PseudoTerminal:
    """A player with a program of their own, who comes by an invitation; their last table was that
    `draft`."""
    line = json.loads(operator(server, "invite", "--json"))["invitation"]
    file = home / ".config" / "clocktowers" / "settings.json"
    file.parent.mkdir(parents=True)
    settings = Settings(name="Tess", game=game, drafts={game: Drafts(table=draft)})
    file.write_bytes(msgspec.json.encode(settings))
    arguments = ["-m", "clocktowers_tui", "join", line]
    return PseudoTerminal.run(arguments, environment(str(home)))


async def makes_table(end: End) -> str:
    """Its code."""
    await end.sees("New table")
    await end.press("n")
    await end.sees("Create the table")
    await end.press("Enter")
    await end.sees("Start the match")
    found = re.search(r" table (\w{4})\b", await end.text())
    assert found is not None
    return found[1]


async def sits_down(end: End, code: str) -> None:
    await end.sees("New table", code)
    await end.press("c")
    await end.sees("Go to a table")
    await end.press(*code, "Enter")
    await end.sees("not ready")
    await end.press("r")
    await end.sees("you, ready")


async def starts(host: End, others: int) -> None:
    """When the host sees that all are ready."""
    async with asyncio.timeout(_PATIENCE_S):
        while (await host.text()).count("● ") <= others:  # noqa: ASYNC110
            await asyncio.sleep(_LOOK_S)
    await host.press("s")


async def plays(end: End) -> int:
    """To the end of the match, whose result is then on the screen: what a hint says, or else one of
    the keys that the board offers. Returns how many keys it took."""
    pressed, loop = 0, asyncio.get_running_loop()
    await end.sees("L Log")  # the match has begun
    async with asyncio.timeout(_PATIENCE_S) as limit:
        while OVER not in (shown := await end.text()):
            said, line = _last(shown)
            offered = next((keys for words, keys in _OFFERED if words in line), "")
            hinted = next((key for words, key in _HINTED if words in shown), "")
            keys = hinted or ("" if "looks for a" in said else offered)
            if keys:
                await end.press(_NAMES.get(key := keys[pressed % len(keys)], key))
                pressed += 1
            for _ in range(_LOOKS):
                await asyncio.sleep(_LOOK_S)
                if _last(await end.text()) != [said, line]:
                    limit.reschedule(loop.time() + _PATIENCE_S)
                    break
    return pressed


def _last(shown: str) -> list[str]:
    """What the client says last, and the line with the keys."""
    return (shown.rstrip().split("\n") if shown else ["", ""])[-2:]
