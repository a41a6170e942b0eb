"""A server's neighbours hear of it and of its end, and it costs the server nothing."""

import asyncio
import re
import signal
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from clocktowers_tui.net.nearby import Deaf, Neighbour, heard
from protocol.nearby import Nearby
from server.config import Config
from server.nearby import announcing
from server.net.listener import Address
from server.store.backup import TLS
from tests.server.neighbour import HOSTILE
from tests.stage.house import AT_HOME, PATIENCE_S, eventually, house
from tests.stage.network import Machine, cable, needs_networks
from tests.stage.processes import PROGRAM, Process, children, needs_proc, started

EVERYWHERE = ("--host", "0.0.0.0", "--host", "::", "--port", "0")
TAKES_5353 = (
    "import socket; s = socket.socket(type=2); s.bind(('', 5353)); print(1, flush=True); input()"
)


@pytest.fixture(scope="module")
def lan() -> Iterator[tuple[Machine, Machine]]:
    with cable() as ends:
        yield ends


@asynccontextmanager
async def serving(home: Path, at: Machine, *flags: str, **env: str) -> AsyncIterator[Process]:
    program = (*at.enter, *PROGRAM)
    async with started(home, "serve", *EVERYWHERE, *flags, program=program, env=env) as server:
        await server.listens()
        yield server


async def says(server: Process, told: str) -> str:
    """Wait for a line with this."""
    while told not in (line := await server.line()):
        assert line, server.said
    return line


async def until_heard(at: Machine, *, names: Sequence[str]) -> list[Neighbour]:
    """What that machine hears when it hears just these names."""
    with at.here():
        async with asyncio.timeout(PATIENCE_S), aclosing(heard()) as all_heard:
            async for now in all_heard:
                if sorted(one.nearby.name for one in now) == sorted(names):
                    return now
    raise AssertionError(names)


@needs_networks
async def test_neighbours_hear_of_a_server_and_of_its_end(
    lan: tuple[Machine, Machine], tmp_path: Path
) -> None:
    """Also when it is killed, or had no time to say anything."""
    home, friend = lan
    name = "Thursdays, città"
    async with serving(tmp_path, home, "--announce", "--server-name", name) as server:
        (found,) = await until_heard(friend, names=[name])
        assert found.address == (home.ipv4, server.port)
        key = found.nearby.key
        assert found.nearby == Nearby(name=name, key=key)
        kept = tmp_path / "state" / "clocktowers" / "serve" / TLS
        assert f"public key: {key}\n" in kept.read_text()
        await says(server, f"your network is told of this server as {name}")
        with friend.here():
            async with aclosing(heard()) as all_heard:
                assert await anext(all_heard) == [found]
                server.signal(signal.SIGKILL)
                assert await anext(all_heard) == []
    assert not Config().announce


@needs_networks
async def test_an_address_of_ipv6_has_its_zone_and_none_is_a_sentence(tmp_path: Path) -> None:
    with cable(ipv4=False) as (home, friend):
        asked = {"CLOCKTOWERS_PASSWORD": "x"}
        async with serving(tmp_path, home, "--announce", "--server-name", "Six", **asked):
            (found,) = await until_heard(friend, names=["Six"])
            assert found.nearby.password
            assert re.fullmatch(re.escape(home.ipv6) + r"%\w+", found.address.host)
        for network in ("lo", "lan0"):
            friend.ip("addr", "flush", "dev", network)
        with friend.here(), pytest.raises(Deaf, match="interfaces"):
            await anext(heard())


@pytest.mark.soak
@needs_networks
async def test_it_follows_what_becomes_of_the_networks(tmp_path: Path) -> None:
    """A laptop is opened before its network is there, and is carried elsewhere."""
    with cable() as (home, friend):
        home.ip("addr", "flush", "dev", "lan0")
        async with serving(tmp_path, home, "--announce", "--server-name", "Laptop") as server:
            await says(server, "in no local network now")
            home.ip("addr", "add", "10.77.0.8/24", "dev", "lan0")
            await says(server, "your network is told")
            (found,) = await until_heard(friend, names=["Laptop"])
            assert found.address.host == "10.77.0.8"
            home.ip("addr", "flush", "dev", "lan0")
            await says(server, "in no local network now")


