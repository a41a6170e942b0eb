"""`serve` on a folder that it cannot work with: one sentence, and nothing in there is harmed."""

import os
import shutil
import sqlite3
import sys
from pathlib import Path
from typing import Final

import pytest

from server.store.migrating import migrate
from server.store.sqlite import FILE_NAME
from tests.server.cli.test_serve import HERE, one_sentence
from tests.stage.processes import PROGRAM, outcome, started

MODEST: Final = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", *PROGRAM)
"""For root, whom no permission stops."""
CRAMPED: Final = ("sh", "-c", 'ulimit -f 0; exec "$0" "$@"', *PROGRAM)
"""No file may grow, as on a full disk."""

as_others = pytest.mark.skipif(
    os.geteuid() == 0 and shutil.which("setpriv") is None, reason="nothing is forbidden to root"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "folder"
    made.mkdir(mode=0o700)
    return made


def a_journal(folder: Path) -> Path:
    """An empty one of today's shape."""
    file = folder / FILE_NAME
    connection = sqlite3.connect(file, isolation_level=None)
    migrate(connection)
    connection.close()
    return file


def may_be_read(path: Path) -> None:
    """And no more than that."""
    path.chmod(0o500)


async def refused(tmp_path: Path, folder: Path, program: tuple[str, ...] = PROGRAM) -> str:
    """The sentence, after checking that what lies in the folder is as it was."""
    before = contents(folder)
    code, errors = await outcome(tmp_path, *HERE, "--state", str(folder), program=program)
    assert code == 2, errors
    assert contents(folder) == before
    return one_sentence(errors)


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name != "lock"}


async def test_a_journal_of_a_newer_program(tmp_path: Path, folder: Path) -> None:
    connection = sqlite3.connect(a_journal(folder), isolation_level=None)
    connection.execute("PRAGMA user_version = 999")
    connection.close()
    sentence = await refused(tmp_path, folder)
    assert "newer" in sentence and "update" in sentence and str(folder) in sentence


async def test_something_else_in_its_place(tmp_path: Path, folder: Path) -> None:
    (folder / FILE_NAME).write_bytes(b"my diary, " * 1000)
    assert "not a database" in await refused(tmp_path, folder)


@as_others
async def test_a_folder_that_may_only_be_read(tmp_path: Path, folder: Path) -> None:
    a_journal(folder)
    may_be_read(folder)
    program = MODEST if os.geteuid() == 0 else PROGRAM
    assert f"cannot write to {folder}" in await refused(tmp_path, folder, program)


@as_others
async def test_a_journal_that_may_only_be_read(tmp_path: Path, folder: Path) -> None:
    may_be_read(a_journal(folder))
    program = MODEST if os.geteuid() == 0 else PROGRAM
    assert "Permission denied" in await refused(tmp_path, folder, program)


@pytest.mark.skipif(sys.platform == "darwin", reason="its shell counts otherwise")
async def test_a_full_disk(tmp_path: Path, folder: Path) -> None:
    file = a_journal(folder)
    sentence = await refused(tmp_path, folder, CRAMPED)
    assert str(file) in sentence and "room" in sentence
    async with started(tmp_path, *HERE, "--state", str(folder)) as server:
        await server.listens()
