"""The sockets: which are bound, how they are set, and that a server leaves none behind."""

import asyncio
import errno
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from server import server as server_module
from server.config import Config
from server.net import listener
from server.net.listener import (
    SEND_BUFFER_BYTES,
    UNSENT_BYTES,
    Address,
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


def test_all_addresses_have_the_same_port() -> None:
    with bound("127.0.0.1", "::1") as sockets:
        assert len({sock.getsockname()[1] for sock in sockets}) == 1
        assert sockets[0].getsockname()[1] != 0


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


def test_an_ipv6_address_is_written_in_brackets() -> None:
    assert str(Address("::1", 7)) == "[::1]:7"
    assert str(Address("127.0.0.1", 7)) == "127.0.0.1:7"


async def test_answers_do_not_wait_for_the_peers_acknowledgement() -> None:
    """Without this every action takes 40 ms wherever asyncio's own loop runs."""
    async with house() as at, await at.peer("Ann"):
        (there,) = at.server.peers.admitted
        assert there._line.transport is not None
        sock = there._line.transport.get_extra_info("socket")
        assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0


async def test_the_system_keeps_little_for_who_does_not_read() -> None:
    async with house() as at, await at.peer("Ann"):
        (there,) = at.server.peers.admitted
        assert there._line.transport is not None
        sock = there._line.transport.get_extra_info("socket")
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
