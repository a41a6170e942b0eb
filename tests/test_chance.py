"""What tests draw repeats itself, and a machine made slow catches a test that races."""

import asyncio
import os
import secrets
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

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
        environ = os.environ | {"XDG_DATA_HOME": str(tmp_path / home)}
        return subprocess.run(
            words, input="look\n", env=environ, capture_output=True, text=True, timeout=60
        ).stdout

    first = heard("one", "a")
    assert "Card 1" in first and first == heard("one", "b") and first != heard("two", "c")


async def test_a_test_that_races_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    async def dials_within_50_ms() -> None:
        async with asyncio.timeout(0.05):
            await at.dial()

    make_late(2000, "late enough", monkeypatch.setattr)
    async with house() as at:
        with pytest.raises(TimeoutError):
            await dials_within_50_ms()
