"""The player's finished matches: listed, seen again, written to a file, deleted."""

import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from resource import RLIMIT_FSIZE, getrlimit, setrlimit

import pytest

from clocktowers_tui.history import matches
from clocktowers_tui.history.file import history_file
from clocktowers_tui.screens.history import HistoryScreen
from clocktowers_tui.widgets.menu import Menu
from tests.clocktowers_tui.history.test_matches import packed, played
from tests.stage.pilot import Playing, playing, press, seen, sees, until


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that files are written to."""
    (folder := tmp_path / "here").mkdir()
    monkeypatch.chdir(folder)
    return folder


def files_in(folder: Path) -> list[Path]:
    return list(folder.iterdir())


@asynccontextmanager
async def at_the_list() -> AsyncIterator[Playing]:
    async with playing() as player:
        player[0].push_screen(HistoryScreen(player[0]))
        await sees(player, "Your matches")
        yield player


async def test_the_menu_leads_there_once_a_match_is_kept() -> None:
    async with playing() as player:
        await sees(player, "Quit")
        assert "Your matches" not in seen(player[0])
    matches.keep("m1", packed(played("m1")), 0, 1000)
    async with playing() as player:
        await sees(player, "Your matches")
        await press(player, "y")
        await sees(player, "Bot 1 ", "Bot 2 ", "; 2 bots, random", "Clocktowers", "Write to a file")
        await press(player, "enter")
        await sees(player, "Replay: move 0 of", "from Bot 1's eyes")
        await press(player, "escape", "escape")
        await sees(player, "Set up a match")


async def test_the_list_begins_where_one_left_it() -> None:
    for n, game in enumerate(("clocktowers", "architetti_attenti", "clocktowers")):
        matches.keep(f"m{n}", packed(played(f"m{n}", game)), 0, 1000 + n)
    async with playing() as player:
        await sees(player, "Your matches")
        await press(player, "y")
        await sees(player, "Write to a file")
        assert player[0].screen.query_one(Menu).at == "0"
        await press(player, "down", "escape")
        await sees(player, "Set up a match")
        matches.delete("m2")  # the one before it
        await press(player, "y")
        await sees(player, "Write to a file")
        menu = player[0].screen.query_one(Menu)
        assert (menu.at, menu.option_count) == ("0", 2)
        await press(player, "down", "escape")
        await sees(player, "Set up a match")
        await press(player, "y")
        await sees(player, "Write to a file")
        assert player[0].screen.query_one(Menu).at == "1"


async def test_without_matches_it_says_so() -> None:
    async with at_the_list() as player:
        await sees(player, "You have no finished matches yet.")
        await press(player, "d", "x")


async def test_a_broken_file_is_one_sentence() -> None:
    history_file().parent.mkdir(parents=True, exist_ok=True)
    history_file().write_bytes(b"no database at all" * 99)
    async with at_the_list() as player:
        await sees(player, "Your history cannot be used")


async def test_a_record_that_is_wrong_is_one_sentence() -> None:
    record = played("m1")
    record["plies"][0]["seat"] = 1 - record["plies"][0]["seat"]
    matches.keep("m1", packed(record), 0, 1000)
    async with at_the_list() as player:
        await sees(player, "Bot 1")
        await press(player, "enter")
        await sees(player, "This match cannot be replayed: ply 0")


async def test_a_match_is_deleted_after_a_question() -> None:
    matches.keep("m1", packed(played("m1")), 0, 1000)
    async with at_the_list() as player:
        await sees(player, "Bot 1")
        await press(player, "d")
        await sees(player, "Delete this match?")
        await press(player, "escape")
        assert matches.called("m1")
        await press(player, "d", "down", "enter")
        await sees(player, "You have no finished matches yet.")
        assert not matches.called("m1")


async def test_a_match_is_written_to_a_new_file(here: Path) -> None:
    matches.keep("m1", packed(played("m1")), 0, 1000)
    async with at_the_list() as player:
        await sees(player, "Bot 1")
        await press(player, "x")
        await sees(player, "Written:")
        (file,) = files_in(here)
        assert file.read_bytes() == matches.line_of("m1") + b"\n"
        await press(player, "x")
        await sees(player, "This file is there already")


async def test_where_the_folder_takes_no_file_it_goes_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, gone = tmp_path / "home", tmp_path / "gone"
    for folder in (home, gone):
        folder.mkdir()
    monkeypatch.chdir(gone)
    monkeypatch.setenv("HOME", str(home))
    matches.keep("m1", packed(played("m1")), 0, 1000)
    async with at_the_list() as player:
        await sees(player, "Bot 1")
        gone.rmdir()
        await press(player, "x")
        await sees(player, "Written:")
        (file,) = files_in(home)
        assert file.read_bytes() == matches.line_of("m1") + b"\n"
        await until(player[1], lambda: str(file) in "".join(seen(player[0]).split()))


@pytest.mark.parametrize("game", ["../up", "nul\0", "/tmp/there"])
async def test_no_word_of_a_server_leads_the_file_elsewhere(here: Path, game: str) -> None:
    matches.keep("m1", packed({**played("m1"), "game": game}), 0, 1000)
    async with at_the_list() as player:
        await sees(player, "Bot 1")
        await press(player, "x")
        await sees(player, "Written:")
    assert len(files_in(here)) == 1


async def test_a_full_disk_leaves_no_half_file(here: Path) -> None:
    matches.keep("m1", packed(played("m1")), 0, 1000)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN), getrlimit(RLIMIT_FSIZE)
    async with at_the_list() as player:
        await sees(player, "Bot 1")
        setrlimit(RLIMIT_FSIZE, (1000, before[1][1]))
        try:
            await press(player, "x")
            await sees(player, "The match could not be written")
        finally:
            setrlimit(RLIMIT_FSIZE, before[1])
            signal.signal(signal.SIGXFSZ, before[0])
    assert not files_in(here)
