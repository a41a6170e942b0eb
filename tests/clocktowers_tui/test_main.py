"""`python -m clocktowers_tui` on a real terminal: it ends with one sentence, or plays."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.pseudo_terminal import PseudoTerminal
from bench.terminal_bytes import CLIENT
from clocktowers_tui.config.settings import Settings, save, settings_file
from clocktowers_tui.start import start
from clocktowers_tui.terminal.guard import Guard
from protocol.errors import GoodbyeCode
from protocol.from_server import Goodbye
from tests.stage.pilot import LIMIT_S
from tests.stage.scripted_server import Peer, Script, scripted


async def ended(*arguments: str, **environ: str) -> tuple[int, str]:
    """Exit code and what was written."""
    whole = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", **environ}
    async with PseudoTerminal.run([*CLIENT, *arguments], whole) as terminal:
        code = await terminal.ends()
    return code, terminal.painted.decode()


def is_one_sentence(said: str) -> bool:
    lines = said.strip().splitlines()
    return len(lines) == 1 and lines[0].startswith("clocktowers: ") and "\x1b" not in said


def test_a_pipe_is_no_terminal(home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "clocktowers_tui", "--full-screen"],
        env={**os.environ, "TERM": "xterm"},
        input="",
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert is_one_sentence(done.stderr) and "ssh -t" in done.stderr


async def turned_away(script: Script, stderr: pytest.CaptureFixture[str]) -> str:
    """What a client says that runs in this process, in a thread with a loop of its own."""
    async with scripted(script) as address:
        code = await asyncio.to_thread(start, ["join", str(address)], Guard())
    out, said = stderr.readouterr()
    assert (code, out) == (2, "")
    assert is_one_sentence(said)
    return said


async def test_a_server_that_turns_one_away(capsys: pytest.CaptureFixture[str]) -> None:
    async def script(peer: Peer) -> None:
        await peer.hears()
        peer.says(Goodbye(GoodbyeCode.ADDRESS_FULL))

    assert "from your network" in await turned_away(script, capsys)


async def test_a_web_server(capsys: pytest.CaptureFixture[str]) -> None:
    async def script(peer: Peer) -> None:
        await peer.reader.read(10)
        peer.writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    assert "is not a Clocktowers server" in await turned_away(script, capsys)


async def test_nobody_at_home() -> None:
    async with scripted(lambda peer: peer.writer.drain()) as address:
        pass
    code, said = await ended("join", str(address))
    assert (code, is_one_sentence(said)) == (2, True)
    assert "Nothing answers" in said


def test_an_address_that_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        start(["join", "host:99999"], Guard())
    said = capsys.readouterr().err
    assert ending.value.code == 2 and "is not an address" in said and is_one_sentence(said)


async def test_the_language_of_the_settings_is_spoken_before_there_is_a_screen(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It stands above the environment's, on the command line too."""
    save(Settings(language="it"), settings_file())
    monkeypatch.setenv("LANGUAGE", "en")
    with pytest.raises(SystemExit) as ending:
        start(["--help"], None)
    assert not ending.value.code and "mostra questo aiuto ed esce" in capsys.readouterr().out
    code, said = await ended("--full-screen", TERM="dumb", LC_ALL="C")
    assert (code, is_one_sentence(said)) == (2, True)
    assert "avvialo in un terminale" in said and said.isascii()
