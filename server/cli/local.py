"""`python -m server local`: a server that a client starts for itself, as a child process.

The client writes a password, and the name of its player, as the first line of stdin and keeps stdin
open; when stdin ends, the client is gone. Then a solo server ends at once; a hosting server ends
when for a minute nobody has been seated and nobody on this machine has been connected, and at once
when it has no table and nobody is connected.

The first line of stdout is JSON: where the server listens, or why it cannot. A player's next client
comes back to a hosting server that still runs: then this process only stands in for it.
"""

import argparse
import asyncio
import os
import stat
import sys
from collections.abc import Coroutine, Sequence
from contextlib import AsyncExitStack, ExitStack, suppress
from pathlib import Path
from typing import Any, Final

import msgspec
import structlog
from msgspec.structs import replace

from protocol.invitation import Ways
from protocol.table import DAY_S
from server.admission.gate import ServerPassword
from server.admission.invitations import CannotInvite
from server.cli import serve
from server.cli.common import CANNOT, SENTENCES
from server.cli.settings import kept_password, read_flags
from server.config import Config, Limits
from server.doors.certificate import ssh_fingerprint
from server.guests.keeping import found_at
from server.health.watched import opened_and_watched
from server.logs import setup as logs
from server.nearby.announcing import announced, announces
from server.net.listener import ANYWHERE, Address, PortTaken, dialled, places
from server.operating.commands import Issue, Issued
from server.operating.door import call
from server.operating.words import CouldNot
from server.server import Server, opened, run, stop_on_signals
from server.settings import ConfigError
from server.store import opening, state_folder
from server.store.sqlite import somebody_may_return
from server.store.state_folder import (
    RunningServer,
    StateFolder,
    all_running,
    is_alive,
    newest_in,
    noted_as_running,
    running_in,
    running_on,
)

LONELY_S: Final = 60.0
"""How long a hosting server goes on without anybody, once its client is gone."""
NO_BOUND: Final = 10**6
"""Where nobody else is there to be shut out."""
PATIENCE_S: Final = 10 * 365.0 * DAY_S
"""How long a match against bots waits for its player."""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("local", allow_abbrev=False)
    parser.add_argument("--for", dest="purpose", choices=("solo", "host"), required=True)
    parser.add_argument("--folder", type=int, help="the one in which a match waits")
    parser.add_argument("--instead", action="store_true", help="end the match that waits there")
    parser.add_argument("--lonely-s", type=float, default=LONELY_S)
    parser.add_argument("--key", default="", help="only the server that is known by it")
    parser.set_defaults(run=run_command)


def run_command(args: argparse.Namespace) -> int:
    """`args.rest`: the flags of `serve`."""
    hosts = args.purpose == "host"
    with ExitStack() as stack:
        try:
            config = _config(args)
            own = runs_already(config, args.rest) if hosts else None
            if own is not None and args.key in ("", own.key):
                run(stand_in(own))
                return 0
            folder = _folder(args, config)
            stack.callback(folder.release)
            if args.key:
                last = newest_in(folder.path)
                if last is None or last.key != args.key:
                    raise CouldNot("the server with that key is somebody else's")
                config = last.config  # as its host has opened it, to no other network
            kept = kept_password(config) if hosts else ""
            _open_log(folder, config)
            stack.callback(logs.close)
            run((_host if hosts else _solo)(args, config, folder, kept))
        except SENTENCES as error:
            _report({"error": str(error)})
            return CANNOT
    return 0


def _folder(args: argparse.Namespace, config: Config) -> StateFolder:
    if args.purpose == "host":
        named = config.state
        return state_folder.for_service(named) if named else state_folder.for_host()
    if args.folder is not None:
        return state_folder.where_a_match_waits(args.folder)
    return state_folder.for_solo(somebody_may_return)


def _open_log(folder: StateFolder, config: Config) -> None:
    if config.log_file:
        serve.open_log(config)
        return
    try:
        logs.to_file(folder.log, config.log_level)
    except OSError:  # stdout is the client's, so not there
        logs.to_stderr(config.log_level)


def _report(what: dict[str, object]) -> None:
    print(msgspec.json.encode(what).decode(), flush=True)


def _config(args: argparse.Namespace) -> Config:
    """Solo: listen on loopback only, and let a match wait as long as its player likes. Host: listen
    on all addresses and tell the network, unless the settings say otherwise."""
    if args.purpose == "host":
        usual = Config(host=ANYWHERE, announce=True, limits=Limits(expert_bots=True))
        return read_flags(args.rest, usual).config
    limits = Limits(
        expert_bots=True,
        standstill_s=PATIENCE_S,
        untouched_s=PATIENCE_S,
        tables_per_address=NO_BOUND,
        tables_per_identity=NO_BOUND,
        waiting_per_address=NO_BOUND,
        waiting_per_identity=NO_BOUND,
        bots_per_address=NO_BOUND,
        bots_per_identity=NO_BOUND,
    )
    alone = Config(host=("127.0.0.1",), port=0, doors=("plain",), limits=limits, keep_days=0)
    return read_flags(args.rest, alone, env={}).config


async def _solo(
    args: argparse.Namespace, config: Config, folder: StateFolder, kept: str | None
) -> None:
    """Until the client is gone."""
    client = await open_stdin()
    if not (secret := (await first_line(client)).partition(" ")[0]):
        return
    async with opening.journal(config, folder.path) as journal:
        if args.folder is None or args.instead:  # the player can no longer return to these
            for match in await journal.current():
                await journal.forget(match)
        word = ServerPassword(kept, secret)
        async with opened(config, journal, word=word) as (server, addresses):
            _report({"folder": _number(folder), "listening": addresses})
            await until(server.stopping, hung_up(client))


