"""A whole match between a player in plain mode, on pipes, and one with a full screen, on a
terminal; the programs and the server are real, and nobody is handed more than is said or painted.
"""

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

import pytest

from bench.pseudo_terminal import LIMIT_S, PseudoTerminal, environment
from protocol.games.registry import GAMES
from tests.stage.at_doors import Terminal, plays, still
from tests.stage.processes import needs_proc, started

pytestmark = needs_proc
FLAGS: Final = {
    "clocktowers": "",
    "architetti_attenti": "",
    "wild_wild_pattern": "--preset practice --option mode=vivo",
}
MOVES: Final = {
    "clocktowers": ("start", "put", "complete", "draw"),
    "architetti_attenti": ("bought", "built"),
    "wild_wild_pattern": ("cover", "declare", "did not shoot"),
}
"""What everybody reads alike of a move, but for who it was."""
RACE: Final = "wild_wild_pattern"
NEWEST: Final = 3
"""So many moves are looked for on the last pages of the log."""
PAGES: Final = 3
ENDED: Final = ("The match is over.", "rematch plays again")
AGAIN: Final = ("ask again", "wait for the others", "not your turn")
"""In a race the other one may be quicker than a hint."""
POINTS: Final = re.compile(r"(Pia|Tess), (\$?\d[\d.]*)")
LIMITS: Final = "[limits]\nhints_per_minute = 1000\n"
CLIENT: Final = ("-m", "clocktowers_tui")
PAGE_UP: Final = "\x1b[5~"
LOG: Final = "╭─ What happened"
_BAR: Final = re.compile("[▀-▟]")  # what the scroll bar is drawn with
TALL: Final = (120, 50)


class Pipes:
    """The player in plain mode: types lines, reads lines."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process: Final = process
        self.lines: list[str] = []
        self._came = asyncio.Event()

    async def hear(self) -> None:
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            self.lines.append(line.decode().rstrip("\n"))
            self._came.set()

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n".encode())

    async def types(self, line: str, *expected: str) -> str:
        """Type this; the first line said from then on in which one of these stands."""
        mark = len(self.lines)
        self.type(line)
        return await self.hears(*expected, after=mark)

    async def hears(self, *expected: str, after: int = 0) -> str:
        try:
            async with asyncio.timeout(LIMIT_S):
                while True:
                    for line in self.lines[after:]:
                        if any(words in line for words in expected):
                            return line
                    self._came.clear()
                    await self._came.wait()
        except TimeoutError:
            raise AssertionError(f"{expected} not said:\n" + "\n".join(self.lines)) from None


@asynccontextmanager
async def plainly(home: Path, *arguments: str) -> AsyncIterator[Pipes]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", *CLIENT, "--plain", *arguments, env=environment(str(home)),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    pipes = Pipes(process)
    hearing = asyncio.ensure_future(pipes.hear())
    try:
        yield pipes
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        await hearing


async def plays_by_hints(pia: Pipes) -> None:
    """To the end: a hint says what to type."""
    said = ""
    while not any(words in said for words in ENDED):
        said = await pia.types("hint", "Type: ", *AGAIN, *ENDED)
        if said.startswith("Type: "):
            await pia.types(said.removeprefix("Type: "), "")


def moves(lines: Iterable[str], who: str, game: str) -> list[str]:
    """What this player did; who did it and the verb stand in another person for the other one."""
    does = re.compile(rf"^{who} (?:{'|'.join(MOVES[game])})s?:? (.*?)\.?$")
    return [found[1] for line in lines if (found := does.match(line))]


def unseen(done: Sequence[str], shown: str) -> list[str]:
    """The newest moves that are not in this text."""
    return [one for one in done[-NEWEST:] if one not in shown]


async def log_of(end: Terminal) -> str:
    """The newest lines of the log on the screen, each whole."""
    await end.press("Escape")
    await end.sees("L Log")
    await end.press("L")
    await end.sees("Esc Close")
    shown = ""
    for _page in range(PAGES):
        rows = (await still(end)).splitlines()
        top = next(row for row in rows if LOG in row)
        left = top.index(LOG) + 1
        right = top.index("╮", left)
        shown += " ".join(_BAR.sub("", row[left:right]) for row in rows) + " "
        await end.press(PAGE_UP)
    return " ".join(shown.split())


@asynccontextmanager
async def match(game: str, folder: Path) -> AsyncIterator[tuple[Pipes, Terminal]]:
    """Pia has made a table by commands, Tess has come there by keys, and it has begun."""
    file, home, pias = folder / "server.toml", folder / "tess", folder / "pia"
    file.write_text(LIMITS)
    home.mkdir()
    pias.mkdir()
    flags = ("--host", "127.0.0.1", "--port", "0", "--doors", "plain", "--config", str(file))
    async with started(home, "serve", *flags, stderr=asyncio.subprocess.DEVNULL) as server:
        await server.listens()
        at, clear = f"127.0.0.1:{server.port}", "--unencrypted"
        async with plainly(pias, "join", at, clear, "--name", "Pia") as pia:
            await pia.types(f"new {game} --seats 2 --hints {FLAGS[game]}", "start begins")
            code = next(line for line in pia.lines if line.startswith("Table "))[6:].split(":")[0]
            arguments = [*CLIENT, "join", f"{at}/{code}", clear, "--name", "Tess"]
            async with PseudoTerminal.run(arguments, environment(str(home)), *TALL) as terminal:
                tess = Terminal(terminal)
                await tess.sees("Ready")
                await tess.press("r")
                await pia.hears("Tess, ready")
                yield pia, tess


@pytest.mark.parametrize(
    "game", [RACE, *(pytest.param(game, marks=pytest.mark.soak) for game in GAMES if game != RACE)]
)
async def test_each_knows_what_the_other_does(game: str, tmp_path: Path) -> None:
    """Moves, chat and the result."""
    async with match(game, tmp_path) as (pia, tess):
        await pia.types("start", "look tells")
        await tess.press("/")
        await tess.sees("Say: ")
        pia.type("say Good evening, Tess")
        await tess.sees("Good evening, Tess")
        await tess.press("Hello, Pia", "Enter")
        await pia.hears("Tess: Hello, Pia")
        await tess.press("Escape")
        await asyncio.gather(plays_by_hints(pia), plays(tess))
        await pia.hears("rematch plays again")

        result = await still(tess)
        assert ("Pia wins" in result) is ("You win" in pia.lines)
        points = [one for line in pia.lines if (one := POINTS.search(line))]
        assert len(points) >= 2 and all(one[2] in result for one in points)
        shown = await log_of(tess)
        own, others = moves(pia.lines, "You", game), moves(pia.lines, "Tess", game)
        assert own and others
        assert unseen(own, shown) == [], shown
        assert unseen(others, shown) == [], shown
        # The control: a move that nobody made would be missed.
        assert unseen([*own, "a windmill"], shown) == ["a windmill"]
        assert moves(["Tess draws a floor"], "You", "clocktowers") == []
