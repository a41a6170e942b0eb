"""The way in: which door the first byte of a caller leads to.

    00  plain: a hello has at most 1 KiB      16   a TLS handshake
    S   SSH, which begins with its name       A-Z  another word: HTTP

Who begins with any other byte is spoken to plainly, and told what is wrong with it.

Laws: not a byte of a caller is read here. A caller who says nothing is held no longer than
`hello_s`; where there are too many, `Places` says which of them goes. A bug of ours hangs up on one
caller and reaches nobody else.
"""

import asyncio
import socket
from collections import Counter
from collections.abc import Collection, Iterable
from functools import partial
from ipaddress import ip_address, ip_network
from string import ascii_uppercase
from typing import Any, Final, NamedTuple

import structlog

from server.config import Config, Limits
from server.doors import proxy
from server.doors.accepting import Accepting
from server.doors.answers import IN_CLEAR, NO_PAGES, NO_SSH, answering
from server.doors.certificate import Certificate
from server.doors.door import Door, Speak, speaking
from server.doors.handshakes import Handshakes
from server.doors.tls import inside_tls
from server.net.caller import Caller
from server.net.places import Places, TakenPlace
from server.tasks import Tasks

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


class Port:
    """A port at which the doors of these names (`config.DOORS`) are open. `patience_s`: a caller
    who says nothing for so long is silent."""

    def __init__(self, doors: Doors, names: Collection[str], config: Config) -> None:
        hello_s = config.limits.hello_s
        self._in_clear: Final = config.password_in_clear
        self._plain: Final = doors.plain if "plain" in names else _NONE.plain
        self._pages: Final = doors.pages if "web" in names else _NONE.pages
        self._ssh: Final = doors.ssh if "ssh" in names else _NONE.ssh
        self._has_ssh: Final = "ssh" in names
        self.patience_s: Final = min(hello_s, SSH_PATIENCE_S) if self._has_ssh else hello_s
        self._tls: Door | None = None
        if doors.certificate is not None and "tls" in names:
            inside, pace = partial(self._speech, doors.plain), Handshakes(config.limits)
            self._tls = inside_tls(doors.certificate, inside, hello_s, pace)

    def door(self, first: int, caller: Caller) -> Door:
        """For a caller whose first byte this is."""
        if first == _HANDSHAKE and self._tls is not None:
            return self._tls
        if first == ord("S"):
            return self._ssh
        return speaking(self._speech(self._plainly(caller), first))

    def silent(self, caller: Caller) -> Door:
        """For a caller who says nothing."""
        return self._ssh if self._has_ssh else speaking(self._plainly(caller))

    def _plainly(self, caller: Caller) -> Speak:
        return self._plain if self._in_clear or caller.secure else _NONE.plain

    def _speech(self, plain: Speak, first: int) -> Speak:
        return self._pages if chr(first) in ascii_uppercase else plain


class Entrance:
    """Of one server: listens on sockets until `close`. `hits`: as in `Peers`."""

    def __init__(
        self, limits: Limits, trusted_proxies: Iterable[str], hits: Counter[str], tasks: Tasks
    ) -> None:
        self._hello_s: Final = limits.hello_s
        self._proxies: Final = [ip_network(block, strict=False) for block in trusted_proxies]
        self._hits: Final = hits
        self._tasks: Final = tasks
        self._places: Final = Places(
            limits.arriving, limits.per_address, loopback_counts=limits.loopback_counts
        )
        self._accepting: Final[list[Accepting]] = []

    def __len__(self) -> int:
        """How many callers are on their way in."""
        return len(self._places)

    def listen(self, listening: socket.socket, port: Port) -> None:
        """Let in who calls there, from now on."""

        def take(sock: socket.socket, peer: Any) -> None:
            self._tasks.spawn(self._let_in(sock, _at_other_end(sock, peer), port))

        self._accepting.append(Accepting(listening, take))

    def close(self) -> None:
        """Accept nobody more, and hang up on those who are on their way in."""
        for one in self._accepting:
            one.close()
        self._places.empty()

    async def _let_in(self, sock: socket.socket, caller: Caller, port: Port) -> None:
        """Owns the socket until a door does."""
        by_proxy = self._trusts(caller.address)
        place = self._place("" if by_proxy else caller.address)
        try:
            try:
                if by_proxy:
                    told = await _told_by_proxy(sock, caller.since_s + self._hello_s)
                    caller = (told or caller)._replace(since_s=caller.since_s)
                    place.give_back()
                    place = self._place(caller.address)
                door = await _door(sock, caller, port)
            except BaseException:
                sock.close()
                raise
            await door(sock, caller)
        except proxy.NoHeader:
            log = structlog.get_logger()
            log.info("no PROXY header from a trusted proxy", address=caller.address)
        except OSError as error:
            structlog.get_logger().debug("refused", why=str(error), address=caller.address)
        finally:
            place.give_back()

    def _trusts(self, address: str) -> bool:
        return any(ip_address(address) in block for block in self._proxies)

    def _place(self, address: str) -> TakenPlace:
        """For this task, counted for that address, "" = none."""
        task = asyncio.current_task()

        def make_room() -> None:
            assert task is not None
            task.cancel()

        if self._places.full_for(address):
            self._hits["per_address"] += 1
        elif self._places.full:
            self._hits["arriving"] += 1
        return self._places.take(address, make_room)


async def _told_by_proxy(sock: socket.socket, until_s: float) -> Caller | None:
    """Who calls, as a proxy says; None: the proxy itself does. Raises NoHeader and OSError."""
    header = b""
    try:
        while more := proxy.missing(header):
            try:
                came = sock.recv(more)
            except (BlockingIOError, InterruptedError):
                await _readable(sock, until_s)
            else:
                if not came:
                    raise ConnectionResetError
                header += came
    except TimeoutError:
        raise proxy.NoHeader from None
    return proxy.caller_in(header)


async def _door(sock: socket.socket, caller: Caller, port: Port) -> Door:
    """Which one do they want? Their first byte stays where it is: a door reads all. Raises OSError
    for a caller who has gone."""
    while True:
        try:
            first = sock.recv(1, socket.MSG_PEEK)
        except (BlockingIOError, InterruptedError):
            try:
                await _readable(sock, caller.since_s + port.patience_s)
            except TimeoutError:
                return port.silent(caller)
        else:
            if not first:
                raise ConnectionResetError
            return port.door(first[0], caller)


async def _readable(sock: socket.socket, until_s: float) -> None:
    """Returns when something has come. Raises TimeoutError."""
    loop, came = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(sock, came.set)
    try:
        async with asyncio.timeout_at(until_s):
            await came.wait()
    finally:
        loop.remove_reader(sock)


def _at_other_end(sock: socket.socket, peer: Any) -> Caller:
    """The caller of a socket that they dialled themselves: they run here if both ends have one
    address, or theirs is one that only this machine has, or is none, as on a Unix socket."""
    now_s = asyncio.get_running_loop().time()
    if not isinstance(peer, tuple):
        return Caller(here=True, since_s=now_s)
    address, own = str(peer[0]), str(sock.getsockname()[0])
    here = address == own or ip_address(address).is_loopback
    return Caller(address, here, since_s=now_s)
