"""The sockets, the clock that looks after the sessions, and the orderly stop."""

import asyncio
import errno
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, NamedTuple

import ifaddr
import structlog
from msgspec.structs import replace

from protocol.errors import GoodbyeCode
from protocol.from_server import Notice, NoticeCode
from server.config import Config
from server.context import Context, open_context
from server.net.open_files import connections_allowed
from server.net.session import Session
from server.store.journal import Journal

SWEEP_S: Final = 1.0
SWEPT_A_TURN: Final = 20
"""To let one go takes some fifty microseconds, and thousands may have to go at once."""
BACKLOG: Final = 512
"""Connections that may wait to be accepted: a whole club coming back after a restart."""
SEND_BUFFER_BYTES: Final = 64 * 1024
"""What the system may take for a peer that does not read, before our outbox fills: left to itself
it takes megabytes."""
UNSENT_BYTES: Final = 8 * 1024
"""Of that, what may lie there beside what is on its way: else a watcher on a slow line would be
shown what was long ago."""
SWITCH_S: Final = 0.0001
"""How long the loop may keep the interpreter to itself while another thread wants it. A commit of
the journal's thread wants it several times: beside a loop that is never idle, as in a flood, it
takes 5 ms with this and 13 ms with Python's own interval of 5 ms, on a machine with two cores that
others keep busy; shorter intervals gain nothing more."""
PART_POLL_S: Final = 0.01
GOODBYE_S: Final = 1.0
"""How long the last words to players may take to be written when the server stops."""


class Address(NamedTuple):
    """A bound socket; `host` as bound, so possibly 0.0.0.0 or ::"""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class CannotListen(Exception):
    """The address cannot be bound; the text is a sentence that says what to do."""


def lan_addresses() -> list[str]:
    """The IPv4 addresses by which other machines can dial this one."""
    found = [str(ip.ip) for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4]
    return [ip for ip in found if not ip.startswith(("127.", "169.254."))]


def run(main: Coroutine[Any, Any, None]) -> None:
    """`asyncio.run` for a server: on uvloop where it exists (twice the moves a second), and with an
    interpreter that its threads share fairly (`SWITCH_S`)."""
    try:
        import uvloop
    except ImportError:
        new_loop = None
    else:
        new_loop = uvloop.new_event_loop
    before_s = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_S)
    try:
        with asyncio.Runner(loop_factory=new_loop) as runner:
            runner.run(main)
    finally:
        sys.setswitchinterval(before_s)


@asynccontextmanager
async def opened(
    config: Config, journal: Journal, *, password: str = ""
) -> AsyncIterator[tuple[Context, list[Address]]]:
    """A server that listens, until the block is left; the matches that the journal holds go on.

    The journal stays open, and holds what was being played. Raises CannotListen and JournalError.
    """
    config = bearable(config)
    held = await journal.held()
    sockets = bind(config)
    loop = asyncio.get_running_loop()
    async with asyncio.TaskGroup() as group:
        context = open_context(config, journal, group, password)
        await context.restoring.run(held)  # who dials meanwhile waits in the backlog
        servers = [
            # asyncio listens once more, with a backlog of 100 unless it is told.
            await loop.create_server(lambda: Session(context, loop), sock=sock, backlog=BACKLOG)
            for sock in sockets
        ]
        sweeper = group.create_task(_sweep(context))
        try:
            yield context, [Address(*sock.getsockname()[:2]) for sock in sockets]
        finally:
            for server in servers:
                server.close()
            try:
                await _part(context)
            finally:
                sweeper.cancel()
                for task in context.tasks:
                    task.cancel()
                context.brains.close()


def bearable(config: Config) -> Config:
    """With no more connections than this process may have open, or accepting would fail."""
    wished, allowed = config.limits.connections, connections_allowed()
    if wished <= allowed:
        return config
    structlog.get_logger().warning(
        "fewer connections than wished, as so few files may be open; raise that limit (ulimit -Hn)",
        wished=wished,
        connections=allowed,
    )
    return replace(config, limits=replace(config.limits, connections=allowed))


