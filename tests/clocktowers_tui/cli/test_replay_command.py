"""`clocktowers replay`: a file, a match of the history, and the ply where it opens."""

import zlib
from pathlib import Path

import pytest

from clocktowers_tui.cli.commands import read
from clocktowers_tui.cli.replay_command import Missing, Replayed, find
from clocktowers_tui.history import matches
from tests.stage.seen_again import record

LINE = record(("Ann", "Bo"), "abc1")


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    matches.keep("abc1", zlib.compress(LINE), 1, 1000)
    Path("one.jsonl").write_bytes(LINE + b"more")
    Path("other.jsonl").write_bytes(record(("Ann", "Bo"), "other"))
    Path("none.jsonl").write_bytes(b"{}")


@pytest.mark.parametrize(
    ("typed", "me", "ply"),
    [("one.jsonl", 1, None), ("one.jsonl#41", 1, 41), ("abc1", 1, None), ("ab#7", 1, 7)],
)
def test_a_file_or_the_first_letters_of_an_id(typed: str, me: int | None, ply: int | None) -> None:
    assert read(["replay", typed]).replays == typed
    match = "" if typed.startswith("one") else "abc1"
    assert find(typed) == Replayed(LINE.strip(), me, ply, match)


def test_a_file_opens_through_the_players_eyes_or_those_of_the_first_seat() -> None:
    """Nobody's hand is shown to somebody who has not asked for it."""
    assert [find(f"{name}.jsonl").me for name in ("one", "other", "none")] == [1, 0, 0]


def test_a_file_may_have_a_number_in_its_name() -> None:
    Path("one#x").write_bytes(LINE)
    assert find("one#x").ply is None


@pytest.mark.parametrize(("typed", "why"), [("nobody", "no match of yours"), (".", "no match")])
def test_what_is_neither_is_one_sentence(typed: str, why: str) -> None:
    with pytest.raises(Missing, match=why):
        find(typed)
