"""What a key of Clocktowers costs the client, in a match of four on a terminal of 80x24: `python -m
tests.bench.keys` prints the calls of our own functions, and how long the terminal waits.

Calls are the same on every machine; of the times the least of many says most.
"""

import asyncio
import json
import os
import signal
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from select import select
from statistics import median
from typing import Final, NamedTuple

from tests.stage.changed_client import COUNTED, changed, counting
from tests.stage.pseudo_terminal import LIMIT_S, PseudoTerminal
from tests.stage.staged import CLIENT, OneTable, at_table

CURSOR: Final = "\x1b[C"
DEAL: Final = 7
PLAYED: Final = 40
"""Actions that lie behind: towers stand, and the player's turn has begun."""
MOST: Final = {"a cursor key": 1_320, "a card": 9_000}
"""Calls of our own functions."""
TIMES: Final = 15
_QUIET_S: Final = 0.25


class Wait(NamedTuple):
    """Milliseconds from the key to the first byte and to the last."""

    first: float
    last: float


@asynccontextmanager
async def _on_turn(
    program: Sequence[str], environ: Mapping[str, str] | None = None
) -> AsyncIterator[PseudoTerminal]:
    table = OneTable(DEAL, PLAYED)
    async with at_table(table, program, environ) as terminal:
        while not table.my_turn():
            table.opponent()
            await terminal.settles()
        yield terminal


async def calls() -> dict[str, int]:
    """The second of two equal keys: the first fills what is remembered."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, COUNTED)
        async with _on_turn(changed(counting), {COUNTED: str(file)}) as terminal:
            await _count(terminal, file, CURSOR)
            cursor = await _count(terminal, file, CURSOR)
            await _count(terminal, file, "2")
            return {"a cursor key": cursor, "a card": await _count(terminal, file, "\r")}


async def _count(terminal: PseudoTerminal, file: Path, key: str) -> int:
    _told(terminal, file)
    terminal.press(key)
    await terminal.settles()
    return _told(terminal, file)


def _told(terminal: PseudoTerminal, file: Path) -> int:
    """How many calls since the last time."""
    os.kill(terminal.child, signal.SIGUSR1)
    while not file.exists():
        time.sleep(0.01)
    count: int = json.loads(file.read_text())
    file.unlink()
    return count


async def waits() -> list[Wait]:
    async with _on_turn(CLIENT) as terminal:
        return [_wait(terminal) for _time in range(TIMES)]


def _wait(terminal: PseudoTerminal) -> Wait:
    terminal.read(False)
    pressed_s = time.perf_counter()
    terminal.press(CURSOR)
    came_s: list[float] = []
    while select([terminal.terminal], [], [], _QUIET_S if came_s else LIMIT_S)[0]:
        os.read(terminal.terminal, 1 << 16)
        came_s.append(time.perf_counter() - pressed_s)
    terminal.read(True)
    return Wait(1000 * came_s[0], 1000 * came_s[-1])


def main() -> None:
    for what, count in asyncio.run(calls()).items():
        print(f"{what}: {count} calls of our own functions (at most {MOST[what]})")
    for name, ms in zip(Wait._fields, zip(*asyncio.run(waits()), strict=True), strict=True):
        print(f"a cursor key to the {name} byte: least {min(ms):.1f} ms, median {median(ms):.1f}")


if __name__ == "__main__":
    main()
