"""`python -m server local`: a server that a client starts for itself, as a child process.

The client writes a password as the first line of stdin and keeps stdin open; when stdin ends, the
client is gone. Then a solo server ends at once; a hosting server ends when no person has been
seated for a minute. The first line of stdout is JSON: where the server listens, or why it cannot.
"""

import argparse
import asyncio
import os
import stat
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Final

import msgspec

from server.cli.serve import ANYWHERE
from server.config import Config
from server.logs import setup as logs
from server.net.listener import Address, CannotListen, lan_addresses
from server.server import Server, opened, run, stop_on_signals
from server.settings import ConfigError, load
from server.store import state_folder
from server.store.journal import Journal, JournalError
from server.store.migrating import Unusable
from server.store.sqlite import journal_in, somebody_may_return
from server.store.state_folder import FolderTaken, StateFolder

LONELY_S: Final = 60.0
"""How long a hosting server goes on without any person on a seat, once its client is gone."""
_NO_BOUNDS: Final = {
    name: 10**6
    for name in (
        "tables_per_address",
        "tables_per_identity",
        "bots_per_address",
        "bots_per_identity",
    )
}
CHECK_S: Final = 1.0
FIRST_LINE_S: Final = 10.0
PATIENCE_S: Final = 10 * 365 * 86400.0
"""How long a match against bots waits for its player."""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("local")
    parser.add_argument("--for", dest="purpose", choices=("solo", "host"), required=True)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--folder", type=int, help="the one in which a match waits")
    parser.add_argument("--instead", action="store_true", help="end the match that waits there")
    parser.add_argument("--bot-pace-s", type=float, default=Config().bot_pace_s)
    parser.add_argument("--lonely-s", type=float, default=LONELY_S)
    parser.set_defaults(run=run_command)


def run_command(args: argparse.Namespace) -> int:
    try:
        folder = _folder(args)
    except FolderTaken as error:
        return _cannot(str(error))
    try:
        _open_log(folder)
        run(_main(args, _config(args), folder))
    except (CannotListen, ConfigError, NoClient, Unusable, JournalError) as error:
        return _cannot(str(error))
    finally:
        logs.close()
        folder.release()
    return 0


def _open_log(folder: StateFolder) -> None:
    try:
        logs.to_file(folder.log, "info")
    except OSError:  # stdout is the client's, so not there
        logs.to_stderr("info")


def _folder(args: argparse.Namespace) -> StateFolder:
    if args.purpose == "host":
        return state_folder.for_host()
    if args.folder is not None:
        return state_folder.where_a_match_waits(args.folder)
    return state_folder.for_solo(somebody_may_return)


def _cannot(why: str) -> int:
    _report({"error": why})
    return 2


def _report(what: dict[str, object]) -> None:
    print(msgspec.json.encode(what).decode(), flush=True)


class NoClient(Exception):
    """No client started this process; the text says what is missing."""


def _config(args: argparse.Namespace) -> Config:
    """Solo: listen on loopback only, and let a match wait as long as its player likes. Host: listen
    on all addresses."""
    flags = {"port": args.port, "bot_pace_s": args.bot_pace_s}
    if args.purpose == "host":
        return load(None, {}, {**flags, "host": ANYWHERE})
    # Nobody else is there to be shut out.
    limits = {"standstill_s": PATIENCE_S, "untouched_s": PATIENCE_S, **_NO_BOUNDS}
    return load(None, {}, {**flags, "host": ["127.0.0.1"], "limits": limits, "keep_days": 0})


async def _main(args: argparse.Namespace, config: Config, folder: StateFolder) -> None:
    client = await _open_stdin()
    password = await _first_line(client)
    if not password:
        return
    async with (
        journal_in(folder.path) as journal,
        _opened_somewhere(args, config, journal, password, folder) as (server, addresses),
    ):
        _report(
            {
                "folder": int(folder.path.name),
                "listening": [[address.host, address.port] for address in addresses],
                "lan": lan_addresses() if args.purpose == "host" else [],
            }
        )
        await _until_needless(args, client, server)


@asynccontextmanager
async def _opened_somewhere(
    args: argparse.Namespace, config: Config, journal: Journal, password: str, folder: StateFolder
) -> AsyncIterator[tuple[Server, list[Address]]]:
    """Solo: open with the password. Host: open without one, on the wished port or any free one."""
    async with AsyncExitStack() as stack:
        if args.purpose == "solo":
            if args.folder is None or args.instead:  # the player can no longer return to these
                for match in await journal.held():
                    await journal.forget(match)
            yield await stack.enter_async_context(opened(config, journal, password=password))
            return
        try:
            server = await stack.enter_async_context(opened(config, journal, folder=folder.path))
        except CannotListen:
            elsewhere = msgspec.structs.replace(config, port=0)
            server = await stack.enter_async_context(opened(elsewhere, journal, folder=folder.path))
        yield server


async def _until_needless(
    args: argparse.Namespace, client: asyncio.StreamReader, server: Server
) -> None:
    """Wait until told to stop, or the client is gone (host: and nobody is seated for long)."""
    stop = server.stopping
    stop_on_signals(stop.set)
    watching = asyncio.ensure_future(_watch(args, client, server, stop))
    await stop.wait()
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching


async def _watch(
    args: argparse.Namespace, client: asyncio.StreamReader, server: Server, stop: asyncio.Event
) -> None:
    try:
        with suppress(OSError):  # a pipe that breaks is a client that is gone
            while await client.read(1024):
                pass
        if args.purpose == "host":
            await _until_lonely(server, args.lonely_s)
    finally:
        stop.set()


async def _until_lonely(server: Server, lonely_s: float) -> None:
    """Wait until no person has sat at any table for `lonely_s`."""
    loop = asyncio.get_running_loop()
    seated_at_s = loop.time()
    while True:
        if any(table.seating.guests() for table in server.lobby.tables.values()):
            seated_at_s = loop.time()
        elif loop.time() - seated_at_s >= lonely_s:
            return
        await asyncio.sleep(min(CHECK_S, lonely_s))


async def _open_stdin() -> asyncio.StreamReader:
    mode = os.fstat(sys.stdin.fileno()).st_mode
    if not (
        stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
    ):  # with anything else uvloop ends the process
        raise NoClient("stdin is no pipe of a client; people use `serve` instead")
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    return reader


async def _first_line(client: asyncio.StreamReader) -> str:
    """The line that the client wrote, or "" when the client is gone already."""
    try:
        async with asyncio.timeout(FIRST_LINE_S):
            return (await client.readline()).decode("utf-8", "replace").strip()
    except TimeoutError:
        raise NoClient("no password came on stdin; people use `serve` instead") from None
    except ValueError:
        raise NoClient("the password on stdin is too long") from None
