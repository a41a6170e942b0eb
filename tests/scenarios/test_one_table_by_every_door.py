"""A real client over TLS, a real OpenSSH and a real Chromium at one table: each game to its end."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from clocktowers_tui.config.settings import Draft
from tests.stage.at_doors import Terminal, invited, makes_table, plays, sits_down, starts
from tests.stage.chromium import Browser, chromium, needs_chromium
from tests.stage.guests import SshServer, needs_ssh, ssh_server
from tests.stage.processes import needs_proc

pytestmark = [
    *(pytest.mark.soak, needs_chromium, needs_proc, needs_ssh),
    pytest.mark.asyncio(loop_scope="module"),
]
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
POINTS = re.compile(r"(Tess|Sara|Wanda) +([$\d.]+)")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshServer]:
    with ssh_server(tmp_path_factory.mktemp("doors"), settings=SETTINGS) as server:
        yield server


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def browser(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Browser]:
    folder = tmp_path_factory.mktemp("chromium")
    async with chromium(folder, "--ignore-certificate-errors") as browser:
        yield browser


@pytest.mark.parametrize("game", DRAFTS)
async def test_each_game_is_played_to_its_end(
    game: str, server: SshServer, browser: Browser, tmp_path: Path
) -> None:
    tab = await browser.tab(f"https://127.0.0.1:{server.port}/", strangers=True)
    async with (
        invited(server, tmp_path, game, DRAFTS[game]) as client,
        server.dial("Sara", game) as ssh,
    ):
        ends = (Terminal(client), Terminal(ssh), tab)
        code = await makes_table(ends[0])
        await tab.sees("Your name")
        await tab.press(*"Wanda", "Enter")
        for end in ends[1:]:
            await sits_down(end, code)
        await starts(ends[0], others=2)
        keys = await asyncio.gather(*[plays(end) for end in ends])
        assert all(keys), "each of them has played"
        places = [POINTS.findall(await end.text())[:3] for end in ends]
        assert len(places[0]) == 3 and places == [places[0]] * 3
        for end in ends:
            await end.press("G")
            await end.sees("shuffle was fair")
    await tab.close()
