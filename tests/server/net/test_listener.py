"""The sockets: which are bound and how they are set, by which addresses others reach them, and
how many connections a server lets in where few files may be open."""

import asyncio
import errno
import json
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import ifaddr
import pytest
from ifaddr import IP, Adapter

from protocol.networks import Interface, dialled_from_outside, lan_interfaces, reached_at
from server import server as server_module
from server.config import Config
from server.net import listener
from server.net.listener import (
    SEND_BUFFER_BYTES,
    SPARE_FILES,
    UNSENT_BYTES,
    Bound,
    CannotListen,
    bind,
)
from tests.stage.house import house


@contextmanager
def bound(*hosts: str, port: int = 0) -> Iterator[list[socket.socket]]:
    sockets = [one.sock for one in bind(Config(host=hosts, port=port))]
    try:
        yield sockets
    finally:
        for sock in sockets:
            sock.close()


def test_everywhere_is_both_families_beside_each_other() -> None:
    with bound("0.0.0.0", "::") as sockets:
        families = [sock.family for sock in sockets]
        assert families in ([socket.AF_INET, socket.AF_INET6], [socket.AF_INET])


def test_a_port_in_use_leaves_nothing_bound() -> None:
    with bound("127.0.0.1") as (taken,):
        port = taken.getsockname()[1]
        with pytest.raises(CannotListen, match=str(port)), bound("0.0.0.0", port=port):
            pass
        with pytest.raises(CannotListen), bound("127.0.0.1", port=port):
            pass
    with bound("127.0.0.1", port=port):
        pass


def why_not(host: str, port: int) -> str:
    with pytest.raises(CannotListen) as error, bound(host, port=port):
        pass
    return str(error.value)


def test_why_an_address_cannot_be_had_is_its_own_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    with bound("127.0.0.1") as (taken,):
        port = taken.getsockname()[1]
        told = why_not("127.0.0.1", port)
    assert "another server is running there" in told
    assert told.count(str(port)) == 1
    for unknown in ("nosuch.invalid", "x" * 70):
        told = why_not(unknown, 7777)
        assert "no address is known" in told
        assert "another server" not in told
    assert "does not have that address" in why_not("203.0.113.1", 0)

    def denied(*_args: Any, **_named: Any) -> socket.socket:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(socket, "create_server", denied)
    told = why_not("127.0.0.1", 80)
    assert "special rights" in told
    assert "another server" not in told


def test_a_machine_without_ipv6_is_served_on_ipv4(monkeypatch: pytest.MonkeyPatch) -> None:
    real = listener._bind_one

    def without_ipv6(host: str, port: int) -> socket.socket:
        if ":" in host:
            raise OSError("no such family")
        return real(host, port)

    monkeypatch.setattr(listener, "_bind_one", without_ipv6)
    with bound("127.0.0.1", "::1") as sockets:
        assert len(sockets) == 1
    with pytest.raises(CannotListen), bound("::1"):
        pass


async def test_answers_wait_for_no_acknowledgement_and_little_is_kept_for_who_does_not_read() -> (
    None
):
    """Else every action takes 40 ms wherever asyncio's own loop runs."""
    async with house() as at, await at.peer("Ann"):
        (there,) = at.server.peers.admitted
        assert there.transport is not None
        sock = there.transport.get_extra_info("socket")
        assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
        # Linux doubles what is asked for, for its own records.
        assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) <= 2 * SEND_BUFFER_BYTES
        if hasattr(socket, "TCP_NOTSENT_LOWAT"):
            unsent = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT)
            assert unsent == UNSENT_BYTES


MOST_WAITING = Path("/proc/sys/net/core/somaxconn")


@pytest.mark.skipif(not MOST_WAITING.exists(), reason="only Linux tells")
def test_a_whole_club_may_wait_to_be_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    def bind_once(config: Config) -> list[Bound]:
        bound = bind(config)
        sockets.extend(one.sock for one in bound)
        return bound

    async def backlog() -> int:
        async with house():
            info = sockets[0].getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104)
            # For a socket that listens, `tcpi_sacked` holds it (Linux, `tcp_get_info`).
            (found,) = struct.unpack_from("I", info, 28)
            return int(found)

    sockets: list[socket.socket] = []
    monkeypatch.setattr(server_module, "bind", bind_once)
    assert asyncio.run(backlog()) == min(listener.BACKLOG, int(MOST_WAITING.read_text()))


