"""Finished matches in plain mode: the list, a replay, a review, a file, and none any more."""

from pathlib import Path
from random import Random

import pytest

from tests.stage.house import house
from tests.stage.typist import typing, visit

SEEN_AGAIN = {
    "matches": "1: ",
    "replay 1": "Replay: ",
    "next": "move 1 of",
    "look": "ext roof",
    "eyes wren": "Wren's eyes",
    "eyes nobody": "Choose one of",
    "story": "1: ",
    "story 1": "tower 1",
    "move 999": "win",
    "move x": "Say which move",
    "menu": "You are at the menu",
}
DELETED = {
    "matches": "1: ",
    "delete": "Say which match",
    "delete 1": "Type yes or no.",
    "no": "Nothing is changed.",
    "yes": "Nothing was asked.",
    "delete  1": "Delete this match for good: ",
    "": "Type yes or no.",  # a question is said again
    "yes ": "You have no finished matches yet.",
    "replay 1": "No match of yours",
}
"""What is typed, and what is said then."""


async def test_a_match_is_seen_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    async with house() as at, typing(visit(at)) as typist:
        typist.type("new clocktowers --seats 2 --bots 1 --level random", "start")
        await typist.plays_to_the_end(Random(7))
        await typist.types("discard 1", "The match is over.")
        await typist.types("write", "Written: ")
        typist.client.undone = False
        await typist.types("write", "This file is there already: ")
        assert typist.client.undone
        await typist.types("leave", "tables lists the tables")
        await typist.types("leave", "You are at the menu")
        for typed, said in (*SEEN_AGAIN.items(), *DELETED.items()):
            await typist.types(typed, said)
        assert any("Ann " in line for line in typist.lines if line.startswith("1: "))


async def test_a_file_that_is_no_record(home: Path) -> None:
    (home / "none").write_text("{}\n")
    async with house(), typing() as typist:
        await typist.types("matches", "You have no finished matches yet.")
        await typist.types(f"replay {home / 'none'}", "cannot be replayed")
        await typist.types("review", "Say which match")
        await typist.types("menu", "You are at the menu")
