"""`clocktowers-server serve`: serve matches until told to stop."""

import argparse
import asyncio
import os
import sys
from pathlib import Path
from typing import Any

from protocol.version import DEFAULT_PORT
from server.config import Config, ConfigError, load
from server.logs import setup as logs
from server.net.listener import Address, CannotListen, lan_addresses
from server.server import opened, run, stop_on_signals
from server.store import state_folder
from server.store.journal import JournalError
from server.store.migrating import Unusable
from server.store.sqlite import FILE_NAME, journal_in
from server.store.state_folder import FolderTaken, StateFolder

LOOPBACK = ("127.0.0.1", "::1", "localhost")
ANYWHERE = ("0.0.0.0", "::")


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "serve",
        help="hold matches for friends",
        description="Listens on this machine only, unless --host says otherwise.",
    )
    parser.add_argument(
        "--host", action="append", help="address to listen on; 0.0.0.0 = all (may be repeated)"
    )
    parser.add_argument("--port", type=int, help=f"{DEFAULT_PORT} unless given; 0 = any free one")
    parser.add_argument("--config", type=Path, help="a TOML file with settings")
    parser.add_argument("--name", help="what the server calls itself")
    parser.add_argument("--state", help="folder for its state")
    parser.add_argument("--bot-pace-s", type=float, help="seconds that a bot's action is shown for")
    parser.add_argument("--log-level", choices=("debug", "info", "warning", "error"))
    parser.set_defaults(run=run_command)


def run_command(args: argparse.Namespace) -> int:
    try:
        config = load(args.config, os.environ, _flags(args))
        folder = state_folder.for_service(config.state)
    except (ConfigError, FolderTaken) as error:
        print(f"clocktowers-server: {error}", file=sys.stderr)
        return 2
    try:
        _open_log(config)
        run(_serve(config, folder))
    except (CannotListen, ConfigError, Unusable, JournalError) as error:
        print(f"clocktowers-server: {error}", file=sys.stderr)
        return 2
    finally:
        logs.close()
        folder.release()
    return 0


def _open_log(config: Config) -> None:
    if not config.log_file:
        logs.to_stderr(config.log_level)
        return
    try:
        logs.to_file(Path(config.log_file).expanduser(), config.log_level)
    except (OSError, RuntimeError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise ConfigError(f"cannot write to log_file {config.log_file}: {why}") from None


def _flags(args: argparse.Namespace) -> dict[str, Any]:
    names = ("host", "port", "name", "state", "bot_pace_s", "log_level")
    return {name: value for name in names if (value := getattr(args, name)) is not None}


async def _serve(config: Config, folder: StateFolder) -> None:
    async with (
        journal_in(folder.path) as journal,
        opened(config, journal) as (server, addresses),
    ):
        stop = asyncio.Event()
        stop_on_signals(stop.set)
        for line in announcement(addresses, server.config.limits.connections):
            _say(line)
        _say(f"matches are kept in {folder.path / FILE_NAME}")
        await stop.wait()
        _say("stopping")


def _say(line: str) -> None:
    """Print a line. The matches go on when nobody reads the output any more, or a disk is full."""
    try:
        print(line, flush=True)
    except OSError:
        # Python would try to write the rest of the buffer when it ends, and fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def announcement(addresses: list[Address], connections: int) -> list[str]:
    """The lines to print: every bound address, the addresses that others on the LAN can dial, and
    how many connections there can be."""
    lines = [f"listening on {address}" for address in addresses]
    port = addresses[0].port
    if any(address.host in ANYWHERE for address in addresses):
        lines += [f"on your network: clocktowers join {ip}:{port}" for ip in lan_addresses()]
    lines.append(f"room for {connections} connections")
    if any(address.host not in LOOPBACK for address in addresses):
        lines.append("note: the line is not encrypted; play only on networks you trust")
    return lines