async def _host(
    args: argparse.Namespace, config: Config, folder: StateFolder, kept: str | None
) -> None:
    """On the wished port, or on any free one; until the client is gone, and everybody who plays.
    Where a match waits for its players it is first the port that they know."""
    client = await open_stdin()
    if not (said := await first_line(client)):
        return
    secret, _blank, player = said.partition(" ")
    word, taken = ServerPassword(kept, secret), 0
    async with AsyncExitStack() as stack:
        journal = await stack.enter_async_context(opening.journal(config, folder.path))
        for port in dict.fromkeys((_known_port(folder, config), config.port, 0)):
            serving = opened_and_watched(replace(config, port=port), journal, folder.path, word)
            try:
                server, addresses = await stack.enter_async_context(serving)
                break
            except PortTaken:
                if not port:
                    raise
                if port == config.port:
                    taken = port
        # An operator may renew a certificate of their own: then that client comes in without TLS.
        key = "" if server.config.tls_cert else server.key.hex()
        ways, name = await ways_of(server, addresses, folder.path)
        running = RunningServer(
            listening=[*addresses], config=config, secret=secret, key=key, ways=ways, invited=name
        )
        stack.enter_context(noted_as_running(folder, running))
        _report(
            {
                "folder": _number(folder),
                "listening": addresses,
                "lan": dialled(addresses),
                "key": key,
                "ways": ways,
                "taken": taken,
                "by_own": bool(taken) and running_on(taken) is not None,
            }
        )
        told = announced(server, addresses, structlog.get_logger().info, player)
        await stack.enter_async_context(told)
        await until(server.stopping, _needless(client, server, args.lonely_s))


def _known_port(folder: StateFolder, config: Config) -> int:
    """Where the server listened that had the folder last, if a match of it waits; else the wished
    port."""
    last = newest_in(folder.path)
    if last is None or last.config != config or not somebody_may_return(folder.path):
        return config.port
    return last.port


def _number(folder: StateFolder) -> int:
    """By which the client finds the folder again; 0 = it has a name."""
    return int(folder.path.name) if folder.path.name.isdigit() else 0


async def _needless(client: asyncio.StreamReader, server: Server, lonely_s: float) -> None:
    """Return when the client is gone, and everybody who plays."""
    await hung_up(client)
    await until_lonely(server, lonely_s)


# A server that a client has started for friends: it goes on without its client, and the player's
# next client comes back to it.


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


async def stand_in(own: RunningServer) -> None:
    """For the client, in place of a server of its own: until the client or that server is gone."""
    client = await open_stdin()
    if not await first_line(client):
        return
    kept = {name: getattr(own, name) for name in ("listening", "secret", "key")}
    _report({**kept, "lan": dialled(own.listening), "ways": await _ways_now(own)})
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
        held = (await call(folder, Issued())).rows or []
        if any(row["name"] == own.invited for row in held):
            return own.ways
        made = (await call(folder, Issue())).values or {}
    except CouldNot:
        made = {}
    line, page = str(made.get("invitation", "")), str(made.get("page", ""))
    return replace(own.ways, invitation=line, page=page)


async def _gone(client: asyncio.StreamReader, pid: int) -> None:
    """Return when the client or that process is gone."""
    hangs_up = asyncio.ensure_future(hung_up(client))
    while is_alive(pid) and not hangs_up.done():
        await asyncio.wait({hangs_up}, timeout=CHECK_S)
    hangs_up.cancel()


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


async def until_lonely(server: Server, lonely_s: float) -> None:
    """Wait until for `lonely_s` nobody has sat at a table, nobody on this machine has been here,
    and no seat of theirs has waited for the first match of a table, but one of days, which the next
    server has again; where there is no table, until nobody is here."""
    loop = asyncio.get_running_loop()
    seated_at_s = loop.time()
    while True:
        seated = any(
            chair.guest is not None
            or (chair.awaited and not chair.origin and not (table.match or table.days))
            for table in server.lobby.tables.values()
            for chair in table.seating.chairs
        )
        if seated or any(one.dials_from_here for one in server.peers.admitted):
            seated_at_s = loop.time()
        deserted = not (server.lobby.tables or server.peers.admitted)
        if deserted or loop.time() - seated_at_s >= lonely_s:
            return
        await asyncio.sleep(min(CHECK_S, lonely_s))


# The pipe from a client to the server that it has started: a line, and then nothing until the
# client is gone.


FIRST_LINE_S: Final = 10.0


async def open_stdin() -> asyncio.StreamReader:
    mode = os.fstat(sys.stdin.fileno()).st_mode
    if not (
        stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
    ):  # with anything else uvloop ends the process
        raise CouldNot("stdin is no pipe of a client; people use `serve` instead")
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    return reader


async def first_line(client: asyncio.StreamReader) -> str:
    """The line that the client wrote, or "" when the client is gone already."""
    try:
        async with asyncio.timeout(FIRST_LINE_S):
            return (await client.readline()).decode("utf-8", "replace").strip()
    except TimeoutError:
        raise CouldNot("no password came on stdin; people use `serve` instead") from None
    except ValueError:
        raise CouldNot("the password on stdin is too long") from None


async def hung_up(client: asyncio.StreamReader) -> None:
    """Return when the client is gone."""
    with suppress(OSError):  # a pipe that breaks is one, too
        while await client.read(1024):
            pass
