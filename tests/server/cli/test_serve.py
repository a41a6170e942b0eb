"""`clocktowers-server serve` as a process: what it prints, how it stops, what it says when it
cannot."""

import asyncio
import os
import signal
import socket
from pathlib import Path
from random import Random

import pytest

from protocol.errors import GoodbyeCode
from protocol.from_server import Notice, NoticeCode
from server.__main__ import main
from server.cli import serve
from server.config import Limits
from tests.stage.house import START, eventually
from tests.stage.processes import alive, children, needs_proc, outcome, started

HERE = ("serve", "--host", "127.0.0.1", "--port", "0")


def one_sentence(stderr: str) -> str:
    """The sentence, after checking that there is nothing else."""
    assert stderr.startswith("clocktowers-server: "), stderr
    assert stderr.count("\n") == 1, stderr
    return stderr


async def test_it_prints_the_address_that_is_really_bound(tmp_path: Path) -> None:
    async with started(tmp_path, *HERE) as server:
        ((host, port),) = await server.listens()
        assert host == "127.0.0.1"
        assert port != 0
        async with await server.peer("Ann") as ann:
            assert ann.name == "Ann"


async def test_every_address_is_printed(tmp_path: Path) -> None:
    hosts = [host for host in ("127.0.0.1", "::1") if host == "127.0.0.1" or has_ipv6()]
    async with started(tmp_path, "serve", "--port", "0") as server:
        await server.listens()
        for host in hosts[1:]:
            assert await server.line() == f"listening on [{host}]:{server.port}"
        assert await server.line() == f"room for {Limits().connections} connections"
        for host in hosts:
            peer = await server.dial(host)
            peer.say_hello("Ann")
            await peer.close()


def has_ipv6() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_it_stops_in_good_order(tmp_path: Path, number: signal.Signals) -> None:
    """In the lobby and in the middle of a match with bots, everybody is told."""
    async with started(tmp_path, *HERE, "--bot-pace-s", "0") as server:
        await server.listens()
        ann, ben = await server.peer("Ann"), await server.peer("Ben")
        await ann.create(seats=3, bots="normal")
        await ann.done(START)
        await ann.play(Random(1), 10)
        silent = await server.dial()
        server.signal(number)
        for peer in (ann, ben):
            assert (
                await peer.until(Notice, lambda n: n.code == NoticeCode.SERVER_STOPS)
            ).params == {}
            assert (await peer.goodbye()).code == GoodbyeCode.SHUTDOWN
        await silent.closed()
        assert await server.ends() == 0
        errors = await server.errors()
        assert "Traceback" not in errors
        assert "Warning" not in errors
        assert "never" not in errors
        assert '"level": "error"' not in errors
        assert (await server.line()).startswith("room for ")
        journal = tmp_path / "state" / "clocktowers" / "serve" / "journal.db"
        assert await server.line() == f"matches are kept in {journal}"
        assert await server.line() == "stopping"


@needs_proc
async def test_its_bots_end_with_it_however_it_ends(tmp_path: Path) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        async with started(tmp_path, *HERE, "--bot-pace-s", "0") as server:
            await server.listens()
            ann = await server.peer("Ann")
            await ann.create(seats=3, bots="normal")
            await ann.done(START)
            await ann.play(Random(1), 4)
            below = children(server.pid)
            assert below
            server.signal(number)
            await server.ends()
            await eventually(lambda below=below: not any(map(alive, below)))  # type: ignore[misc]
            ann.abort()


async def test_a_port_in_use_is_a_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        code, errors = await outcome(tmp_path, "serve", "--host", "127.0.0.1", "--port", port)
        taken_pages = ("--port", "0", "--metrics-port", port)
        pages_code, pages_errors = await outcome(tmp_path, "serve", *taken_pages)
    assert code == pages_code == 2
    assert f"127.0.0.1:{port}" in one_sentence(errors)
    assert "--metrics-port" in one_sentence(pages_errors)


