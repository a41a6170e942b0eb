"""Coming, staying alive, going."""

from collections.abc import Awaitable, Callable
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

from protocol.errors import GoodbyeCode
from protocol.from_client import Bye, Hello, Ping, Pong
from protocol.from_server import Goodbye, Pong as PongBack, Welcome
from protocol.games.registry import LEVELS
from protocol.text import MAX_NAME_CELLS
from protocol.version import MAGIC, PROTOCOL_VERSIONS
from server.admission.gate import Credentials, Pass
from server.games.registry import GAMES
from server.net.service import Service

if TYPE_CHECKING:
    from server.net.session import Session


def hello(service: Service, session: "Session", message: Hello) -> None:
    """Welcome the client, or say goodbye with the reason."""
    if message.magic != MAGIC:
        session.goodbye(GoodbyeCode.NOT_HELLO)
        return
    spoken = [version for version in PROTOCOL_VERSIONS if version in message.versions]
    if not spoken:
        session.goodbye(GoodbyeCode.VERSION, versions=list(PROTOCOL_VERSIONS))
        return
    admission, caller = service.admission, session.caller
    identity = caller.identity or _shown(message)
    shown = Credentials(
        password=message.password,
        invitation=message.invitation,
        place=session.origin or caller.address,
        identity=identity,
        private=caller.secure,
        own=caller.here,
    )

    def judged(verdict: Goodbye | Pass) -> None:
        if isinstance(verdict, Goodbye):
            session.if_here(partial(session.turn_away, verdict))
        else:
            session.came_by = verdict.invitation
            wished = message.name
            session.if_here(partial(_welcome, service, session, wished, identity, spoken[0]))

    async def compare(kept: str) -> None:
        judged(await admission.compare(shown, kept))

    verdict = admission.judge(shown)
    if isinstance(verdict, str):
        service.lobby.runner.spawn(compare(verdict))
    else:
        judged(verdict)


def _welcome(
    service: Service, session: "Session", wished: str, identity: bytes, version: int
) -> None:
    """Welcome a client that has shown what it must."""
    if (goodbye := service.refuses(identity)) is not None:
        session.turn_away(goodbye)
        return
    welcome = partial(_named, service, session, identity, version)
    if service.claim is None:
        welcome(service.lobby.names.claim(wished))
    else:
        service.lobby.runner.spawn(_claim(service, service.claim(wished), session, welcome))


async def _claim(
    service: Service,
    claiming: Awaitable[str | None],
    session: "Session",
    welcome: Callable[[str | None], None],
) -> None:
    name = await claiming
    if session.connected:
        session.if_here(partial(welcome, name))
    elif name is not None:
        service.lobby.names.release(name)


def _named(
    service: Service, session: "Session", identity: bytes, version: int, name: str | None
) -> None:
    if name is None:
        session.goodbye(GoodbyeCode.BAD_NAME, cells=MAX_NAME_CELLS)
        return
    session.name = name
    session.identity = identity
    session.came()
    session.send(
        Welcome(
            version=version,
            name=name,
            server=service.name,
            games=list(GAMES),
            levels=[level for level in LEVELS if service.lobby.limits.allows(level)],
            invites=service.admission.hosts_invite,
        )
    )


def _shown(hello: Hello) -> bytes:
    """The hash is enough to recognise it, and nobody can show the hash in its place."""
    return b"" if hello.identity is None else sha256(hello.identity).digest()


def ping(service: Service, session: "Session", message: Ping) -> None:
    session.send(PongBack(message.n))


def pong(service: Service, session: "Session", message: Pong) -> None:
    """Measure how long the line takes."""
    session.answered(message.n)


def bye(service: Service, session: "Session", message: Bye) -> None:
    """The client leaves on purpose, so its seat is given up and not held."""
    if (table := session.at_table()) is not None:
        table.leave(session)
    session.close("bye")


def gone(service: Service, session: "Session") -> None:
    """The connection is over, however it ended: free what it held."""
    try:
        service.lobby.list.unsubscribe(session)
        if (table := session.at_table()) is not None:
            table.drop(session)
    finally:
        session.table = None
        if session.name:
            service.lobby.names.release(session.name)
            session.name = ""
