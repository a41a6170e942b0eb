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


def announces(server: Server, addresses: Sequence[Address]) -> bool:
    """Whether the server's owner wants it announced, and it can be."""
    wished = server.config.announce and find_spec(LIBRARY) is not None
    return wished and bool(_hosts(addresses))


def _hosts(addresses: Sequence[Address]) -> list[str]:
    return [one.host for one in addresses if not one.host.startswith(LOOPBACK)]


@asynccontextmanager
async def announced(
    server: Server, addresses: Sequence[Address], say: Callable[[str], None]
) -> AsyncIterator[None]:
    """Until the block is left, if the settings say so. `say` is told how it goes. A server without
    a name has that of this machine."""
    if not server.config.announce:
        yield
        return
    hosts = _hosts(addresses)
    nearby = Nearby(
        name=server.config.name or clean(socket.gethostname().partition(".")[0]),
        key=server.key.hex(),
        password=server.admission.gate.asks,
    )
    told = {"port": addresses[0].port, "hosts": hosts, "txt": nearby.txt()}
    hangs_up = asyncio.Event()
    telling = asyncio.create_task(_tell(msgspec.json.encode(told), nearby, hosts, say, hangs_up))
    try:
        yield
    finally:
        hangs_up.set()
        await asyncio.wait({telling}, timeout=GOODBYE_S)
        telling.cancel()
        with suppress(asyncio.CancelledError):
            await telling


async def _tell(
    told: bytes,
    nearby: Nearby,
    hosts: Sequence[str],
    say: Callable[[str], None],
    hangs_up: asyncio.Event,
) -> None:
    untold = "your network is not told of this server: "
    heard = ""

    def hear(why: str) -> None:
        nonlocal heard
        sentence = untold + why if why else f"your network is told of this server as {nearby.name}"
        if sentence != heard:
            heard = sentence
            say(sentence)

    if find_spec(LIBRARY) is None:
        how = "install this program with its extra [lan], as in pipx install 'clocktowers-tui[lan]'"
        hear(f"that needs the library zeroconf; {how}")
    elif not hosts:
        hear("it listens to this machine only; --host 0.0.0.0 lets others in")
    else:
        try:
            await _run_program(told, hear, hangs_up)
        except OSError as error:
            hear(error.strerror or str(error))


async def _run_program(told: bytes, hear: Callable[[str], None], hangs_up: asyncio.Event) -> None:
    """Until it ends; its input ends when the server hangs up. Raises OSError."""
    program = await asyncio.create_subprocess_exec(
        *PROGRAM,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,  # the terminal's Ctrl+C is for the server
    )
    assert program.stdin is not None and program.stdout is not None
    program.stdin.write(told + b"\n")
    hanging = asyncio.create_task(_hang_up(program.stdin, hangs_up))
    try:
        async for line in program.stdout:
            hear(line.decode(errors="replace").strip())
        if not hangs_up.is_set():
            hear("the program that tells it has ended")
    finally:
        hanging.cancel()
        with suppress(ProcessLookupError):
            program.kill()
        await program.wait()


async def _hang_up(stdin: asyncio.StreamWriter, hangs_up: asyncio.Event) -> None:
    await hangs_up.wait()
    stdin.close()