# Interfaces of this machine ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("found", "dialled"),
    [
        ([("lo", "127.0.0.1"), ("eth0", "169.254.3.4"), ("wlan0", "192.168.1.5")], "192.168.1.5"),
        ([("docker0", "172.17.0.1"), ("br-3f", "172.18.0.1"), ("eth0", "10.0.0.2")], "10.0.0.2"),
        ([("vEthernet (WSL)", "172.29.0.1"), ("br0", "10.0.0.3")], "10.0.0.3"),
        ([("lo", "127.0.0.1"), ("tailscale0", "100.64.0.1")], "100.64.0.1"),
    ],
)
def test_containers_and_vpns_are_named_only_where_nothing_else_is(
    found: list[tuple[str, str]], dialled: str
) -> None:
    assert dialled_from_outside(found, "10.9.9.9 50022 10.9.9.8 22") == [dialled]
    by_ssh = dialled_from_outside([*found, ("wg0", "10.8.0.4")], "10.8.0.9 50022 10.8.0.4 22")
    assert by_ssh[:2] == ["10.8.0.4", dialled]


def adapter(name: str, number: int, *ips: str) -> Adapter:
    written = [(ip, 0, number) if ":" in ip else ip for ip in ips]
    return Adapter(name, name, [IP(ip, 24, name) for ip in written], index=number)


def test_only_local_networks_are_told_and_where_somebody_listens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    adapters = [
        adapter("lo", 1, "127.0.0.1", "::1"),
        adapter("eth0", 2, "192.168.1.5", "fe80::5"),
        adapter("wlan0", 3, "169.254.3.4"),
        adapter("docker0", 4, "172.17.0.1"),
        adapter("tailscale0", 5, "100.64.0.1"),
        adapter("veth3f", 6, "fe80::6"),
    ]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: adapters)
    wired, wireless = Interface(2, ("192.168.1.5", "fe80::5")), Interface(3, ("169.254.3.4",))
    assert (near := lan_interfaces()) == [wired, wireless]
    assert reached_at(["0.0.0.0", "::"], near) == near
    assert reached_at(["0.0.0.0"], near) == [Interface(2, ("192.168.1.5",)), wireless]
    assert reached_at(["fe80::5"], near) == [Interface(2, ("fe80::5",))]
    assert reached_at(["127.0.0.1", "172.17.0.1"], near) == []


# Open files --------------------------------------------------------------------------------------

ASKED = 1000

SERVER = """
import asyncio, json, resource, sys
import structlog
from server.config import Config, Limits
from tests.stage.memory_journal import MemoryJournal
from server.server import opened

soft, hard, asked = map(int, sys.argv[1:])
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
structlog.configure(
    processors=[structlog.processors.JSONRenderer()],
    logger_factory=structlog.WriteLoggerFactory(sys.stderr),
)

async def main():
    config = Config(host=("127.0.0.1",), port=0, limits=Limits(connections=asked, tables=7))
    async with opened(config, MemoryJournal()) as (server, _addresses):
        limits = server.config.limits
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        print(json.dumps([soft, limits.connections, limits.tables]))

asyncio.run(main())
"""


def served(soft: int, hard: int) -> tuple[list[int], list[dict[str, Any]]]:
    """[soft limit, connections, tables] of a server that began with these limits; what it logs."""
    done = subprocess.run(
        [sys.executable, "-c", SERVER, str(soft), str(hard), str(ASKED)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), [json.loads(line) for line in done.stderr.splitlines()]


@pytest.mark.parametrize(
    ("hard", "allowed"),
    [
        (ASKED + SPARE_FILES, ASKED),
        (ASKED + SPARE_FILES - 1, ASKED - 1),
        (SPARE_FILES, SPARE_FILES // 2),
    ],
)
def test_with_too_few_files_fewer_are_let_in_and_it_is_said(hard: int, allowed: int) -> None:
    """In any case the limit is raised to what is allowed."""
    numbers, warnings = served(soft=64, hard=hard)
    assert numbers == [hard, allowed, 7]
    told = [(warning["connections"], warning["wished"]) for warning in warnings]
    assert told == ([(allowed, ASKED)] if allowed < ASKED else [])
