"""A server that a client has started for friends: it goes on without its client, and the player's
next client comes back to it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

import structlog
from msgspec.structs import replace

from protocol.ways import Ways
from server.admission.gate import ServerPassword
from server.admission.invitations import CannotInvite
from server.cli.client_pipe import first_line, hung_up, open_stdin
from server.config import Config
from server.guests.host_key import ssh_fingerprint
from server.guests.keeping import found_at
from server.health.watched import opened_and_watched
from server.nearby.announcing import announces
from server.net.listener import Address, PortTaken
from server.net.reachable import dialled, places
from server.operating import words
from server.operating.door import call
from server.server import Server, stop_on_signals
from server.settings import ConfigError
from server.store import state_folder
from server.store.journal import Journal
from server.store.running import RunningServer, all_running, is_alive, running_in
from server.store.state_folder import StateFolder

CHECK_S: Final = 1.0
"""How often it is looked at whether somebody is still there."""


def runs_already(config: Config, flags: Sequence[str]) -> RunningServer | None:
    """The server of this player to go back to: with flags, the one that was started with the same
    settings. Raises ConfigError where one with others has the port."""
    if config.state:
        named = running_in(state_folder.service_path(config.state))
        here = [named] if named is not None else []
    else:
        here = [one for one in all_running() if one.hosted]
    for one in here:
        if one.config == config or not flags:
            return one
    for one in here:
        if one.port == config.port:
            raise ConfigError(
                f"your server already runs on port {one.port}, with other settings: "
                "`clocktowers host` without flags brings you back to it; or choose another --port"
            )
    return None


async def stand_in(own: RunningServer, report: Callable[[dict[str, Any]], None]) -> None:
    """For the client, in place of a server of its own: until the client or that server is gone."""
    client = await open_stdin()
    if not await first_line(client):
        return
    report(
        {
            "listening": own.listening,
            "lan": dialled(own.listening),
            "secret": own.secret,
            "key": own.key,
            "ways": await _ways_now(own),
        }
    )
    await until(asyncio.Event(), _gone(client, own.pid))


async def until(stop: asyncio.Event, end: Coroutine[Any, Any, None]) -> None:
    """Wait until told to stop, or for this end."""
    stop_on_signals(stop.set)
    ending = asyncio.ensure_future(end)
    ending.add_done_callback(lambda _: stop.set())
    await stop.wait()
    ending.cancel()
    with suppress(asyncio.CancelledError):
        await ending


async def _ways_now(own: RunningServer) -> Ways:
    """Those of that server, with another invitation where the first is over or revoked."""
    if not own.ways.invitation:
        return own.ways
    folder = Path(own.folder)
    try:
        held = (await call(folder, words.Issued())).rows or []
        if any(row["name"] == own.invited for row in held):
            return own.ways
        made = (await call(folder, words.Issue())).values or {}
    except words.CouldNot:
        made = {}
    line, page = str(made.get("invitation", "")), str(made.get("page", ""))
    return replace(own.ways, invitation=line, page=page)


async def _gone(client: asyncio.StreamReader, pid: int) -> None:
    """Return when the client or that process is gone."""
    hangs_up = asyncio.ensure_future(hung_up(client))
    while is_alive(pid) and not hangs_up.done():
        await asyncio.wait({hangs_up}, timeout=CHECK_S)
    hangs_up.cancel()


@asynccontextmanager
async def opened_somewhere(
    config: Config, journal: Journal, folder: StateFolder, word: ServerPassword
) -> AsyncIterator[tuple[Server, list[Address], bool]]:
    """For friends: on the wished port, or on any free one; the last says whether the wished port
    was taken."""
    async with AsyncExitStack() as stack:
        try:
            opening = opened_and_watched(config, journal, folder.path, word)
            server, addresses = await stack.enter_async_context(opening)
        except PortTaken:
            free = replace(config, port=0)
            elsewhere = opened_and_watched(free, journal, folder.path, word)
            yield *(await stack.enter_async_context(elsewhere)), True
        else:
            yield server, addresses, False


async def ways_of(server: Server, addresses: Sequence[Address], folder: Path) -> tuple[Ways, str]:
    """How friends come, and the name of the invitation that was made for them. `folder`: the
    server's."""
    config = server.config
    if not dialled(addresses) and not config.public:
        return Ways(), ""
    main = places(config.public, addresses)[0]
    ssh, nearby = found_at("ssh", config, main), announces(server, addresses)
    ways = Ways(ssh=ssh, ssh_key=ssh_fingerprint(folder) if ssh else "", nearby=nearby)
    if not any(door.partition("=")[0] == "tls" for door in config.doors):
        return ways, ""
    try:
        made, line = await server.admission.invitations.issue()
    except CannotInvite as error:
        structlog.get_logger().warning("cannot invite", why=str(error))
        return ways, ""
    return replace(ways, invitation=line, page=server.admission.invitations.page(line)), made.name


def own_key(server: Server) -> str:
    """The hash of its key, in hex, by which its own client knows the server; "" where the operator
    may renew it meanwhile, or there is none: then that client comes in without TLS."""
    return "" if server.config.tls_cert else server.key.hex()


async def until_lonely(server: Server, lonely_s: float) -> None:
    """Wait until no person has sat at any table, and none on this machine has been here, for
    `lonely_s`; where there is no table, until nobody is here."""
    loop = asyncio.get_running_loop()
    seated_at_s = loop.time()
    while True:
        seated = any(table.seating.guests() for table in server.lobby.tables.values())
        if seated or any(one.dials_from_here for one in server.peers.admitted):
            seated_at_s = loop.time()
        deserted = not (server.lobby.tables or server.peers.admitted)
        if deserted or loop.time() - seated_at_s >= lonely_s:
            return
        await asyncio.sleep(min(CHECK_S, lonely_s))
