"""A server that the local network is told of.

Law: it costs the server nothing. Whatever the network does, the server starts, plays and stops as
without it; what was not possible is a sentence.
"""

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from importlib.util import find_spec
from typing import Final

import msgspec

from protocol.nearby import Nearby
from protocol.text import clean
from server.net.listener import Address
from server.server import Server

PROGRAM: Final = (sys.executable, "-P", "-m", "server.nearby.announcer")
GOODBYE_S: Final = 2.0
"""How long the network may take to be told that the server has gone."""
LOOPBACK: Final = ("127.", "::1")
LIBRARY: Final = "zeroconf"
_UNTOLD: Final = "your network is not told of this server: "


def announces(server: Server, addresses: Sequence[Address]) -> bool:
    """Whether the server's owner wants it announced, and it can be."""
    return server.config.announce and not _hindrance(_hosts(addresses))


def _hosts(addresses: Sequence[Address]) -> list[str]:
    return [one.host for one in addresses if not one.host.startswith(LOOPBACK)]


@asynccontextmanager
async def announced(
    server: Server, addresses: Sequence[Address], say: Callable[[str], None], player: str = ""
) -> AsyncIterator[None]:
    """Until the block is left, if the settings say so. `say` is told how it goes. A server without
    a name has that of its `player`, or of this machine."""
    if not server.config.announce:
        yield
        return
    hosts = _hosts(addresses)
    nearby = Nearby(
        name=server.config.name or clean(player or socket.gethostname().partition(".")[0]),
        key=server.key.hex(),
        password=server.admission.asks,
    )
    program, why = None, _hindrance(hosts)
    if not why:
        told = {"port": addresses[0].port, "hosts": hosts, "txt": nearby.txt()}
        try:
            program = await _started(told)
        except OSError as error:
            why = error.strerror or str(error)
    if program is None:
        say(_UNTOLD + why)
        yield
        return
    hearing = asyncio.create_task(_hear(program, nearby.name, say))
    try:
        yield
    finally:
        hearing.cancel()
        await _end(program)


def _hindrance(hosts: Sequence[str]) -> str:
    if find_spec(LIBRARY) is None:
        how = "install this program with its extra [lan], as in pipx install 'clocktowers-tui[lan]'"
        return f"that needs the library zeroconf; {how}"
    return "" if hosts else "it listens to this machine only; --host 0.0.0.0 lets others in"


async def _started(told: dict[str, object]) -> asyncio.subprocess.Process:
    """The program that tells this. Raises OSError."""
    program = await asyncio.create_subprocess_exec(
        *PROGRAM,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,  # the terminal's Ctrl+C is for the server
    )
    assert program.stdin is not None
    program.stdin.write(msgspec.json.encode(told) + b"\n")
    return program


async def _hear(program: asyncio.subprocess.Process, name: str, say: Callable[[str], None]) -> None:
    assert program.stdout is not None
    heard = None
    async for line in program.stdout:
        if (why := line.decode(errors="replace").strip()) != heard:
            heard = why
            say(_UNTOLD + why if why else f"your network is told of this server as {name}")
    say(f"{_UNTOLD}the program that tells it has ended")


async def _end(program: asyncio.subprocess.Process) -> None:
    """Its input ends, by which it knows that the server goes."""
    assert program.stdin is not None
    program.stdin.close()
    with suppress(TimeoutError):
        async with asyncio.timeout(GOODBYE_S):
            await program.wait()
    with suppress(ProcessLookupError):
        program.kill()
    await program.wait()
