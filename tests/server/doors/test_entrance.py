"""One port: whatever a caller speaks, the first byte leads to its door, in clear and inside TLS."""

import asyncio
import shutil
import subprocess

import pytest
from msgspec.structs import replace

from protocol.errors import GoodbyeCode
from server.config import Config
from tests.stage.house import AT_HOME, House, Peer, dial, house, new_folder_with_key

CLUB = b"This is a Clocktowers server"


async def answer(peer: Peer, said: bytes) -> bytes:
    """What comes, to the end."""
    peer.write(said)
    async with asyncio.timeout(20):
        return await peer._reader.read()


@pytest.mark.parametrize("tls", [False, True])
async def test_players_come_in_on_one_port(tls: bool) -> None:
    async with house(folder=new_folder_with_key()) as at, await at.dial(tls=tls) as peer:
        await peer.come("Ann")
        (there,) = at.server.peers.admitted
        assert there.caller.address == "127.0.0.1"
        assert there.caller.encrypted is tls


@pytest.mark.parametrize("tls", [False, True])
async def test_who_speaks_http_reads_how_to_join(tls: bool) -> None:
    config = replace(AT_HOME, doors=("plain", "tls"))
    async with house(folder=new_folder_with_key(), config=config) as at:
        page = await answer(await at.dial(tls=tls), b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        head, _, body = page.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 404 ")
        assert body.startswith(CLUB)
        assert b"Content-Length: %d" % len(body) in head


@pytest.mark.skipif(shutil.which("ssh") is None, reason="needs an SSH client")
async def test_an_ssh_client_shows_how_to_join() -> None:
    async with house() as at:
        where = ("-p", str(at.address.port), "-o", "StrictHostKeyChecking=no", "-F", "/dev/null")
        ssh = await asyncio.create_subprocess_exec(
            *("ssh", *where, "ann@127.0.0.1"), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        _, told = await ssh.communicate()
        assert CLUB in told


@pytest.mark.parametrize("tls", [False, True])
async def test_what_no_door_knows_is_told_that_it_is_wrong(tls: bool) -> None:
    async with house(folder=new_folder_with_key()) as at:
        peer = await at.dial(tls=tls)
        peer.write(b"\xff" * 9)
        assert (await peer.goodbye()).code == GoodbyeCode.FRAME_TOO_LONG


async def enters(at: House, port: int, *, tls: bool) -> bool:
    try:
        async with await dial(at.addresses[port], tls=tls) as peer:
            await peer.come("Ann")
    except (AssertionError, OSError):
        return False
    return True


@pytest.mark.parametrize(
    ("doors", "in_clear", "in_tls"),
    [
        (("plain", "tls"), [True], [True]),
        (("plain",), [True], [False]),
        (("tls",), [False], [True]),
        (("tls", "plain=0"), [False, True], [True, False]),
        (("plain=0", "tls=0"), [True], [True]),
    ],
)
async def test_a_door_can_be_shut_or_have_a_port_of_its_own(
    doors: tuple[str, ...], in_clear: list[bool], in_tls: list[bool]
) -> None:
    config: Config = replace(AT_HOME, doors=doors)
    async with house(config=config, folder=new_folder_with_key()) as at:
        assert len(at.addresses) == len(in_clear)
        ports = range(len(in_clear))
        assert [await enters(at, port, tls=False) for port in ports] == in_clear
        assert [await enters(at, port, tls=True) for port in ports] == in_tls
