"""The program that tells the local network of a server, by multicast DNS, until its input ends.

The first line of its input says what to tell (`Announcement`). Each line of its output is how that
goes: a sentence why the network is told nothing, or an empty line when it is told. It follows what
becomes of this machine's networks.

A process of its own: nothing that a network sends takes a turn of the server's, and a server that
is killed is taken back from the network, too.
"""

import asyncio
import errno
import os
import resource
import secrets
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from ipaddress import ip_address
from math import inf
from typing import Final

import msgspec
from zeroconf import NonUniqueNameException, ServiceInfo
from zeroconf.asyncio import AsyncZeroconf

from protocol.nearby import SERVICE
from protocol.networks import Interface, lan_interfaces, reached_at

CHECK_S: Final = 5.0
"""How often this machine's networks are looked at."""
AGAIN_S: Final = 60.0
"""How long it waits when it was not possible."""
NICER: Final = 10
MEMORY_BYTES: Final = 512 << 20
"""Of addresses, of which a network that floods it fills some 60 MB."""
_LABEL_BYTES: Final = 48
"""Of a server's name; a label of DNS has 63, of which some are for what tells equal names apart."""


class Announcement(msgspec.Struct, frozen=True):
    """`hosts`: as bound. `txt`: what `protocol.nearby` says."""

    port: int
    hosts: list[str]
    txt: dict[str, str]


def main() -> None:
    with suppress(OSError):  # a service manager may forbid it
        os.nice(NICER)
    with suppress(ValueError, OSError):  # macOS has no such limit
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    told = msgspec.json.decode(sys.stdin.buffer.readline(), type=Announcement)
    asyncio.run(_until_hung_up(told))


async def _until_hung_up(told: Announcement) -> None:
    loop = asyncio.get_running_loop()
    over = asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, over.set)
    loop.add_reader(sys.stdin.fileno(), over.set)  # nothing more comes but its end
    while not over.is_set():
        here = reached_at(told.hosts, lan_interfaces())
        if not here:
            _say("this machine is in no local network now")
            await _changed(told, here, over)
            continue
        try:
            async with _told_of(told, here):
                _say("")
                await _changed(told, here, over)
        except (OSError, NonUniqueNameException) as error:
            _say(_why(error))
            await _changed(told, here, over, AGAIN_S)


@asynccontextmanager
async def _told_of(told: Announcement, here: list[Interface]) -> AsyncIterator[None]:
    """These networks know of the server until the block is left. Raises OSError and
    NonUniqueNameException."""
    ways: list[str | int] = [ip for one in here for ip in one.ips if ":" not in ip]
    ways += [one.number for one in here if any(":" in ip for ip in one.ips)]
    network = AsyncZeroconf(interfaces=ways)
    try:
        asked = await network.async_register_service(_service(told, here), allow_name_change=True)
        await asked
        yield
    finally:
        with suppress(OSError):
            await network.async_unregister_all_services()
            await network.async_close()


def _service(told: Announcement, here: list[Interface]) -> ServiceInfo:
    """The label ends with a random mark. Two servers of one name that ask for it at the same time,
    or on a slow machine, may both get it, and listeners would take them for one server."""
    name = told.txt["name"].encode()[:_LABEL_BYTES].decode(errors="ignore") or "Clocktowers"
    mark = secrets.token_hex(4)
    return ServiceInfo(
        SERVICE,
        f"{name} {mark}.{SERVICE}",
        port=told.port,
        properties=told.txt,
        addresses=[ip_address(ip).packed for one in here for ip in one.ips],
        server=f"clocktowers-{mark}.local.",
    )


async def _changed(
    told: Announcement, here: list[Interface], over: asyncio.Event, limit_s: float = inf
) -> None:
    """Return when the networks are others, when it is over, or after so long."""
    loop = asyncio.get_running_loop()
    until_s = loop.time() + limit_s
    while not over.is_set() and loop.time() < until_s:
        with suppress(TimeoutError):
            async with asyncio.timeout(CHECK_S):
                await over.wait()
        if reached_at(told.hosts, lan_interfaces()) != here:
            return


def _why(error: OSError | NonUniqueNameException) -> str:
    if isinstance(error, NonUniqueNameException):
        return "too many servers there have its name; choose another with --server-name"
    if error.errno == errno.EADDRINUSE:
        return "another program has port 5353 for itself; with avahi, see disallow-other-stacks"
    return os.strerror(error.errno) if error.errno else str(error)


def _say(sentence: str) -> None:
    with suppress(OSError):  # nobody reads it any more; the input says so, too
        print(sentence, flush=True)


if __name__ == "__main__":
    main()
