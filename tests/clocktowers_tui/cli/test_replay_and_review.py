"""`clocktowers replay`, `review` and `move`: which match is meant, what is printed of it, and what
is said where it cannot be."""

import asyncio
import json
import os
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from clocktowers_tui.__main__ import main as client
from clocktowers_tui.cli.commands import read
from clocktowers_tui.deeds.finished import find
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.history import matches, review as reviews
from clocktowers_tui.history.record import Replayed
from clocktowers_tui.net.records import Reviewer
from clocktowers_tui.phrases import NotDone
from protocol.invitation import SECRET_BYTES, Invitation, Place, encode
from server.games.registry import GAMES
from tests.stage.processes import surroundings
from tests.stage.reviewed import planted
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
    assert asyncio.run(find(typed)) == Replayed(LINE.strip(), me, ply, match)


def test_a_file_opens_through_the_players_eyes_or_those_of_the_first_seat() -> None:
    """Nobody's hand is shown to somebody who has not asked for it. A name is no number of a ply."""
    Path("one#x").write_bytes(LINE)
    found = [asyncio.run(find(f"{name}")) for name in ("one#x", "other.jsonl", "none.jsonl")]
    assert [(one.me, one.ply) for one in found] == [(1, None), (0, None), (0, None)]


LINE_TO_SERVER = encode(Invitation((Place("192.0.2.1", 7777),), bytes(SECRET_BYTES)))


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("nobody", "no match of yours"),
        (".", "no match"),
        (LINE_TO_SERVER, "leads to a server, and not to a finished match"),
        (LINE_TO_SERVER[:-9], "That invitation is cut off"),
    ],
)
def test_what_is_neither_is_one_sentence(typed: str, why: str) -> None:
    with pytest.raises(NotDone, match=why):
        asyncio.run(find(typed))


# Review -------------------------------------------------------------------------------------------

BLUNDER = 11
"""The number of a decision."""


def review(*typed: str) -> int:
    tool = read(["review", *typed]).tool
    assert tool is not None
    return tool()


