"""`clocktowers keys`, as it is typed."""

import os
import subprocess
import sys
from pathlib import Path

from clocktowers_tui.cli.keys_command import in_words
from clocktowers_tui.games.registry import ALL_ACTIONS
from clocktowers_tui.keys.keymap_file import keymap_file

COMMAND = (sys.executable, "-P", "-m", "clocktowers_tui", "keys")
LIMIT_S = 30


def run() -> "subprocess.CompletedProcess[str]":
    return subprocess.run(COMMAND, capture_output=True, text=True, timeout=LIMIT_S, check=False)


def write(text: str) -> None:
    keymap_file().parent.mkdir(parents=True)
    keymap_file().write_text(text)


def test_it_lists_every_action() -> None:
    done = run()
    assert (done.returncode, done.stderr) == (0, "")
    for action in ALL_ACTIONS:
        assert any(action.id in line.split() for line in done.stdout.splitlines()), action.id
    assert str(keymap_file()) in done.stdout
    assert "board: Clocktowers" in done.stdout.splitlines()


def test_it_shows_the_keys_that_hold() -> None:
    write('"board.discard" = ["delete"]')
    done = run()
    (line,) = (line for line in done.stdout.splitlines() if "board.discard" in line)
    assert done.returncode == 0 and "Del" in line and " x " not in line


def test_a_wrong_keymap_is_exit_code_2_and_sentences() -> None:
    write('"board.discard" = ["n"]\nhelp = []')
    done = run()
    assert done.returncode == 2
    first, second = done.stderr.splitlines()
    assert first.startswith("clocktowers: keymap.toml: help")
    assert second.startswith("clocktowers: keymap.toml: board.discard: n already belongs")


def test_a_reader_that_goes_away_is_no_traceback(home: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        COMMAND, stdout=writing, stderr=subprocess.PIPE, text=True, timeout=LIMIT_S, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_action_without_a_key_has_a_dash() -> None:
    from clocktowers_tui.keys.actions import THEME
    from clocktowers_tui.keys.keymap import Keymap

    assert in_words(Keymap({THEME.id: ()}), THEME) == "-"
