"""What tests draw repeats itself, and a machine made slow catches a test that races."""

import asyncio
import os
import secrets
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from tests.server.bots.test_worker import open_brains, question
from tests.stage import house as house_module, late as late_module
from tests.stage.chance import CHANCE
from tests.stage.house import READY, START, house
from tests.stage.late import make_late


async def dealt(seed: str) -> tuple[str, bytes, str]:
    """A table's code, its match's seed and what a client drew, all from this seed."""
    CHANCE.begin(seed)
    async with house() as at, await at.peer("Ann") as ann:
        code = await ann.create(seats=2, bots="random")
        await ann.request(READY)
        await ann.done(START)
        match = at.table(code).match
        assert match is not None
        return code, match._course.header.seed, secrets.token_hex()


async def test_the_same_number_deals_the_same() -> None:
    assert await dealt("one") == await dealt("one")
    assert not {*await dealt("one")} & {*await dealt("two")}


def test_each_place_draws_for_itself() -> None:
    CHANCE.begin("places")
    first = secrets.token_bytes(8), Random().random()
    CHANCE.begin("places")
    exec("import secrets; secrets.token_bytes(1)", {"__name__": "server.elsewhere"})
    assert (secrets.token_bytes(8), Random().random()) == first


def test_what_is_forked_off_draws_other_numbers() -> None:
    CHANCE.begin("forks")
    read, write = os.pipe()
    for _child in range(2):
        if (pid := os.fork()) == 0:
            os.write(write, secrets.token_bytes(8))
            os._exit(0)
        os.waitpid(pid, 0)
    drawn = {os.read(read, 8), os.read(read, 8), secrets.token_bytes(8)}
    assert len(drawn) == 3
    os.close(read)
    os.close(write)


def test_a_program_and_the_server_that_it_starts_draw_the_same(tmp_path: Path) -> None:
    words = [sys.executable, "-P", "-m", "clocktowers_tui", "--plain", "solo", "--bots", "1"]

    def heard(seed: str, home: str) -> str:
        CHANCE.begin(seed)
        of = {f"XDG_{what}_HOME": str(tmp_path / home) for what in ("CONFIG", "DATA", "STATE")}
        environ = os.environ | of
        return subprocess.run(
            words, input="look\n", env=environ, capture_output=True, text=True, timeout=60
        ).stdout

    first = heard("one", "a")
    assert "Card 1" in first and first == heard("one", "b") and first != heard("two", "c")


@pytest.fixture(scope="module")
def shared() -> str:
    return CHANCE.seed


def test_what_a_module_shares_does_not_depend_on_the_test_that_is_first(
    shared: str, request: pytest.FixtureRequest
) -> None:
    number = request.config.getoption("chance")
    assert shared == f"{number} {Path(__file__).relative_to(request.config.rootpath)} shared"
    assert CHANCE.seed == f"{number} {request.node.nodeid}"


# A machine made slow: of each kind a race that is won on a quick one ------------------------------


SOON_S: Final = 0.1
LOOPS: Final[list[Any]] = [asyncio.SelectorEventLoop]
with suppress(ImportError):
    import uvloop

    LOOPS.append(uvloop.new_event_loop)


async def a_thread_begins() -> None:
    has_begun = asyncio.Event()
    begin = asyncio.get_running_loop().call_soon_threadsafe
    thread = threading.Thread(target=begin, args=(has_begun.set,))
    thread.start()
    try:
        await has_begun.wait()
    finally:
        thread.join()


async def races(late: Callable[[], None]) -> None:
    """An answer, a bot's decision, two dials and two threads, where all that they need is there."""
    async with house() as at, await at.peer("Ann") as ann, open_brains() as brains:
        game, _level, *others = question()
        await brains.choose(game, "random", *others)
        await asyncio.to_thread(int)
        with socket.create_server(("127.0.0.1", 0)) as server, socket.socket() as line:
            line.setblocking(False)
            address = server.getsockname()
            late()
            for race in (
                ann.answered(),
                brains.choose(game, "random", *others),
                asyncio.open_connection(*address),
                asyncio.get_running_loop().sock_connect(line, address),
                a_thread_begins(),
                asyncio.to_thread(int),
            ):
                CHANCE.begin("late enough")
                with pytest.raises(TimeoutError):
                    async with asyncio.timeout(SOON_S):
                        await race


@pytest.mark.parametrize("loop_factory", LOOPS)
def test_a_test_that_races_is_caught(
    loop_factory: Callable[[], asyncio.AbstractEventLoop], monkeypatch: pytest.MonkeyPatch
) -> None:
    def late() -> None:
        make_late(1000, monkeypatch.setattr)
        for module in (late_module, house_module):
            monkeypatch.setattr(module, "SELDOM", 1.0)

    with asyncio.Runner(loop_factory=loop_factory) as runner:
        runner.run(races(late))


@pytest.mark.parametrize(
    ("program", "how"),
    [("tests.stage.probe", {}), ("server.tasks", {"executable": sys.executable})],
    ids=["warm", "cold"],
)
def test_a_program_that_should_begin_at_once_is_caught(
    program: str, how: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [sys.executable, "-P", "-m", program, ""]
    make_late(60_000, monkeypatch.setattr)
    CHANCE.begin("late enough")
    with pytest.raises(subprocess.TimeoutExpired):
        subprocess.run(words, stdin=subprocess.DEVNULL, timeout=2, **how)
