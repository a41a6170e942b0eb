"""Guests through the SSH door: a real server, real OpenSSH, real terminals."""

from collections.abc import Iterator

import pytest

from tests.stage.guests import SshServer, needs_ssh, ssh_server

pytestmark = needs_ssh


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshServer]:
    with ssh_server(tmp_path_factory.mktemp("ssh")) as server:
        yield server


async def test_a_guest_is_in_the_lobby_and_leaves_it_with_a_clean_terminal(
    server: SshServer,
) -> None:
    async with server.dial("ann", "ann") as terminal:
        await terminal.sees("this server as ann", "New table", "Play against bots")
        terminal.press("q")
        assert await terminal.ends() == 0
    for mode in (b"1049", b"1000", b"25"):
        assert terminal.painted.rfind(b"\x1b[?" + mode + (b"h" if mode == b"25" else b"l")) > 0
