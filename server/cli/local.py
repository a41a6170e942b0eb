"""`python -m server local`: a server that a client starts for itself, as a child process.

The client writes a password as the first line of stdin and keeps stdin open; when stdin ends, the
client is gone. Then a solo server ends at once; a hosting server ends when for a minute nobody has
been seated and nobody on this machine has been connected, and at once when it has no table and
nobody is connected.

The first line of stdout is JSON: where the server listens, or why it cannot. A player's next client
comes back to a hosting server that still runs: then this process only stands in for it.
"""

import argparse
import asyncio
from contextlib import AsyncExitStack
from typing import Final

import msgspec
import structlog

from protocol.ways import Ways
from server.admission.gate import ServerPassword
from server.cli import serve
from server.cli.client_pipe import NoClient, first_line, hung_up, open_stdin
from server.cli.hosting import (
    opened_somewhere,
    own_key,
    runs_already,
    stand_in,
    until,
    until_lonely,
    ways_of,
)
from server.cli.password import kept_password
from server.cli.settings import read_flags
from server.config import Config, Limits
from server.logs import setup as logs
from server.nearby.announcing import announced
from server.net.listener import CannotListen
from server.net.reachable import ANYWHERE, dialled
from server.server import Server, opened, run
from server.settings import ConfigError
from server.store import opening, state_folder
from server.store.journal import Journal, JournalError
from server.store.migrating import Unusable
from server.store.running import noted_as_running, running_on
from server.store.sqlite import somebody_may_return
from server.store.state_folder import FolderTaken, StateFolder

LONELY_S: Final = 60.0
"""How long a hosting server goes on without anybody, once its client is gone."""
NO_BOUND: Final = 10**6
"""Where nobody else is there to be shut out."""
PATIENCE_S: Final = 10 * 365 * 86400.0
"""How long a match against bots waits for its player."""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("local", allow_abbrev=False)
    parser.add_argument("--for", dest="purpose", choices=("solo", "host"), required=True)
    parser.add_argument("--folder", type=int, help="the one in which a match waits")
    parser.add_argument("--instead", action="store_true", help="end the match that waits there")
    parser.add_argument("--lonely-s", type=float, default=LONELY_S)
    parser.set_defaults(run=run_command)


def run_command(args: argparse.Namespace) -> int:
    """`args.rest`: the flags of `serve`."""
    try:
        config = _config(args)
        if args.purpose == "host" and (own := runs_already(config, args.rest)) is not None:
            run(stand_in(own, _report))
            return 0
        folder = _folder(args, config)
    except (FolderTaken, ConfigError, NoClient) as error:
        return _cannot(str(error))
    try:
        kept = kept_password(config) if args.purpose == "host" else None
        _open_log(folder, config)
        run(_main(args, config, folder, kept))
    except (CannotListen, ConfigError, NoClient, Unusable, JournalError) as error:
        return _cannot(str(error))
    finally:
        logs.close()
        folder.release()
    return 0


def _open_log(folder: StateFolder, config: Config) -> None:
    if config.log_file:
        serve.open_log(config)
        return
    try:
        logs.to_file(folder.log, config.log_level)
    except OSError:  # stdout is the client's, so not there
        logs.to_stderr(config.log_level)


def _folder(args: argparse.Namespace, config: Config) -> StateFolder:
    if args.purpose == "host":
        named = config.state
        return state_folder.for_service(named) if named else state_folder.for_host()
    if args.folder is not None:
        return state_folder.where_a_match_waits(args.folder)
    return state_folder.for_solo(somebody_may_return)


def _cannot(why: str) -> int:
    _report({"error": why})
    return 2


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
        bots_per_address=NO_BOUND,
        bots_per_identity=NO_BOUND,
    )
    alone = Config(host=("127.0.0.1",), port=0, doors=("plain",), limits=limits, keep_days=0)
    return read_flags(args.rest, alone, env={}).config


async def _main(
    args: argparse.Namespace, config: Config, folder: StateFolder, kept: str | None
) -> None:
    client = await open_stdin()
    password = await first_line(client)
    if not password:
        return
    async with AsyncExitStack() as stack:
        journal = await stack.enter_async_context(opening.journal(config, folder.path))
        if args.purpose == "solo":
            await _forget_others(args, journal)
            alone = opened(config, journal, word=ServerPassword("", password))
            server, addresses = await stack.enter_async_context(alone)
            taken, ways = False, Ways()
        else:
            word = ServerPassword(kept, password)
            for_friends = opened_somewhere(config, journal, folder, word)
            server, addresses, taken = await stack.enter_async_context(for_friends)
            key = own_key(server)
            ways, name = await ways_of(server, addresses, folder.path)
            own = noted_as_running(folder, addresses, config, password, key, ways, name)
            stack.enter_context(own)
        number = folder.path.name
        _report(
            {
                "folder": int(number) if number.isdigit() else 0,
                "listening": [[address.host, address.port] for address in addresses],
                "lan": dialled(addresses) if args.purpose == "host" else [],
                "key": own_key(server),
                "ways": ways,
                "taken": config.port if taken else 0,
                "by_own": taken and running_on(config.port) is not None,
            }
        )
        if args.purpose == "host":
            told = announced(server, addresses, structlog.get_logger().info)
            await stack.enter_async_context(told)
        await until(server.stopping, _needless(args, client, server))


async def _forget_others(args: argparse.Namespace, journal: Journal) -> None:
    if args.folder is None or args.instead:  # the player can no longer return to these
        for match in await journal.held():
            await journal.forget(match)


async def _needless(args: argparse.Namespace, client: asyncio.StreamReader, server: Server) -> None:
    """Return when the client is gone, and of a hosting server everybody who plays."""
    await hung_up(client)
    if args.purpose == "host":
        await until_lonely(server, args.lonely_s)