@needs_networks
async def test_a_port_that_is_taken_is_a_sentence(
    lan: tuple[Machine, Machine], tmp_path: Path
) -> None:
    home, _friend = lan
    taken = await asyncio.create_subprocess_exec(
        *home.enter, sys.executable, "-c", TAKES_5353, stdin=-1, stdout=-1
    )
    assert taken.stdout is not None and await taken.stdout.readline()
    try:
        async with serving(tmp_path, home, "--announce") as server:
            assert "another program has port 5353" in await says(server, "is not told")
            with home.here(), pytest.raises(Deaf, match="in use"):
                await anext(heard())
            server.signal(signal.SIGTERM)
            assert await server.ends() == 0
    finally:
        taken.kill()
        await taken.wait()


async def test_a_server_for_this_machine_only_has_nobody_to_tell(tmp_path: Path) -> None:
    async with started(tmp_path, "serve", "--port", "0", "--announce") as server:
        assert "--host 0.0.0.0" in await says(server, "is not told")


async def test_a_server_without_a_name_has_that_of_its_player(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def started(announcement: Mapping[str, Any]) -> None:
        raise OSError(announcement["txt"]["name"])

    monkeypatch.setattr(announcing, "_started", started)
    everywhere, said = [Address("0.0.0.0", 1)], list[str]()
    for name in ("", "Thursdays"):
        async with (
            house(config=replace(AT_HOME, announce=True, name=name)) as at,
            announcing.announced(at.server, everywhere, said.append, "Ann"),
        ):
            pass
    assert [one.rpartition(" ")[2] for one in said] == ["Ann", "Thursdays"]


async def test_a_missing_library_is_a_sentence_on_both_sides(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(announcing, "find_spec", lambda _name: None)
    monkeypatch.setitem(sys.modules, "zeroconf.asyncio", None)
    said: list[str] = []
    async with house(config=replace(AT_HOME, announce=True)) as at:
        everywhere = [Address("0.0.0.0", 1)]
        async with announcing.announced(at.server, everywhere, said.append):
            pass
    assert "clocktowers-tui[lan]" in said[0]
    with pytest.raises(Deaf) as error:
        await anext(heard())
    assert str(error.value) == ""


@asynccontextmanager
async def neighbour(at: Machine, names: int, seconds: float) -> AsyncIterator[None]:
    command = (sys.executable, "-P", "-m", "tests.server.neighbour", str(names), str(seconds))
    process = await asyncio.create_subprocess_exec(*at.enter, *command, at.ipv4, stdout=-1)
    assert process.stdout is not None and await process.stdout.readline()
    try:
        yield
    finally:
        process.kill()
        await process.wait()


@needs_networks
@pytest.mark.parametrize("names", [500, pytest.param(10_000, marks=pytest.mark.soak)])
async def test_of_very_many_names_a_few_are_listed_and_clean(
    names: int, lan: tuple[Machine, Machine]
) -> None:
    hostile, friend = lan
    async with neighbour(hostile, names, 60):
        with friend.here():
            async with asyncio.timeout(PATIENCE_S), aclosing(heard()) as all_heard:
                async for now in all_heard:
                    assert len(now) <= 32
                    if len(now) == 32:
                        break
    assert all(re.fullmatch(r"\[2JQ\d+", one.nearby.name) for one in now), HOSTILE


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


@needs_proc
@needs_networks
async def test_a_flood_takes_no_time_of_the_servers(
    lan: tuple[Machine, Machine], tmp_path: Path
) -> None:
    """All of it is spent by the program that tells the network."""
    home, hostile = lan
    async with serving(tmp_path, home, "--announce") as server:
        await says(server, "is told")
        (teller,) = children(server.pid)
        before_s = cpu_s(server.pid), cpu_s(teller)
        async with neighbour(hostile, 200, 60):
            await eventually(lambda: cpu_s(teller) - before_s[1] > 0.3)
        assert cpu_s(server.pid) - before_s[0] < 0.15


@needs_networks
async def test_hosts_of_one_name_are_all_heard_also_when_they_begin_at_once(
    lan: tuple[Machine, Machine], tmp_path: Path
) -> None:
    home, friend = lan
    async with AsyncExitStack() as stack:
        begun = [
            stack.enter_async_context(
                serving(tmp_path / str(n), at, "--announce", "--server-name", "root")
            )
            for n, at in enumerate((home, home, friend))
        ]
        ports = {server.port for server in [await one for one in begun]}
        found = await until_heard(friend, names=["root"] * 3)
        assert {one.address.port for one in found} == ports
