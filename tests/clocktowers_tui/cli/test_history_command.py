"""`clocktowers history`, as it is typed."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from subprocess import PIPE
from typing import IO

import pytest

from clocktowers_tui.cli.commands import read
from clocktowers_tui.history import matches
from clocktowers_tui.history.file import history_file
from clocktowers_tui.text.i18n import speak
from server.__main__ import main
from tests.clocktowers_tui.history.test_matches import packed, played

COMMAND = (sys.executable, "-P", "-m", "clocktowers_tui", "history")
LIMIT_S = 30


def run(*typed: str, stdout: int | IO[str] = PIPE) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*COMMAND, *typed], stdout=stdout, stderr=PIPE, text=True, timeout=LIMIT_S, check=False
    )


def keep(match: str, me: int | None = 0, ended_at: int = 1000, **changed: object) -> None:
    matches.keep(match, packed({**played(match), **changed}), me, ended_at)


SEATS = [{"name": "Ann", "kind": "human"}, {"name": "Wren", "kind": "bot", "level": "easy"}]


def outcome(*scores: int) -> dict[str, object]:
    winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
    return {"scores": list(scores), "winners": winners, "decided_by": "points"}


def test_it_lists_each_match_on_a_line_the_newest_first() -> None:
    assert run().stdout == "You have no finished matches yet.\n"
    keep("aa11", 0, 1000, seats=SEATS, outcome=outcome(9, 7))
    keep("bb22", 1, 2000, seats=SEATS, outcome=outcome(9, 7))
    keep("bc33", None, 3000, seats=SEATS, outcome=outcome(9, 7))
    keep("dd44", 0, 4000, seats=SEATS, outcome=outcome(8, 8))
    for typed in ((), ("list",)):
        done = run(*typed)
        assert (done.returncode, done.stderr) == (0, "")
        lines = [line.split() for line in done.stdout.splitlines()]
        assert [line[0] for line in lines] == ["dd44", "bc33", "bb22", "aa11"]
        assert [line[4] for line in lines] == ["shared", "watched", "lost", "won"]
        assert lines[3][3] == "Clocktowers"
        assert " ".join(lines[3][5:]) == "Ann 9, Wren 7; 1 bot, easy"
        starts = {line.index("Ann") for line in done.stdout.splitlines()}
        assert len(starts) == 1, "columns"


def test_what_it_exports_is_verified(tmp_path: Path) -> None:
    keep("aa11")
    done = run("export", "aa", "--as", "json")
    assert (done.returncode, done.stderr) == (0, "")
    file = tmp_path / "one.jsonl"
    file.write_text(done.stdout)
    assert main(["verify", str(file)]) == 0
    # A control: one card is another.
    file.write_text(done.stdout.replace('"1c"', '"2c"', 1))
    assert main(["verify", str(file)]) == 1


def test_it_deletes_the_match_that_is_meant() -> None:
    for match in ("aa11", "bb22", "bc33", "b"):
        keep(match)
    for typed, says in (
        (("delete", "x"), "no match of yours has this ID: x"),
        (("delete", "bb22x"), "no match of yours"),
        (("export", "a%"), "no match of yours"),
    ):
        done = run(*typed)
        assert done.returncode == 2 and says in done.stderr and done.stdout == ""
    assert run("delete", "b").returncode == 0, "that is a whole ID"
    done = run("delete", "b")
    assert done.returncode == 2 and "several IDs begin like this" in done.stderr
    assert run("delete", "bb").returncode == 0
    assert sorted(one.head.id for one in matches.newest_first()) == ["aa11", "bc33"]


@pytest.mark.parametrize(
    "typed",
    [
        "list aa",
        "export",
        "delete",
        "burn aa",
        "export aa --as pdf",
        "export a b",
        "export aa --all",
        "delete --all",
        "import",
        "import a --as json",
        "list -o x",
    ],
)
def test_a_mistake_is_one_sentence(typed: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        read(["history", *typed.split()])
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_file_that_cannot_be_read_is_a_sentence() -> None:
    keep("aa11")
    history_file().write_bytes(b"this is no database " * 500)
    for typed in ((), ("export", "aa11"), ("delete", "aa11")):
        done = run(*typed)
        assert done.returncode == 2 and done.stdout == ""
        assert len(done.stderr.splitlines()) == 1 and str(history_file()) in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full here")
@pytest.mark.parametrize("typed", [(), ("export", "aa11")])
def test_an_output_that_is_full_is_a_sentence(typed: Sequence[str]) -> None:
    keep("aa11")
    with Path("/dev/full").open("w") as full:
        done = run(*typed, stdout=full)
    assert done.returncode == 2
    (said,) = done.stderr.splitlines()
    assert said.startswith("clocktowers: the output cannot be written")


def test_what_a_server_lied_about_does_nothing_to_the_terminal() -> None:
    seats = [{"name": "\x1b[2Jx\n", "kind": "human"}, {"name": "Wren", "kind": "bot"}]
    keep("m\x1b]0;1", seats=seats, game="\x1b[31mchess")
    done = run()
    assert len(done.stdout.splitlines()) == 1 and "\x1b" not in done.stdout


def test_it_speaks_the_language(capsys: pytest.CaptureFixture[str]) -> None:
    keep("aa11", seats=SEATS, outcome=outcome(9, 7))
    speak("it")
    tool = read(["history"]).tool
    assert tool is not None and tool() == 0
    assert "vinta" in capsys.readouterr().out


def test_a_reader_that_goes_away_is_no_traceback() -> None:
    keep("aa11")
    for typed in ((), ("export", "aa11")):
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(
            [*COMMAND, *typed],
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
        os.close(writing)
        assert (done.returncode, done.stderr) == (0, "")