def test_a_planted_blunder_is_named_and_a_kept_review_opens_at_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, findings = planted(LINE, 1, {BLUNDER: 340})
    reviews.keep("abc1", begun, findings)
    monkeypatch.delattr(Reviewer, "start")  # nothing is made again
    assert review("ab") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Match of Bo (Ann ")
    largest = lines.index("Mistakes, the biggest first:") + 1
    blunder = max(findings, key=lambda one: one.lost)
    turn = FACES["clocktowers"].turn(blunder.view)
    assert lines[largest] == f"  Costs 34 wins of 100, in turn {turn}"
    assert lines[largest + 1].startswith("    Played: draw a clock")
    assert lines[largest + 2] == "      Now Ann can complete a tower with a green roof: 3 points."
    better, _semicolon, worth = lines[largest + 3].rpartition("; ")
    assert better.startswith("    Better: draw a green roof")
    assert worth.replace("\N{NO-BREAK SPACE}", " ") == "59 wins of 100, as played 25 ± 4"


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        (("nobody",), "no match of yours"),
        (("one.jsonl", "--seat", "3"), "--seat is a number from 1 to 2"),
        (("simulated.jsonl", "--seat", "3"), "--seat is a number from 1 to 2"),
        (("odd.jsonl",), "cannot be reviewed: format must be"),
        (("torn.jsonl",), "cannot be reviewed: the line must be"),
    ],
)
def test_what_cannot_be_reviewed_is_one_sentence(
    typed: tuple[str, ...], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("odd.jsonl").write_bytes(b'{"format": "chess", "seats": [{}]}\n')
    Path("torn.jsonl").write_bytes(LINE[:900])
    record = {name: value for name, value in json.loads(LINE).items() if name != "id"}
    Path("simulated.jsonl").write_text(json.dumps(record) + "\n")
    assert review(*typed) == 2
    out, err = capsys.readouterr()
    assert not out and why in err and len(err.splitlines()) == 1


def test_who_stops_it_reads_nothing_more(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stopped(_reviewer: Reviewer, _said: bytes, _limit_s: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Reviewer, "_answer", stopped)
    assert client(["review", "ab"]) == 130
    assert capsys.readouterr() == ("", "")
    assert reviews.of("abc1") is None


# By mail -----------------------------------------------------------------------------------------

MAIL = Path("m")
NEW = ("--new", "m", "--names", "Ann,Ben", "--option", "first_seat=0")


def move(who: str, *typed: str, lines: str = "") -> "subprocess.CompletedProcess[str]":
    """By this player, who has a home of their own."""
    command = [sys.executable, "-P", "-m", "clocktowers_tui", "--plain", "--name", who, "move"]
    env = surroundings(Path(who).resolve())
    return subprocess.run([*command, *typed], env=env, input=lines, capture_output=True, text=True)


def test_a_file_goes_between_two_homes_and_a_bot_plays_at_once() -> None:
    turn = "buy 1\nplace e4 f4\n"
    looks = "buy 1\nlook row\nplace e4 f4\nleave\n"
    begun = move("Ann", *NEW, "--bots", "1", "--level", "random", lines=looks).stdout
    sent = MAIL.read_bytes()
    assert begun.startswith("Architetti Attenti with Ben, Bot 1. You are Ann. It is your turn.\n")
    assert begun.count("Tile 1: ") == 2
    _move, left = begun.split("Send m to Ben, whose turn it is.\n")
    assert left.startswith("Architetti Attenti: type clocktowers --plain move m to open")
    assert b'"next":"Ben"' in sent
    MAIL.chmod(0o644)  # the folder may be shared with others
    early, for_ben = move("Ann", "m", lines="buy 1\n"), move("Cleo", "m", lines="buy 1\nundo\n")
    assert "Send m to Ben" in early.stdout and "You play for Ben: --name NAME" in for_ben.stdout
    assert (early.returncode, for_ben.returncode) == (1, 0) and MAIL.read_bytes() == sent
    played = move("Ben", "m", lines=f"{turn}undo\nundo\nundo\n").stdout
    assert all(said in played for said in ("Ann bought", "Bot 1 built", "where you have begun."))
    assert MAIL.read_bytes() == sent and move("Ben", "m", lines=turn).returncode == 0
    assert MAIL.stat().st_mode & 0o777 == 0o644
    came = json.loads(MAIL.read_bytes())
    assert ([ply["seat"] for ply in came["plies"]], came["next"]) == ([0, 0, 1, 1, 2, 2], "Ann")


def test_the_last_move_makes_a_record_that_is_verified_and_replayed() -> None:
    whole = json.loads(record(("Ann", "Ben"), game="architetti_attenti"))
    whole["seats"] = [{"name": name, "kind": "human"} for name in ("Ann", "Ben")]
    *plies, last = whole["plies"]
    MAIL.write_text(json.dumps({**whole, "plies": plies, "outcome": {}}))
    place = f"place {' '.join(last['action']['cells'])}\nleave\n"
    said = move(("Ann", "Ben")[last["seat"]], "m", lines=place).stdout
    assert "1: you have 42 points." in said
    assert "The match is over: all of you need m now." in said
    assert "Architetti Attenti: the match is over, and in Your matches.\n" in said
    for what in ("server verify", "clocktowers_tui --plain move", "clocktowers_tui --plain replay"):
        command = [sys.executable, "-P", "-m", *what.split(), "m"]
        assert subprocess.run(command, input=b"", capture_output=True).returncode == 0
    assert json.loads(MAIL.read_bytes()) == {**whole, "next": ""}


def test_what_cannot_be_played_by_mail_is_one_sentence_and_no_file_changes() -> None:
    assert move("Ann", *NEW).returncode == 0
    begun = json.loads(MAIL.read_bytes())
    act = {"do": "place", "cells": ["a1", "a2"]}
    Path("ply").write_text(json.dumps({**begun, "plies": [{"seat": 0, "action": act}]}))
    os.mkfifo("pipe")
    bot = {"name": "Ann", "kind": "bot", "level": "random"}
    for file, name in ("nameless", ""), ("robot", "Ben"):
        begun["seats"] = [bot, {"name": name, "kind": "human"}]
        Path(file).write_text(json.dumps(begun))
    assert "Send robot to Ben" in move("Ann", "robot").stdout, "a bot may have the player's name"
    begun["setup"]["pile"].reverse()
    Path("deal").write_text(json.dumps(begun))
    files = {file: file.read_bytes() for file in Path().iterdir() if file.is_file()}
    for typed, why in {
        "ply": "ply 0: the action is refused",
        "deal": "setup must be what the proof's seed deals",
        "one.jsonl": "the line must be a JSON object",
        "other.jsonl": "Clocktowers cannot go by mail: who holds the file could see",
        "--new x --game wild_wild_pattern": "Wild Wild Pattern cannot go by mail: all act at once",
        "--new m --names Ann,Ben": "m cannot be written: File exists",
        "pipe": "pipe cannot be read: it is not a file",
        "nameless": "Each player needs a name of their own.",
        "--new x --names Ann,Ann": "Each player needs a name of their own.",
        "x --names Ann,Ben": "are chosen with --new",
        "x": "x cannot be read: No such file",
    }.items():
        refused = move("Ann", *typed.split())
        assert why in refused.stderr and len(refused.stderr.splitlines()) == 1
        assert refused.returncode == 2
    assert files == {file: file.read_bytes() for file in Path().iterdir() if file.is_file()}
    for name, game in GAMES.items():
        assert FACES[name].open is (game.opened is None and not game.rules.races)
