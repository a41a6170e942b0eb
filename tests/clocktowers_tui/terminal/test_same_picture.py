"""After every step of an evening the terminal shows what Textual's own driver makes it show."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from bench.one_table import OneTable
from bench.pseudo_terminal import ESC, PseudoTerminal, environment
from bench.terminal_bytes import CLIENT, NAME, STOCK
from tests.stage.changed_client import changed, one_cell
from tests.stage.emulator import cells

TRUECOLOUR: Final = {"COLORTERM": "truecolor"}
SIXTEEN: Final = {"TERM": "xterm", "COLORTERM": ""}


class Evening:
    """The same keys for two clients, each at a table of its own."""

    def __init__(self) -> None:
        self.tables: list[OneTable] = []
        self.terminals: list[PseudoTerminal] = []
        self._ports: list[str] = []

    async def add(
        self, stack: AsyncExitStack, home: str, program: Sequence[str], environ: dict[str, str]
    ) -> None:
        table = OneTable(7)
        address = await stack.enter_async_context(table.listening())
        whole = environment(home) | environ
        terminal = PseudoTerminal.run([*program, "join", address, "--name", NAME], whole)
        await stack.enter_async_context(terminal)
        await terminal.sees("Thursday")
        self.tables.append(table)
        self.terminals.append(terminal)
        self._ports.append(address.rpartition(":")[2])

    async def press(self, *keys: str) -> None:
        for key in keys:
            for terminal in self.terminals:
                terminal.press(key)
            await self.check(repr(key))

    async def check(self, step: str) -> None:
        await asyncio.gather(*(terminal.settles() for terminal in self.terminals))
        seen = [cells(terminal.screen) for terminal in self.terminals]
        ours, stock = (_without(port, all) for port, all in zip(self._ports, seen, strict=True))
        for y, (line, expected) in enumerate(zip(ours, stock, strict=True)):
            assert line == expected, f"after {step}, line {y}:\n{self.terminals[0].text()}"

    async def sees(self, *words: str) -> None:
        """Both are where they are meant to be."""
        for terminal in self.terminals:
            await terminal.sees(*words)
        await self.check(f"{words} came")

    async def opponents(self) -> None:
        while not self.tables[0].my_turn():
            for table in self.tables:
                table.opponent()
            await self.check("an opponent's action")

    async def resize(self, width: int, height: int) -> None:
        for terminal in self.terminals:
            terminal.resize(width, height)
        await self.check(f"{width}x{height}")


def _without(port: str, seen: list[list[tuple[Any, ...]]]) -> list[list[tuple[Any, ...]]]:
    """The two differ by nothing but the port that a screen may show."""
    for line in seen:
        start = "".join(cell[0] for cell in line).find(port)
        if start >= 0:
            del line[start : start + len(port)]
    return seen


@asynccontextmanager
async def begun(
    program: Sequence[str], home: Path, environ: dict[str, str]
) -> AsyncIterator[Evening]:
    async with AsyncExitStack() as stack:
        evening = Evening()
        for number, one in enumerate((program, STOCK)):
            (home / str(number)).mkdir()
            await evening.add(stack, str(home / str(number)), one, environ)
        yield evening


async def spend(program: Sequence[str], home: Path, environ: dict[str, str]) -> None:
    async with begun(program, home, environ) as evening:
        await evening.press("?", ESC, "n")
        await evening.sees("Rules", "Title")
        await evening.press("\x1b[B", "\x1b[C", ESC, "\x1b[B", "\x1b[A", "\r")
        await evening.sees("日本 Bob", "Next roof")
        await evening.opponents()
        await evening.press("\x1b[C", "\x1b[D", "1", "\x1b[C", ESC, "?", ESC, "L", "q")
        await evening.resize(120, 40)
        await evening.press("2")
        await evening.resize(60, 20)
        await evening.resize(40, 10)
        await evening.resize(80, 24)
        await evening.press("\r", "f")
        await evening.opponents()
        await evening.press("\x03", ESC, "q")
        await evening.sees("Leave this match?")
        await evening.press("\x1b[B", "\x1b[B", "\r")
        await evening.sees("as Zoë")
        await evening.press("q", "\x1b[B", "\r")
        await evening.sees("Quit")
        await evening.press("n", "日", "本", "e", "\x7f", "\x1b[D", "x", ESC)


async def spend_a_turn(program: Sequence[str], home: Path, environ: dict[str, str]) -> None:
    async with begun(program, home, environ) as evening:
        await evening.press("?", ESC, "\r")
        await evening.sees("日本 Bob", "Next roof")
        await evening.opponents()
        await evening.press("1", "\x1b[C")
        await evening.resize(60, 20)
        await evening.press("\r", "f", "q")


async def test_it_is_the_same_picture(home: Path) -> None:
    await spend(CLIENT, home, TRUECOLOUR)


async def test_it_is_the_same_picture_in_sixteen_colours(home: Path) -> None:
    """Other colours change the codes of a cell, not the way of it."""
    await spend_a_turn(CLIENT, home, SIXTEEN)


@pytest.mark.soak
async def test_it_is_the_same_picture_in_sixteen_colours_all_evening(home: Path) -> None:
    await spend(CLIENT, home, SIXTEEN)


async def test_one_wrong_cell_would_be_seen(home: Path) -> None:
    with pytest.raises(AssertionError, match="after"):
        await spend(changed(one_cell), home, TRUECOLOUR)
