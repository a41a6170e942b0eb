"""Finished matches in plain mode: the list, a replay, a review, a file, and none any more."""

from pathlib import Path
from random import Random

import pytest

from tests.stage.house import house
from tests.stage.typist import typing, visit


async def test_a_match_is_seen_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    async with house() as at, typing(visit(at)) as typist:
        typist.type("new clocktowers --seats 2 --bots 1 --level random", "start")
        await typist.plays_to_the_end(Random(7))
        await typist.types("write", "Written: ")
        await typist.types("leave", "tables lists the tables")
        await typist.types("leave", "You are at the menu")
        await typist.types("matches", "1: ")
        assert "Ann " in typist.lines[-2]
        await typist.types("replay 1", "Replay: ")
        await typist.types("next", "move 1 of")
        await typist.types("look", "ext roof")
        await typist.types("eyes wren", "Wren's eyes")
        await typist.types("story", "1: ")
        await typist.types("story 1", "tower 1")
        await typist.types("move 999", "win")
        await typist.types("move x", "Say which move")
        await typist.types("menu", "You are at the menu")
        await typist.types("matches", "1: ")
        await typist.types("delete 1", "You have no finished matches yet.")
        await typist.types("replay 1", "no match of yours")


async def test_a_file_that_is_no_record(home: Path) -> None:
    (home / "none").write_text("{}\n")
    async with house(), typing() as typist:
        await typist.types("matches", "You have no finished matches yet.")
        await typist.types(f"replay {home / 'none'}", "cannot be replayed")
        await typist.types("review", "Say which match")
        await typist.types("menu", "You are at the menu")
