"""The servers on the local network, as they are heard by multicast DNS.

Only while the player looks at the list; zeroconf is loaded with it. In a flood each turn of the
loop hears one packet of each network, so keys still get theirs.
"""

import asyncio
import os
from collections.abc import AsyncGenerator, Sequence
from contextlib import suppress
from importlib import import_module
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_interface
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import ifaddr

from clocktowers_tui.net.address import Address
from clocktowers_tui.net.programs import to_its_end
from protocol.nearby import SERVICE, Nearby, from_txt

if TYPE_CHECKING:
    from zeroconf import ServiceStateChange

VARIABLE: Final = "CLOCKTOWERS_NEARBY"
"""With `no` nothing on the network is asked."""
MOST: Final = 32
"""Servers that are listed; a neighbour can announce any number of names."""
QUIET_S: Final = 2.0
PAUSE_S: Final = 0.2
"""Before the servers are told: what answers together comes together."""
_ASKED_MS: Final = 3000
_Ip: TypeAlias = IPv4Address | IPv6Address


class Neighbour(NamedTuple):
    """A server as it was announced. `address`: the best that it has."""

    address: Address
    nearby: Nearby


class Deaf(Exception):
    """Nothing can be heard. It says the system's reason, "" = the library is missing."""


def wanted() -> bool:
    """Whether the player lets the client ask the network."""
    return os.environ.get(VARIABLE, "").lower() != "no"


async def heard() -> AsyncGenerator[list[Neighbour], None]:
    """All servers that are there, each time that this changes; an empty list after two silent
    seconds. Raises Deaf. To be closed (`aclosing`)."""
    try:
        await asyncio.to_thread(import_module, "zeroconf.asyncio")
        ears = _Ears()
    except ImportError:
        raise Deaf("") from None
    except (OSError, RuntimeError) as error:  # the latter where no network has an address
        raise Deaf(getattr(error, "strerror", None) or str(error)) from None
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(QUIET_S):
                await ears.changed.wait()
        while True:
            await asyncio.sleep(PAUSE_S)
            ears.changed.clear()
            yield [one for one in ears.known.values() if one is not None]
            await ears.changed.wait()
    finally:
        await to_its_end(ears.close())


class _Ears:
    """Raises OSError where this machine hears nothing."""

    def __init__(self) -> None:
        from zeroconf import InterfaceChoice, IPVersion
        from zeroconf.asyncio import AsyncServiceBrowser, AsyncZeroconf

        self.known: Final[dict[str, Neighbour | None]] = {}
        """None: it was announced, and is being asked where it is."""
        self.changed: Final = asyncio.Event()
        self._asking: Final[set[asyncio.Task[None]]] = set()
        self._network = AsyncZeroconf(interfaces=InterfaceChoice.All, ip_version=IPVersion.All)
        zeroconf = self._network.zeroconf
        self._browser = AsyncServiceBrowser(zeroconf, SERVICE, handlers=[self._hear])

    async def close(self) -> None:
        for asking in self._asking:
            asking.cancel()
        await self._browser.async_cancel()
        await self._network.async_close()

    def _hear(self, name: str, state_change: "ServiceStateChange", **_rest: Any) -> None:
        if state_change is type(state_change).Removed:
            if self.known.pop(name, None) is not None:
                self.changed.set()
        elif name in self.known or len(self.known) < MOST:
            self.known.setdefault(name, None)
            asking = asyncio.create_task(self._ask(name))
            self._asking.add(asking)
            asking.add_done_callback(self._asking.discard)

    async def _ask(self, name: str) -> None:
        info = await self._network.async_get_service_info(SERVICE, name, _ASKED_MS)
        host = "" if info is None else best(info.parsed_scoped_addresses())
        if name not in self.known:
            return  # it has gone meanwhile
        if info is None or not host or not info.port:
            del self.known[name]
            return
        self.known[name] = Neighbour(Address(host, info.port), from_txt(info.properties))
        self.changed.set()


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
