"""From what the player wants to an open line: a server is started where one's own is needed."""

from typing import NamedTuple, TypeAlias

from clocktowers_tui.net.address import DEFAULT_PORT, Address
from clocktowers_tui.net.link import Link
from clocktowers_tui.net.local import LocalServer, Purpose
from protocol.from_client import CreateTable, Join, Request, Start, Watch


class Solo(NamedTuple):
    """Play against bots, on a server for this match alone."""

    table: CreateTable


class Host(NamedTuple):
    """Open a server that others on the network can join."""

    port: int = DEFAULT_PORT


class Visit(NamedTuple):
    """Go to somebody's server; with a `table` (its code) straight to it."""

    address: Address
    password: str = ""
    table: str = ""
    watch: bool = False


Wish: TypeAlias = Solo | Host | Visit


class Arrival(NamedTuple):
    """An open line, what it was opened for, and the server that ends with it, if it is ours."""

    wish: Wish
    link: Link
    server: LocalServer | None = None

    async def end(self) -> None:
        """Close the line, stop the server."""
        try:
            await self.link.close()
        finally:
            if self.server is not None:
                await self.server.stop()


async def arrive(wish: Wish, name: str) -> Arrival:
    """Raises LinkError; neither line nor server is left then."""
    if isinstance(wish, Visit):
        return Arrival(wish, await Link.open(wish.address, name, wish.password))
    purpose, port = (Purpose.SOLO, 0) if isinstance(wish, Solo) else (Purpose.HOST, wish.port)
    server = await LocalServer.start(purpose, port)
    try:
        return Arrival(wish, await Link.open(server.address, name, server.password), server)
    except BaseException:
        await server.stop()
        raise


def first_steps(wish: Wish) -> list[Request]:
    """What to ask for at once; the first refusal ends it."""
    match wish:
        case Solo(table=table):
            return [table, Start(id=0)]
        case Visit(table=code, watch=watch) if code:
            return [Watch(id=0, table=code) if watch else Join(id=0, table=code)]
        case _:
            return []


def again(wish: Wish) -> Wish:
    """What to wish for after the line was lost: the seat at the table is lost with it."""
    return wish._replace(table="", watch=False) if isinstance(wish, Visit) else wish
