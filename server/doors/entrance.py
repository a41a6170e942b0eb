"""The way in: the first byte of a caller says which door they want.

    00  plain: a hello has at most 1 KiB      16   a TLS handshake
    S   SSH, which begins with its name       A-Z  another word: HTTP

Who begins with any other byte is spoken to plainly, and told what is wrong with it.
"""

import asyncio
import socket
from collections.abc import Collection, Iterable
from functools import partial
from ipaddress import ip_address, ip_network
from string import ascii_uppercase
from typing import Any, Final, NamedTuple

from server.config import Config
from server.doors.accepting import Accepting
from server.doors.answers import IN_CLEAR, NO_PAGES, NO_SSH, answering
from server.doors.certificate import Certificate
from server.doors.door import Door, Speak, speaking
from server.doors.handshakes import Handshakes
from server.doors.newcomers import Newcomer, Newcomers, Ways
from server.doors.tls import inside_tls
from server.net.caller import Caller

SSH_PATIENCE_S: Final = 2.0
"""Then a caller who says nothing may be one that waits for the server's version."""
_HANDSHAKE: Final = 0x16


class Doors(NamedTuple):
    """Of one server; by default, what is said where there is none. `plain`: how to speak with
    players; `pages`: with who speaks HTTP; `certificate`: for TLS, None = there is none."""

    plain: Speak = answering(IN_CLEAR)
    pages: Speak = answering(NO_PAGES)
    ssh: Door = speaking(answering(NO_SSH))
    certificate: Certificate | None = None


_NONE: Final = Doors()


def ways_in(doors: Doors, names: Collection[str], config: Config) -> Ways:
    """From a port at which the doors of these names are open (`config.DOORS`)."""
    hello_s, anywhere = config.limits.hello_s, config.password_in_clear
    pages = doors.pages if "web" in names else _NONE.pages
    ssh = doors.ssh if "ssh" in names else _NONE.ssh

    def speech(plain: Speak, first: int) -> Speak:
        return pages if chr(first) in ascii_uppercase else plain

    def in_clear(caller: Caller) -> Speak:
        return doors.plain if "plain" in names and (anywhere or caller.secure) else _NONE.plain

    tls = None
    if doors.certificate is not None and "tls" in names:
        pace = Handshakes(config.limits)
        tls = inside_tls(doors.certificate, partial(speech, doors.plain), hello_s, pace)

    def choose(first: int, caller: Caller) -> Door:
        if first == _HANDSHAKE and tls is not None:
            return tls
        return ssh if first == ord("S") else speaking(speech(in_clear(caller), first))

    if "ssh" in names:
        return Ways(choose, lambda _caller: ssh, min(hello_s, SSH_PATIENCE_S))
    return Ways(choose, lambda caller: speaking(in_clear(caller)), hello_s)


class Entrance:
    """Listens on sockets until `close`."""

    def __init__(self, newcomers: Newcomers, trusted_proxies: Iterable[str]) -> None:
        self._newcomers: Final = newcomers
        self._proxies: Final = [ip_network(block, strict=False) for block in trusted_proxies]
        self._accepting: Final[list[Accepting]] = []

    def listen(self, listening: socket.socket, ways: Ways) -> None:
        """Let in who calls there, from now on."""
        self._accepting.append(Accepting(listening, partial(self._take, ways)))

    def _take(self, ways: Ways, sock: socket.socket, peer: Any) -> None:
        caller = _at_other_end(sock, peer)
        newcomer = Newcomer(self._newcomers, sock, caller, ways)
        if self._proxies and self._trusts(caller.address):
            newcomer.come_through_proxy()
        else:
            newcomer.come()

    def _trusts(self, address: str) -> bool:
        ip = ip_address(address)
        return any(ip in block for block in self._proxies)

    def close(self) -> None:
        """Accept nobody more, and hang up on those who are on their way in."""
        for one in self._accepting:
            one.close()
        self._newcomers.end()


def _at_other_end(sock: socket.socket, peer: Any) -> Caller:
    """The caller of a socket that they dialled themselves: they run here if both ends have one
    address, or theirs is one that only this machine has, or is none, as on a Unix socket."""
    now_s = asyncio.get_running_loop().time()
    if not isinstance(peer, tuple):
        return Caller(here=True, since_s=now_s)
    address, own = str(peer[0]), str(sock.getsockname()[0])
    here = address == own or ip_address(address).is_loopback
    return Caller(address, here, since_s=now_s)
