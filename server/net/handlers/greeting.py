"""Coming, staying alive, going."""

from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from protocol.errors import GoodbyeCode
from protocol.from_client import Bye, Hello, Ping, Pong
from protocol.from_server import Goodbye, ServerPong, Welcome
from protocol.games.registry import LEVELS
from protocol.ids import MAGIC, PROTOCOL_VERSIONS
from protocol.text import MAX_NAME_CELLS, clean
from server.admission.gate import Admittance
from server.games.registry import GAMES
from server.tables.names import keys

if TYPE_CHECKING:
    from server.net.session import Session
    from server.nodes.cluster import Cluster


def hello(session: "Session", message: Hello) -> Coroutine[Any, Any, None] | None:
    """Welcome the client, or say goodbye with the reason; once its password is compared, where it
    shows one, and among nodes once its name is found."""
    if message.magic != MAGIC:
        session.goodbye(GoodbyeCode.NOT_HELLO)
        return None
    spoken = [version for version in PROTOCOL_VERSIONS if version in message.versions]
    if not spoken:
        session.goodbye(GoodbyeCode.VERSION, versions=list(PROTOCOL_VERSIONS))
        return None
    if message.ticket and _by_ticket(session, message, spoken[0]):
        return None
    verdict = session.server.admission.judge(session, message)
    if isinstance(verdict, str):
        return _compare(session, message, verdict, spoken[0])
    return _judged(session, message, verdict, spoken[0])


async def _compare(session: "Session", message: Hello, kept: str, version: int) -> None:
    verdict = await session.server.admission.compare(session, message, kept)
    if session.connected and (naming := _judged(session, message, verdict, version)) is not None:
        await naming


def _by_ticket(session: "Session", message: Hello, version: int) -> bool:
    """Welcome a client as another node knew it, or lead it to the node that its ticket is for;
    returns whether the ticket is good for that."""
    cluster = session.server.cluster
    ticket = None if cluster is None else cluster.tickets.read(message.ticket)
    if cluster is None or ticket is None:
        return False
    if not cluster.tickets.use(ticket):
        return cluster.sending.lead(session, message, ticket)
    if (goodbye := cluster.tickets.know(session, ticket.caller, ticket.seen_at)) is not None:
        session.turn_away(goodbye)
    else:
        _welcome(session, session.name, version)
    return True


def _judged(
    session: "Session", message: Hello, verdict: Admittance, version: int
) -> Coroutine[Any, Any, None] | None:
    """Find a name for a client that has shown what it must, and welcome it."""
    server, wished = session.server, message.name
    if isinstance(verdict, Goodbye):
        session.turn_away(verdict)
        return None
    session.came_by = verdict
    if (goodbye := server.refuses(session.identity)) is not None:
        session.turn_away(goodbye)
    elif _is_own(session, wished):
        server.names.take(name := clean(wished))
        _welcome(session, name, version)
    elif server.cluster is None:
        _welcome(session, server.names.claim(wished), version)
    else:
        return _claim(session, server.cluster, wished, version)
    return None


def _is_own(session: "Session", wished: str) -> bool:
    """Whether a seat that waits for this person, or that they gave up, has the name, and no line
    does. All seats are walked only for a name that somebody has."""
    server, name = session.server, clean(wished)
    if not any(map(server.names.has, keys(name))):
        return False
    holds = bool(session.identity) and name in server.lobby.names_of(session.identity)
    return holds and all(line.name != name for line in server.peers.admitted)


async def _claim(session: "Session", cluster: "Cluster", wished: str, version: int) -> None:
    """Among the names that people have on all servers."""
    name = await cluster.naming.claim(wished)
    if session.connected:
        _welcome(session, name, version)
    elif name is not None:
        session.server.names.release(name)


def _welcome(session: "Session", name: str | None, version: int) -> None:
    if name is None:
        session.goodbye(GoodbyeCode.BAD_NAME, cells=MAX_NAME_CELLS)
        return
    server = session.server
    session.came(name)
    session.send(
        Welcome(
            version=version,
            name=name,
            server=server.config.name,
            games=list(GAMES),
            levels=[level for level in LEVELS if server.config.limits.allows(level)],
            invites=server.admission.hosts_invite,
            leads=True,
            annotates=True,
            notifies=server.telling.on,
            nodes=[] if server.cluster is None else server.cluster.dialled_at(),
        )
    )
    server.telling.welcome(session)


def ping(session: "Session", message: Ping) -> None:
    session.send(ServerPong(message.n))


def pong(session: "Session", message: Pong) -> None:
    """Measure how long the line takes."""
    session.answered(message.n)


def bye(session: "Session", message: Bye) -> None:
    """The client leaves on purpose, so its seat is given up and not held."""
    if (table := session.at_table()) is not None:
        table.leave(session)
    session.close("bye")
