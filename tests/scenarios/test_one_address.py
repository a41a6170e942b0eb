"""Three nodes behind one address: HAProxy, set up as in docs/cluster.md, passes callers on, and
each comes to their table, whichever node has it."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from clocktowers_tui.net.address import Address
from clocktowers_tui.net.lasting_link import LastingLink
from clocktowers_tui.net.trust import Trust
from clocktowers_tui.state.store import Store
from protocol.from_client import Join, Ready
from protocol.from_server import Done
from protocol.games.clocktowers import Options
from server.doors.certificate import Certificate
from server.store.backup import TLS
from tests.server.guests.test_browser import OPEN, gives_name, until
from tests.stage.at_doors import sits_down
from tests.stage.changed_server import changed
from tests.stage.chromium import chromium, needs_chromium
from tests.stage.cluster import Node, Nodes, nodes_on
from tests.stage.guests import SshServer
from tests.stage.house import START, Peer, eventually
from tests.stage.postgres import cluster, needs_postgres
from tests.stage.processes import kept_port, needs_proc

HAPROXY = shutil.which("haproxy", path=os.environ["PATH"] + ":/usr/sbin")
needs_haproxy = pytest.mark.skipif(
    HAPROXY is None, reason="HAProxy is not installed here: on Debian, apt-get install haproxy"
)
pytestmark = [needs_haproxy, needs_postgres, needs_proc]

PROXY = "127.0.0.2"
"""HAProxy dials the nodes from there; who dials a node itself, at 127.0.0.1, shows no header."""
SERVER = "server ada 192.0.2.1:7777"


def settings(nodes: Nodes, port: int) -> str:
    page = Path("docs/cluster.md").read_text("utf-8").partition("HAProxy: ")[2]
    told = re.findall(r"`((?:timeout|server) [^`]+)`", page.partition("\n")[0])
    (server,) = [line for line in told if line.startswith(SERVER)]
    every = (nodes[0], *nodes.others(0))
    lines = ["defaults", "mode tcp", "timeout connect 1s", *(one for one in told if one != server)]
    lines += ["listen friends", f"bind 127.0.0.1:{port}", f"source {PROXY}"]
    lines += [server.replace(SERVER, f"server {one.name} 127.0.0.1:{one.port}") for one in every]
    return "\n".join([*lines, ""])


@asynccontextmanager
async def one_address(home: Path, advertised: str = "") -> AsyncIterator[tuple[Nodes, int]]:
    """Three nodes, and the port of HAProxy."""
    with kept_port() as port:
        env = {
            "CLOCKTOWERS_PUBLIC": f"127.0.0.1:{port}",
            "CLOCKTOWERS_TRUSTED_PROXIES": PROXY,
            "CLOCKTOWERS_ADVERTISE": advertised,
            "CLOCKTOWERS_LIMITS__GRACE_S": "600",
            "CLOCKTOWERS_LIMITS__SILENCE_S": "600",  # nobody reads for the hosts meanwhile
        }
        url, program = cluster().fresh(), changed("unhurried")
        async with nodes_on(url, home, env=env, program=program) as nodes:
            file = home / "haproxy.cfg"
            file.write_text(settings(nodes, port))
            command = [str(HAPROXY), "-D", "-p", str(home / "pid"), "-f", str(file)]
            await asyncio.to_thread(subprocess.run, command, check=True)  # then it listens
            try:
                yield nodes, port
            finally:
                os.kill(int((home / "pid").read_text()), signal.SIGTERM)


async def host_at(node: Node, name: str) -> tuple[Peer, str]:
    """Somebody who has dialled this node, and their table's code."""
    host = Peer(*await asyncio.open_connection("127.0.0.1", node.port))
    await host.come(name)
    return host, await host.create(seats=2, options=Options(first_seat=1))


@pytest.mark.parametrize("advertised", ["", "127.0.0.1"])
async def test_a_client_comes_to_the_table_of_each_node(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, advertised: str
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    async with one_address(tmp_path, advertised) as (nodes, port):
        for number, node in enumerate((nodes[0], *nodes.others(0))):
            host, code = await host_at(node, f"Ann {number}")
            trust = Trust(Certificate(node.home / "state" / "clocktowers" / "serve" / TLS).key)
            link = await LastingLink.open(Address("127.0.0.1", port), "Ben", trust=trust)
            store = Store(lambda: None)
            running = asyncio.ensure_future(link.run(store))
            assert isinstance(await link.request(Join(id=0, table=code)), Done)
            await link.request(Ready(id=0))
            await host.done(START)
            await eventually(lambda store=store: store.state.match is not None)  # type: ignore[misc]
            await link.close()
            await running


@needs_chromium
async def test_a_browser_comes_to_tables_of_other_nodes_and_back_when_its_own_is_killed() -> None:
    with TemporaryDirectory(dir="/tmp") as short:  # as the path of a node's socket has to be
        await browses(Path(short))


async def browses(home: Path) -> None:
    folder = home / "chromium"
    folder.mkdir()
    async with one_address(home) as (nodes, port), chromium(folder) as browser:
        tab = await browser.tab(f"http://127.0.0.1:{port}/")
        await gives_name(tab, "Anna")
        every = range(len(nodes))
        (its,) = [number for number in every if guests_of(nodes[number])]
        first, second = nodes.others(its)
        _host, code = await host_at(first, "Ben")
        await sits_down(tab, code)
        await tab.press("q")
        host, code = await host_at(second, "Ben")
        await sits_down(tab, code)
        await host.done(START)
        await tab.sees("Your turn: play or discard")
        await tab.press("1", "Enter")
        await tab.sees("Your turn: draw")
        await until(tab, f"{OPEN} && (globalThis.before = line)")
        await nodes[its].stop(signal.SIGKILL)
        await until(tab, f"{OPEN} && line !== before")
        await tab.sees("Anna (you)", "Your turn: draw")
        await tab.press("f")
        await tab.sees("is choosing")


def guests_of(node: Node) -> list[int]:
    """Their clients' processes."""
    assert node.process is not None
    return SshServer(node.home, node.home, node.port, node.process.pid).guests
