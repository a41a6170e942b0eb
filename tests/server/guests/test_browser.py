"""A guest with a browser: a real server, a real Chromium, its keyboard and its screen."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from tests.server.guests.test_ssh import player
from tests.stage.chromium import Browser, chromium, needs_chromium
from tests.stage.guests import SshServer, ssh_server
from tests.stage.house import START
from tests.stage.processes import needs_proc

pytestmark = [needs_chromium, needs_proc, pytest.mark.asyncio(loop_scope="module")]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshServer]:
    settings = "bot_pace_s = 0\n[limits]\ngrace_s = 600\n"
    with ssh_server(tmp_path_factory.mktemp("web"), settings=settings) as server:
        yield server


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def browser(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Browser]:
    async with chromium(tmp_path_factory.mktemp("chromium")) as browser:
        yield browser


async def test_a_match_by_keyboard_and_a_reload_in_the_middle(
    server: SshServer, browser: Browser
) -> None:
    """And all that the page asks for, it asks of this server."""
    ben = await player(server, "Ben")
    code = await ben.create(seats=2)
    at = f"127.0.0.1:{server.port}"
    tab = await browser.tab(f"http://{at}/")
    await tab.sees("Your name")
    await tab.press(*"Anna", "Enter")
    await tab.sees("this server as Anna", code)
    await tab.press("c")
    await tab.sees("code")
    await tab.press(*code, "Enter")
    await tab.sees("not ready")
    await tab.press("r")
    await tab.sees("you, ready")
    await ben.done(START)
    await tab.sees("(you)")
    await tab.do("Page.reload")
    await tab.sees("Anna (you)")
    assert {address.split("/")[2] for address in tab.asked} == {at}
    await tab.close()
    await ben.close()