def bind(config: Config) -> list[socket.socket]:
    """The sockets of all addresses in the settings. Raises CannotListen.

    Port 0 means any free one, but the same for every address.
    """
    bound: list[socket.socket] = []
    port = config.port
    for host in config.host:
        try:
            bound.append(_bind_one(host, port))
        except (OSError, UnicodeError) as error:  # the latter: no host can have such a name
            if bound and host in ("::1", "::"):
                continue  # a machine without IPv6; the IPv4 address before it does
            for other in bound:
                other.close()
            raise CannotListen(_why(host, port, error)) from None
        port = bound[0].getsockname()[1]
    return bound


def _bind_one(host: str, port: int) -> socket.socket:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, _type, _proto, _name, address = found[0]
    # An IPv6 socket takes IPv6 only, so that 0.0.0.0 and :: can stand beside each other.
    listening = socket.create_server(
        address[:2],
        family=family,
        backlog=BACKLOG,
        dualstack_ipv6=False,
    )
    # Accepted sockets inherit it. asyncio would set it only on those made with a protocol number,
    # and without it every answer waits for the peer's delayed acknowledgement, some 40 ms.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
    if hasattr(socket, "TCP_NOTSENT_LOWAT"):
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT_BYTES)
    return listening


def _why(host: str, port: int, error: OSError | UnicodeError) -> str:
    if isinstance(error, (socket.gaierror, UnicodeError)):
        return (
            f"cannot listen on {host}: no address is known for that name; "
            "give --host an address of this machine."
        )
    cannot = f"cannot listen on {Address(host, port)}"
    match error.errno:
        case errno.EADDRINUSE:
            return f"{cannot}: another server is running there; choose another --port or --host."
        case errno.EACCES | errno.EPERM:
            return f"{cannot}: that port needs special rights; choose a --port from 1024 up."
        case errno.EADDRNOTAVAIL:
            return f"{cannot}: this machine does not have that address; choose another --host."
    # A socket's own words name the address once more.
    reason = os.strerror(error.errno) if error.errno else error
    return f"{cannot}: {reason}; choose another --port or --host."


async def _sweep(context: Context) -> None:
    """Silence and slowness are looked for by one timer, not by one a session."""
    loop = asyncio.get_running_loop()
    while True:
        await asyncio.sleep(SWEEP_S)
        now_s = loop.time()
        for number, session in enumerate(list(context.sessions), 1):
            try:
                session.check(now_s)
            except Exception:
                structlog.get_logger().exception("check failed", name=session.name)
                session.close()
            if number % SWEPT_A_TURN == 0:
                await asyncio.sleep(0)


async def _part(context: Context) -> None:
    """Tell everybody that the server stops; give the words a moment to be written, and matches one
    to do what they were asked, such as to forget who has left."""
    try:
        context.lobby.stop()
    except Exception:
        structlog.get_logger().exception("a table could not stop")
    for session in list(context.sessions):
        # Nobody has left a seat: it is the table that is going.
        session.table = None
        try:
            session.send(Notice(NoticeCode.SERVER_STOPS))
            session.goodbye(GoodbyeCode.SHUTDOWN)
        except Exception:
            structlog.get_logger().exception("goodbye failed", name=session.name)
            session.close()
    with suppress(TimeoutError):
        async with asyncio.timeout(GOODBYE_S):
            while context.connected or not context.lobby.settled:  # noqa: ASYNC110  (sessions need no event for this one use)
                await asyncio.sleep(PART_POLL_S)


def stop_on_signals(stop: Callable[[], None]) -> None:
    """SIGINT and SIGTERM ask for an orderly stop; the second one does not ask."""
    loop = asyncio.get_running_loop()
    asked = False

    def heard(number: signal.Signals) -> None:
        nonlocal asked
        if asked:
            sys.exit(128 + number)
        asked = True
        structlog.get_logger().info("stopping", signal=number.name)
        stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, heard, number)
