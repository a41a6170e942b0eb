"""Real programs at one table: a friend finds the server without an address, plain mode plays beside
a screen, and a real OpenSSH and a real Chromium play beside a client."""

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import cycle
from pathlib import Path
from typing import Final

import pytest
import pytest_asyncio

from clocktowers_tui.config.settings import Draft
from protocol.games.registry import GAMES
from tests.stage.at_doors import (
    DoorTerminal,
    End,
    invited,
    makes_table,
    plays,
    sits_down,
    starts,
    still,
)
from tests.stage.chromium import Browser, chromium, needs_chromium
from tests.stage.guests import SshServer, needs_ssh, ssh_server
from tests.stage.network import cable, needs_networks
from tests.stage.processes import PROGRAM, needs_proc, started
from tests.stage.pseudo_terminal import LIMIT_S, PseudoTerminal, environment

JOIN: Sequence[str] = (PROGRAM[0], "-P", "-m", "clocktowers_tui", "join", "--name", "Björn")


@needs_networks
@pytest.mark.parametrize(
    "ipv4", [False, pytest.param(True, marks=pytest.mark.soak)], ids=["IPv6 alone", "IPv4 too"]
)
async def test_a_friend_finds_the_server_and_is_in_its_lobby(tmp_path: Path, ipv4: bool) -> None:
    with cable(ipv4=ipv4) as (home, friend):
        flags = ("--host", "0.0.0.0", "--host", "::", "--announce", "--server-name", "Thursdays")
        program = (*home.enter, *PROGRAM)
        async with started(tmp_path / "server", "serve", *flags, program=program) as server:
            await server.listens()
            environ = environment(str(tmp_path)) | {"CLOCKTOWERS_NEARBY": ""}
            command = (*friend.enter, *JOIN)
            async with PseudoTerminal.run_program(command, environ) as terminal:
                await terminal.sees("Thursdays", "on your network")
                terminal.press("\r")
                await terminal.sees("as Björn", "New table")
            again = (*friend.enter, *JOIN)
            async with PseudoTerminal.run_program(again, environment(str(tmp_path))) as terminal:
                await terminal.sees("joined before", f":{server.port}")


# Plain mode, on pipes, beside a full screen; nobody is handed more than is said or painted --------

FLAGS: Final = {
    "clocktowers": "",
    "architetti_attenti": "",
    "wild_wild_pattern": "--preset practice --option mode=vivo",
}
MOVES: Final = {
    "clocktowers": ("started", "put", "completed", "drew"),
    "architetti_attenti": ("bought", "built"),
    "wild_wild_pattern": ("cover", "declare", "card left in"),
}
"""What everybody reads alike of a move, but for who it was."""
RACE: Final = "wild_wild_pattern"
NEWEST: Final = 3
"""So many moves of each are looked for in the log."""
LOOK_S: Final = 0.05
ENDED: Final = ("The match is over.", "rematch plays again")
AGAIN: Final = ("ask again", "wait for the others", "not your turn")
"""In a race the other one may be quicker than a hint."""
POINTS: Final = re.compile(r"(Pia|Tess), (\$?\d+(?:\.\d+)?)")
LIMITS: Final = "[limits]\nhints_per_minute = 1000\n"
CLIENT: Final = ("-m", "clocktowers_tui")
PAGE_UP: Final = "\x1b[5~"
END: Final = "\x1b[F"
LOG: Final = "╭─ Log"
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


async def reads_in_the_log(end: DoorTerminal, done: Sequence[str]) -> None:
    """All of these stand in the log on the screen, which is turned page by page, again and again:
    a slow machine shows a page later than its key."""
    await end.press("Escape")
    await end.sees("L Log")
    await end.press("L")
    await end.sees("Esc Close")
    read, keys = "", cycle([END, PAGE_UP, PAGE_UP])
    try:
        async with asyncio.timeout(LIMIT_S):
            while any(one not in read for one in done):
                rows = (await end.text()).splitlines()
                if top := next((row for row in rows if LOG in row), ""):
                    left = top.index(LOG) + 1
                    right = top.index("╮", left)
                    page = " ".join(_BAR.sub("", row[left:right]) for row in rows)
                    read += " ".join(page.split()) + " "
                await end.press(next(keys))
                await asyncio.sleep(LOOK_S)
    except TimeoutError:
        raise AssertionError(f"{[one for one in done if one not in read]} not in\n{read}") from None


