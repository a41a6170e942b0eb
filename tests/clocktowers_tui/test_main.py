"""`python -m clocktowers_tui` on a real terminal: it ends with one sentence, or plays."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pexpect
import pytest

from clocktowers_tui.config.settings import Settings, save, settings_file
from clocktowers_tui.net.address import Address
from protocol.errors import GoodbyeCode
from protocol.from_server import Goodbye
from tests.stage.scripted_server import Peer, Script, scripted

LIMIT_S = 30


def start(*arguments: str, **environ: str) -> "pexpect.spawn[str]":
    changed: Mapping[str, str] = {"TERM": "xterm-256color", "LANG": "C.UTF-8", **environ}
    return pexpect.spawn(
        sys.executable,
        ["-P", "-m", "clocktowers_tui", *arguments],
        env={**os.environ, **changed},
        encoding="utf-8",
        dimensions=(24, 80),
        timeout=LIMIT_S,
    )


def end(program: "pexpect.spawn[str]") -> tuple[int | None, str]:
    said = program.read()
    program.close()
    return program.exitstatus, said


async def ended(*arguments: str, **environ: str) -> tuple[int | None, str]:
    """Exit code and all that was written; in a thread, since a server may run in this one."""
    return await asyncio.to_thread(lambda: end(start(*arguments, **environ)))


def is_one_sentence(said: str) -> bool:
    lines = said.strip().splitlines()
    return len(lines) == 1 and lines[0].startswith("clocktowers: ") and "\x1b" not in said


@pytest.mark.parametrize("term", ["", "dumb", "unknown"])
async def test_a_terminal_without_a_screen(term: str) -> None:
    code, said = await ended(TERM=term)
    assert (code, is_one_sentence(said)) == (2, True)
    assert "full-screen terminal" in said


def test_a_pipe_is_no_terminal(home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "clocktowers_tui"],
        env={**os.environ, "TERM": "xterm"},
        input="",
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert is_one_sentence(done.stderr)


async def turned_away(script: Script, *arguments: str) -> str:
    async with scripted(script) as address:
        code, said = await ended("join", str(address), *arguments)
    assert code == 2
    assert is_one_sentence(said)
    return said


@pytest.mark.parametrize(
    ("goodbye", "says"),
    [
        (GoodbyeCode.VERSION, "different protocol versions"),
        (GoodbyeCode.PASSWORD, "CLOCKTOWERS_PASSWORD"),
        (GoodbyeCode.FULL, "full"),
        (GoodbyeCode.ADDRESS_FULL, "from your network"),
        (GoodbyeCode.BAD_NAME, "name"),
    ],
)
async def test_a_server_that_turns_one_away(goodbye: GoodbyeCode, says: str) -> None:
    async def script(peer: Peer) -> None:
        await peer.hears()
        peer.says(Goodbye(goodbye))

    assert says in await turned_away(script)


async def test_a_web_server() -> None:
    async def script(peer: Peer) -> None:
        await peer.reader.read(10)
        peer.writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    assert "not as a Clocktowers server" in await turned_away(script)


async def test_nobody_at_home() -> None:
    async with scripted(lambda peer: peer.writer.drain()) as address:
        pass
    code, said = await ended("join", str(address))
    assert (code, is_one_sentence(said)) == (2, True)
    assert "Nothing answers" in said


async def test_an_address_that_is_none() -> None:
    code, said = await ended("join", "host:99999")
    assert code == 2 and "is no address" in said and is_one_sentence(said)


async def test_it_leaves_the_terminal_as_it_was(address: Address) -> None:
    def visit() -> tuple[int | None, str]:
        program = start("join", str(address))
        program.expect("New table")
        program.send("\x03")
        program.expect("once more")
        program.send("\x03")
        return end(program)

    code, said = await asyncio.to_thread(visit)
    assert code == 0
    assert "\x1b[?1049l" in said and "Traceback" not in said


async def test_nothing_is_painted_while_nobody_acts() -> None:
    """Not even a cursor blinks; whatever is repeated would never let a long silence come."""

    def wait_for_silence() -> None:
        program = start()
        program.expect("Join a table")
        program.send("c")
        program.expect("Password")
        while True:
            try:
                program.read_nonblocking(65536, timeout=2)
            except pexpect.TIMEOUT:
                break
        program.send("\x03\x03")
        end(program)

    await asyncio.wait_for(asyncio.to_thread(wait_for_silence), LIMIT_S)


async def test_the_language_of_the_settings_is_spoken_before_there_is_a_screen(home: Path) -> None:
    """It stands above the environment's, on the command line too."""
    save(Settings(language="it"), settings_file())
    code, said = await ended("--help", LANGUAGE="en")
    assert code == 0 and "mostra questo aiuto ed esce" in said
    code, said = await ended(TERM="dumb", LC_ALL="C")
    assert code == 2 and "serve un terminale a schermo intero" in said and said.isascii()