@pytest.mark.parametrize(
    "host",
    [
        "nosuch.invalid",
        *(pytest.param(host, marks=pytest.mark.soak) for host in ("x" * 70, "203.0.113.1")),
    ],
)
async def test_an_address_that_cannot_be_had_is_a_sentence(tmp_path: Path, host: str) -> None:
    """What is said of each is checked at the listener."""
    code, errors = await outcome(tmp_path, "serve", "--host", host, "--port", "0")
    assert code == 2
    assert host in one_sentence(errors)


async def test_of_a_wrong_setting_the_process_prints_its_sentence(tmp_path: Path) -> None:
    code, errors = await outcome(tmp_path, "serve", env={"CLOCKTOWERS_PORT": "many"})
    assert code == 2
    assert "CLOCKTOWERS_PORT must be" in one_sentence(errors)


@pytest.mark.parametrize(
    ("toml", "args", "env", "named"),
    [
        ("port = 99999", (), {}, "port"),
        ("prot = 1", (), {}, "prot"),
        ("port = ", (), {}, "TOML"),
        ("", ("--port", "99999"), {}, "--port must be"),
        ("", ("--bot-pace-s", "nan"), {}, "--bot-pace-s must be"),
        ("", (), {"CLOCKTOWERS_LIMITS__FRAME_S": "-1"}, "LIMITS__FRAME_S must be"),
        ("", (), {"CLOCKTOWERS_LOG_LEVEL": "loud"}, "LOG_LEVEL must be"),
        ("", ("--state", "~nobody-of-that-name/x"), {}, "nobody-of-that-name"),
        ("", ("--config", "/nowhere.toml"), {}, "/nowhere.toml"),
    ],
)
def test_a_wrong_setting_is_a_sentence_that_names_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    toml: str,
    args: tuple[str, ...],
    env: dict[str, str],
    named: str,
) -> None:
    for name in [name for name in os.environ if "CLOCKTOWERS" in name]:
        monkeypatch.delenv(name)
    for name, value in {"XDG_STATE_HOME": str(tmp_path), **env}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(serve, "_serve", lambda config, folder, figures: pytest.fail("it serves"))
    file = tmp_path / "server.toml"
    file.write_text(toml)
    assert main(["serve", "--config", str(file), *args]) == 2
    said = capsys.readouterr()
    assert named in one_sentence(said.err)
    assert said.out == ""


async def test_two_servers_do_not_share_a_folder_and_live_beside_each_other(tmp_path: Path) -> None:
    async with started(tmp_path, *HERE) as first:
        await first.listens()
        code, errors = await outcome(tmp_path, *HERE)
        assert code == 2
        assert "--state" in one_sentence(errors)
        async with started(tmp_path, *HERE, "--state", str(tmp_path / "other")) as second:
            await second.listens()
            assert first.port != second.port
            for server in (first, second):
                async with await server.peer("Ann") as ann:
                    assert ann.name == "Ann"


async def test_a_folder_is_free_again_after_a_kill(tmp_path: Path) -> None:
    async with started(tmp_path, *HERE) as first:
        await first.listens()
        first.signal(signal.SIGKILL)
        await first.ends()
        async with started(tmp_path, *HERE) as second:
            await second.listens()


async def test_the_second_signal_does_not_ask(tmp_path: Path) -> None:
    """While it waits for somebody who does not read, it can be made to go at once."""
    async with started(tmp_path, *HERE) as server:
        await server.listens()
        peers = [await server.peer(f"P{n}") for n in range(3)]
        server.signal(signal.SIGTERM)
        await peers[0].goodbye()
        server.signal(signal.SIGTERM)
        assert await server.ends() in (0, 128 + signal.SIGTERM)
        for peer in peers:
            peer.abort()


async def test_its_output_may_be_closed(tmp_path: Path) -> None:
    """As by `serve | head -1`."""
    async with started(tmp_path, *HERE) as server:
        await server.listens()
        server.process._transport.get_pipe_transport(1).close()  # type: ignore[attr-defined]
        await asyncio.sleep(0)
        server.signal(signal.SIGTERM)
        assert await server.ends() == 0
        assert "Traceback" not in await server.errors()
