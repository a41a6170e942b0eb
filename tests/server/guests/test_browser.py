"""A guest with a browser: a real server, a real Chromium, its keyboard and its screen."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from protocol.games.clocktowers import Options
from tests.server.guests.test_ssh import player
from tests.stage.at_doors import operator, sits_down
from tests.stage.chromium import Browser, Tab, chromium, needs_chromium
from tests.stage.guests import SshServer, ssh_server
from tests.stage.house import PATIENCE_S, START
from tests.stage.processes import needs_proc

pytestmark = [needs_chromium, needs_proc, pytest.mark.asyncio(loop_scope="module")]


OPEN = "line && line.readyState === WebSocket.OPEN"
"""The page has its line, which may break on a busy machine; then the page comes back by itself."""


async def until(tab: Tab, expression: str) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not await tab.js(f"!!({expression})"):  # noqa: ASYNC110
            await asyncio.sleep(0.05)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshServer]:
    settings = "bot_pace_s = 0\n[limits]\ngrace_s = 600\n"
    with ssh_server(tmp_path_factory.mktemp("web"), settings=settings) as server:
        yield server


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def browser(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Browser]:
    async with chromium(tmp_path_factory.mktemp("chromium")) as browser:
        yield browser


async def test_turns_by_keyboard_and_a_reload_in_mid_match(
    server: SshServer, browser: Browser
) -> None:
    """So does a line that breaks; and the page asks this server for everything."""
    ben = await player(server, "Ben")
    code = await ben.create(seats=2, options=Options(first_seat=1))
    at = f"127.0.0.1:{server.port}"
    tab = await browser.tab(f"http://{at}/")
    await gives_name(tab, "Anna")
    await sits_down(tab, code)
    await ben.done(START)
    await tab.sees("Your turn: play or discard")
    await tab.press("1", "Enter")
    await tab.sees("Your turn: draw")
    await tab.reload()
    await tab.sees("Anna (you)", "Your turn: draw")
    await until(tab, f"{OPEN} && (line.close(), globalThis.broken = line)")
    await until(tab, f"{OPEN} && line !== broken")
    await tab.sees("Anna (you)", "Your turn: draw")
    await tab.press("f")
    await tab.sees("is choosing a card")  # Ben says nothing more, and may count as away
    assert {address.split("/")[2] for address in tab.asked} == {at}
    await tab.close()
    await ben.close()


async def test_a_phone_has_keys_and_a_mouse_works(server: SshServer, browser: Browser) -> None:
    tab = await browser.tab(strangers=True)
    await tab.size(390, 700, phone=True)
    await tab.open(f"http://127.0.0.1:{server.port}/")
    await gives_name(tab, "Cleo")
    assert await tab.js("term.cols >= 60 && term.rows >= 20")
    await tab.press("b")
    await tab.sees("two more games", "Enter Play: 1 bot, learner")
    await tab.tap("[data-key=Down]")
    await tab.sees("Enter Play: 1 bot, learner")
    await tab.press("?")
    await tab.sees("Any key")
    await tab.tap("[data-key=Esc]")
    await tab.sees("Enter Play")
    await tab.press("q")
    await tab.sees("this server as Cleo")
    await tab.size(1100, 700)
    await tab.sees("this server as Cleo", "New table")
    assert await tab.js("term.cols >= 80 && getComputedStyle(keys).display === 'none'")
    await tab.js("term.select(0, 1, 8)")
    await tab.press("Ctrl+C")
    assert not await tab.js("term.hasSelection()")
    await tab.close()


async def test_an_invitation_leads_to_its_table_and_leaves_the_address_bar(
    server: SshServer, browser: Browser
) -> None:
    """One that opens nothing keeps nobody from coming in without."""
    ben = await player(server, "Ben")
    table = await ben.create(seats=2)
    tab = await browser.tab(strangers=True)
    await tab.open(f"http://127.0.0.1:{server.port}/#{'0' * 20}")
    await gives_name(tab, "Dora")
    assert not await tab.js("location.hash")
    await tab.js(f"location.hash = '{invitation(server, table)}'")
    await tab.sees("Dora", "not ready")
    assert not await tab.js("location.hash")
    assert '"here":1' in operator(server, "invitations", "--json")
    await tab.close()
    await ben.close()


async def gives_name(tab: Tab, name: str) -> None:
    await tab.sees("Your name")
    await tab.press(*name, "Enter")
    await tab.sees(f"this server as {name}")


def invitation(server: SshServer, table: str) -> str:
    """What its web address has behind the `#`."""
    told = json.loads(operator(server, "invite", "--table", table, "--json"))
    assert told["page"].startswith(f"https://127.0.0.1:{server.port}/#")
    return str(told["page"].partition("#")[2])