@asynccontextmanager
async def match(game: str, folder: Path) -> AsyncIterator[tuple[Pipes, DoorTerminal]]:
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
            await pia.types(f"new {game} --seats 2 --hints {FLAGS[game]}", "start to begin")
            code = next(line for line in pia.lines if line.startswith("Table "))[6:].split(":")[0]
            arguments = [*CLIENT, "join", f"{at}/{code}", clear, "--name", "Tess"]
            async with PseudoTerminal.run(arguments, environment(str(home)), *TALL) as terminal:
                tess = DoorTerminal(terminal)
                await tess.sees("Ready")
                await tess.press("r")
                await pia.hears("Tess, ready")
                yield pia, tess


@needs_proc
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

        points = [one[2] for line in pia.lines if (one := POINTS.search(line))]
        assert len(points) >= 2
        await tess.sees(*points)
        assert ("Pia wins" in await tess.text()) is any(
            line.startswith("You win") for line in pia.lines
        )
        own, others = moves(pia.lines, "You", game), moves(pia.lines, "Tess", game)
        assert own and others
        await reads_in_the_log(tess, own[-NEWEST:] + others[-NEWEST:])
        # The control: another person's moves are not taken for these.
        assert moves(["Tess drew a floor"], "You", "clocktowers") == []


# By every door ------------------------------------------------------------------------------------

SETTINGS = """
doors = ["tls", "ssh", "web"]
[limits]
grace_s = 600
hints_per_minute = 1000
"""
DRAFTS = {
    "clocktowers": Draft(seats=3, hints=True),
    "architetti_attenti": Draft(seats=3, hints=True),
    "wild_wild_pattern": Draft(seats=3, preset="vivo", options={"mode": "vivo"}),
}
"""A race gives no hints."""
NAMES = ("Tess", "Sara", "Wanda")
PLACES = re.compile(r"(\d\. +)?\b(You|Tess|Sara|Wanda) +((?(1)\d+|\$\d[\d.]*))")
"""Of the captions of a picture, none says a place, nor what somebody has in the end."""


async def reads_the_result(end: End, own: str) -> list[tuple[str, str]]:
    """Page by page, down to what it says of the shuffle: who has how much, best first."""
    shown = await still(end)
    found = PLACES.findall(shown)
    while "shuffle was fair" not in shown:
        await end.press("PageDown")
        shown = await still(end, other_than=shown)
        found += PLACES.findall(shown)
    return [*dict.fromkeys((own if name == "You" else name, has) for _rank, name, has in found)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshServer]:
    with ssh_server(tmp_path_factory.mktemp("doors"), settings=SETTINGS) as server:
        yield server


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def browser(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Browser]:
    folder = tmp_path_factory.mktemp("chromium")
    async with chromium(folder, "--ignore-certificate-errors") as browser:
        yield browser


@pytest.mark.soak
@needs_chromium
@needs_proc
@needs_ssh
@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("game", DRAFTS)
async def test_each_game_is_played_to_its_end(
    game: str, server: SshServer, browser: Browser, tmp_path: Path
) -> None:
    tab = await browser.tab(f"https://127.0.0.1:{server.port}/", strangers=True)
    async with (
        invited(server, tmp_path, game, DRAFTS[game]) as client,
        server.dial("Sara", game) as ssh,
    ):
        ends: tuple[End, ...] = (DoorTerminal(client), DoorTerminal(ssh), tab)
        code = await makes_table(ends[0])
        await tab.sees("Your name")
        await tab.press(*"Wanda", "Enter")
        for end in ends[1:]:
            await sits_down(end, code)
        await starts(ends[0], others=2)
        keys = await asyncio.gather(*[plays(end) for end in ends])
        assert all(keys), "each of them has played"
        places = []
        for end, own in zip(ends, NAMES, strict=True):
            await end.sees("Rematch")
            places.append(await reads_the_result(end, own))
        assert len(places[0]) == 3 and places == [places[0]] * 3
    await tab.close()
