"""The program that listens for servers on the local network, by multicast DNS, until its input
ends.

Each line of its output is JSON: all servers of which it knows now, or a text why it cannot listen.
A line comes when that has changed, and after `QUIET_S` where nothing was heard.

A process of its own: whatever a neighbour sends takes no turn of the client's.
"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_interface
from typing import Any, Final, TypeAlias

import ifaddr
import msgspec
from zeroconf import InterfaceChoice, IPVersion, ServiceStateChange
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from clocktowers_tui.net.nearby import Neighbour
from protocol.nearby import SERVICE, from_txt

MOST: Final = 32
"""Servers that are listed; a neighbour can announce any number of names."""
QUIET_S: Final = 2.0
PAUSE_S: Final = 0.2
"""Before a line: what answers together comes together."""
_ASKED_MS: Final = 3000
_Ip: TypeAlias = IPv4Address | IPv6Address


def main() -> None:
    try:
        asyncio.run(_listen())
    except OSError as error:
        _say(os.strerror(error.errno) if error.errno else str(error))


async def _listen() -> None:
    over = asyncio.Event()
    asyncio.get_running_loop().add_reader(sys.stdin.fileno(), over.set)
    async with _Ears().listening():
        await over.wait()


class _Ears:
    """To be made in the loop: zeroconf would start one of its own."""

    def __init__(self) -> None:
        self._network = AsyncZeroconf(interfaces=InterfaceChoice.All, ip_version=IPVersion.All)
        self._known: dict[str, Neighbour | None] = {}
        """None: it was announced, and is being asked where it is."""
        self._asking: set[asyncio.Task[None]] = set()
        self._changed = asyncio.Event()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        browser = AsyncServiceBrowser(self._network.zeroconf, SERVICE, handlers=[self._hear])
        telling = asyncio.create_task(self._tell())
        try:
            yield
        finally:
            telling.cancel()
            await browser.async_cancel()
            await self._network.async_close()

    async def _tell(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(QUIET_S):
                await self._changed.wait()
        while True:
            await asyncio.sleep(PAUSE_S)
            self._changed.clear()
            _say([heard for heard in self._known.values() if heard is not None])
            await self._changed.wait()

    def _hear(self, name: str, state_change: ServiceStateChange, **_rest: Any) -> None:
        if state_change is ServiceStateChange.Removed:
            if self._known.pop(name, None) is not None:
                self._changed.set()
        elif name in self._known or len(self._known) < MOST:
            self._known.setdefault(name, None)
            asking = asyncio.create_task(self._ask(name))
            self._asking.add(asking)
            asking.add_done_callback(self._asking.discard)

    async def _ask(self, name: str) -> None:
        info = AsyncServiceInfo(SERVICE, name)
        await info.async_request(self._network.zeroconf, _ASKED_MS)
        host = best(info.parsed_scoped_addresses())
        if name not in self._known:
            return  # it has gone meanwhile
        if not host or not info.port:
            del self._known[name]
            return
        self._known[name] = Neighbour(name, host, info.port, from_txt(info.properties))
        self._changed.set()


def best(addresses: Sequence[str]) -> str:
    """The one to dial; "" where there is none. One in a network of this machine comes first, then
    IPv4, then those that hold beyond a cable."""
    networks = [
        ip_interface(f"{ip.ip if ip.is_IPv4 else ip.ip[0]}/{ip.network_prefix}").network
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
    ]

    def rank(ip: _Ip) -> tuple[bool, bool, bool]:
        return not any(ip in network for network in networks), ip.version == 6, ip.is_link_local

    dialled = [ip for ip in map(ip_address, addresses) if _may_be_dialled(ip)]
    return str(min(dialled, key=rank)) if dialled else ""


def _may_be_dialled(ip: _Ip) -> bool:
    """True for the address of one other machine. A link-local IPv6 address needs its zone."""
    if ip.is_loopback or ip.is_multicast or ip.is_unspecified:
        return False
    return not (isinstance(ip, IPv6Address) and ip.is_link_local and not ip.scope_id)


def _say(what: list[Neighbour] | str) -> None:
    with suppress(OSError):  # nobody reads it any more; the input says so, too
        print(msgspec.json.encode(what).decode(), flush=True)


if __name__ == "__main__":
    main()
