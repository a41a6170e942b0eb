"""`python -m clocktowers_tui` on a real terminal: it ends with one sentence, or plays."""

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from clocktowers_tui.__main__ import main
from clocktowers_tui.cli.commands import read
from clocktowers_tui.config.settings import Settings, save, settings_file
from clocktowers_tui.start import start
from clocktowers_tui.terminal.guard import Guard
from protocol.errors import GoodbyeCode
from protocol.from_server import Goodbye
from tests.stage.house import eventually
from tests.stage.pseudo_terminal import PseudoTerminal, environment
from tests.stage.scripted_server import ScriptedPeer, scripted
from tests.stage.staged import CLIENT


def is_one_sentence(said: str) -> bool:
    lines = said.strip().splitlines()
    return len(lines) == 1 and lines[0].startswith("clocktowers: ") and "\x1b" not in said


async def test_a_server_that_turns_one_away(capsys: pytest.CaptureFixture[str]) -> None:
    """The client runs in this process, in a thread with a loop of its own."""

    async def script(peer: ScriptedPeer) -> None:
        await peer.hears()
        peer.says(Goodbye(GoodbyeCode.ADDRESS_FULL))

    async with scripted(script) as address:
        code = await asyncio.to_thread(
            start, read(["join", str(address)]), Settings(name="Ann"), Guard()
        )
    out, said = capsys.readouterr()
    assert (code, out) == (2, "")
    assert is_one_sentence(said) and "from your network" in said


@pytest.mark.parametrize("face", ["--plain", "--full-screen"])
async def test_a_player_without_a_name_says_it_before_others_see_it(home: Path, face: str) -> None:
    async def script(peer: ScriptedPeer) -> None:
        heard.append(await peer.welcomes())
        await peer.hears()

    heard = list[Any]()
    async with scripted(script) as address:
        asked = PseudoTerminal.run([*CLIENT, "join", str(address), face], environment(str(home)))
        async with asked as terminal:
            await terminal.sees("Who plays?")
            assert not heard
            terminal.press("Tess\r")
            await eventually(lambda: [one.name for one in heard] == ["Tess"])


async def test_the_language_of_the_settings_is_spoken_before_there_is_a_screen(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It stands above the environment's, on the command line too."""
    save(Settings(language="it"), settings_file())
    monkeypatch.setenv("LANGUAGE", "en")
    with pytest.raises(SystemExit) as ending:
        main(["--help"])
    assert not ending.value.code and "mostra questo aiuto ed esce" in capsys.readouterr().out
    environ = {**os.environ, "TERM": "dumb", "LC_ALL": "C"}
    async with PseudoTerminal.run([*CLIENT, "--full-screen"], environ) as terminal:
        assert await terminal.ends() == 2
    said = terminal.painted.decode()
    assert is_one_sentence(said)
    assert "avvialo in un terminale" in said and said.isascii()
