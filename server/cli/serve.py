"""`clocktowers-server serve`: serve matches until told to stop."""

import argparse
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from protocol.invitation import Place
from protocol.networks import lan_addresses
from server.admission.gate import ServerPassword
from server.cli.common import CANNOT, quietly, told
from server.cli.settings import add_flags, given_settings, in_json, in_toml, kept_password
from server.config import Config
from server.doors.certificate import ssh_fingerprint
from server.guests.keeping import KINDS, found_at, lacks_library
from server.health.watched import opened_and_watched
from server.logs import setup as logs
from server.nearby.announcing import announced
from server.net.listener import ANYWHERE, LOOPBACK, Address, CannotListen, PortTaken
from server.server import run, stop_on_signals
from server.settings import ConfigError, Settings
from server.speaking import _
from server.store import opening, state_folder
from server.store.in_database import Journal
from server.store.state_folder import RunningServer, StateFolder, noted_as_running, running_on

if TYPE_CHECKING:
    from server.nodes.cluster import Joined


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "serve",
        help=_("hold matches for friends"),
        description=_("Listens on this machine only, unless --host says otherwise."),
    )
    add_flags(parser)
    parser.add_argument(
        "--print-config",
        action="store_true",
        help=_("only list every setting: its value, where that is from, and what it means"),
    )
    parser.add_argument("--json", action="store_true", help=_("list them as JSON"))
    parser.set_defaults(run=partial(told, _run, CANNOT))


def _run(args: argparse.Namespace) -> int:
    settings = given_settings(args)
    if args.print_config or args.json:
        return quietly(lambda: _list(settings, as_json=args.json))
    config = settings.config
    folder = state_folder.for_service(config.state)
    try:
        word = ServerPassword(kept_password(config))
        open_log(config)
        run(_serve(config, folder, word))
    except PortTaken as error:
        own = running_on(config.port)
        more = "" if own is None else f" It is your own server, process {own.pid}."
        raise CannotListen(f"{error}{more}") from None
    finally:
        logs.close()
        folder.release()
    return 0


def _list(settings: Settings, *, as_json: bool) -> int:
    print(in_json(settings) if as_json else in_toml(settings))
    return 0


def open_log(config: Config) -> None:
    if not config.log_file:
        logs.to_stderr(config.log_level)
        return
    try:
        logs.to_file(Path(config.log_file).expanduser(), config.log_level)
    except (OSError, RuntimeError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise ConfigError(f"cannot write to log_file {config.log_file}: {why}") from None


async def _serve(config: Config, folder: StateFolder, word: ServerPassword) -> None:
    async with (
        _journal(config, folder.path) as (journal, node),
        opened_and_watched(config, journal, folder.path, word, node) as (server, addresses),
    ):
        with noted_as_running(folder, RunningServer(listening=[*addresses], config=config)):
            stop_on_signals(server.stopping.set)
            for line in announcement(addresses, server.config, ssh_fingerprint(folder.path)):
                _say(line)
            if config.metrics_port:
                _say(f"metrics on http://127.0.0.1:{config.metrics_port}/metrics")
            _say(f"matches are kept in {opening.name(config.journal, folder.path)}")
            async with announced(server, addresses, _say):
                await server.stopping.wait()
            _say("stopping")


@asynccontextmanager
async def _journal(config: Config, folder: Path) -> "AsyncIterator[tuple[Journal, Joined | None]]":
    """Raises ConfigError and Unusable."""
    if not config.node:
        async with opening.journal(config, folder) as journal:
            yield journal, None
        return
    if not config.journal:
        raise ConfigError("--node needs --journal postgresql://HOST/NAME: nodes share a database")
    opening.name(config.journal, folder)  # it says what is not installed
    from server.nodes.cluster import joined

    async with joined(config, folder) as node:
        yield node.directory.journal, node


def _say(line: str) -> None:
    """Print a line. The matches go on when nobody reads the output any more, or a disk is full."""
    try:
        print(line, flush=True)
    except OSError:
        # Python would try to write the rest of the buffer when it ends, and fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def announcement(addresses: list[Address], config: Config, ssh_key: str) -> list[str]:
    """The lines to print: every bound address, the addresses that others on the LAN can dial, and
    how many connections there can be. `ssh_key`: the fingerprint of the key of the door ssh."""
    lines = [f"listening on {address}" for address in addresses]
    port = addresses[0].port
    if any(address.host in ANYWHERE for address in addresses):
        near = [Place(ip, port) for ip in lan_addresses()]
        lines += [f"on your network: clocktowers join {at.host}:{port}" for at in near]
        pages = [at for one in near if (at := found_at("web", config, one))]
        lines += [f"with a browser: https://{at.host}:{at.port}" for at in pages]
        ssh = [at for one in near if (at := found_at("ssh", config, one))]
        lines += [f"without the program: ssh -p {at.port} NAME@{at.host}" for at in ssh]
        lines += [f"ssh asks about a key; answer yes if it is {ssh_key}"] if ssh and ssh_key else []
        lines += [
            f"no way in by {kind}: install this program with its extra [{kind}] to open it"
            for kind in KINDS
            if lacks_library(kind, config)
        ]
    lines.append(f"room for {config.limits.connections} connections")
    if config.password_in_clear and any(one.host not in LOOPBACK for one in addresses):
        lines.append(
            "note: clients with --unencrypted are not encrypted; play where you trust the network"
        )
    return lines
