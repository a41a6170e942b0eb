"""`clocktowers history export` and `import`, as they are typed."""

import asyncio
import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from clocktowers_tui.deeds.finished import find
from clocktowers_tui.history import matches
from clocktowers_tui.history.numbers import Ended, ended, played as counted
from clocktowers_tui.net import records
from clocktowers_tui.phrases import NotDone
from protocol.signing import signed
from server.__main__ import main
from server.games.registry import GAMES
from server.recording.records import line
from tests.clocktowers_tui.cli.test_history import (
    COMMAND,
    LIMIT_S,
    keep,
    one_sentence,
    run,
    started,
    well,
)
from tests.clocktowers_tui.history.test_matches import played

SOURCES = {"aa11": "clocktowers", "bb22": "architetti_attenti", "cc33": "wild_wild_pattern"}


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A match of each game is kept, and this is the folder."""
    monkeypatch.chdir(tmp_path)
    for number, (match, game) in enumerate(SOURCES.items()):
        keep(match, 0, 1000 + number, **played(match, game))
    return tmp_path


def record_of(match: str) -> Any:
    return json.loads(matches.line_of(match))


def brought(file: str | Path, *typed: str) -> "CompletedProcess[str]":
    return run("import", str(file), *typed)


# There and back ----------------------------------------------------------------------------------


def test_notation_of_all_matches_is_verified_and_comes_back_the_same(kept: Path) -> None:
    before = list(map(record_of, SOURCES))
    assert well(run("export", "--all", "--as", "notation", "-o", "all.txt")) == ""
    assert main(["verify", "all.txt"]) == 0
    for match in SOURCES:
        matches.delete(match)
    assert well(brought("all.txt")) == "3 new matches are in Your matches.\n"
    assert list(map(record_of, SOURCES)) == before
    assert well(brought("all.txt")) == "0 new matches are in Your matches. You had 3 already.\n"


def test_records_come_back_and_stdin_is_a_file(kept: Path) -> None:
    text = well(run("export", "--all"))
    assert [json.loads(said)["id"] for said in text.splitlines()] == list(SOURCES)
    for match in SOURCES:
        matches.delete(match)
    done = started("history", "import", "-", input=text)
    assert done.stdout == "3 new matches are in Your matches.\n"


def test_a_folder_gets_a_file_for_each_match_and_what_it_has_stays(kept: Path) -> None:
    Path("out").mkdir()
    well(run("export", "bb", "--as", "notation", "-o", "out"))
    done = run("export", "--all", "--as", "notation", "-o", "out")
    (said,) = done.stderr.splitlines()
    assert done.returncode == 1
    assert said.startswith("clocktowers: bb22: This file is there already: ")
    files = sorted(Path("out").iterdir())
    assert [file.name.split("-")[0] for file in files] == sorted(SOURCES.values())
    assert all(file.suffix == ".txt" and file.stat().st_mode & 0o077 == 0 for file in files)


def test_a_record_without_an_id_has_the_same_one_in_both_forms(kept: Path) -> None:
    """And no signature, which was made without it; with another name it is another match."""
    nameless = {name: value for name, value in played("x").items() if name != "id"}
    written = [signed(nameless, bytes(32)), {**nameless, "seats": _named("Ann")}]
    Path("two.jsonl").write_bytes(b"".join(map(line, written)))
    assert well(brought("two.jsonl")) == "2 new matches are in Your matches.\n"
    _other, found = [one for one in matches.newest_first() if one.head.id not in SOURCES]
    assert record_of(found.head.id) == {**nameless, "id": found.head.id}
    text = well(run("export", found.head.id, "--as", "notation"))
    Path("one.txt").write_text(re.sub(r"\[Id .*\n", "", text))
    assert well(brought("one.txt")) == "0 new matches are in Your matches. You had 1 already.\n"


@pytest.mark.parametrize("second_s", [0, 2])
def test_what_is_imported_is_dated_by_its_end(kept: Path, second_s: int) -> None:
    """Both as a record and as notation; of a match without times only the beginning is known."""
    fields = {**played("d1"), "began": "2026-11-23T19:30:00Z"}
    plies = [{**ply, "at_ms": n * second_s * 1000} for n, ply in enumerate(fields["plies"])]
    fields |= {"plies": plies}
    lasted_s = (len(plies) - 1) * second_s
    Path("one").write_bytes(line(fields))
    for _again in range(2):
        well(brought("one"))
        one = matches.of("d1")
        assert (
            one is not None and one.ended_at == 1795462200 + lasted_s and record_of("d1") == fields
        )
        Path("one").write_text(well(run("export", "d1", "--as", "notation")))
        matches.delete("d1")


def test_what_is_imported_counts_where_the_player_sat(kept: Path) -> None:
    seats = [{"name": "Ann", "kind": "bot", "level": "easy"}, {"name": "Ann", "kind": "human"}]
    for match, typed in (("d1", ()), ("d2", ("--name", "Ann")), ("d3", ("--name", "Bo"))):
        Path(match).write_bytes(line({**played(match), "seats": seats}))
        well(brought(match, *typed))
    found = {one.head.id: one for one in matches.newest_first() if one.head.id not in SOURCES}
    assert [found[match].me for match in ("d1", "d2", "d3")] == [None, 1, None]
    assert [one.head.id for one in counted(found.values())] == ["d2"]
    assert ended(found["d1"]) is Ended.WATCHED


# What is wrong -----------------------------------------------------------------------------------


def test_each_wrong_line_is_told_and_the_rest_is_kept(kept: Path) -> None:
    good = [line({**played(f"n{n}"), "seats": _named(f"Ann{n}")}) for n in range(2)]
    Path("some.jsonl").write_bytes(good[0] + b"nonsense\n" + good[1].replace(b'"1c"', b'"2c"', 1))
    done = brought("some.jsonl")
    assert done.returncode == 1 and done.stdout == "1 new match is in Your matches.\n"
    first, second = done.stderr.splitlines()
    assert first.startswith("clocktowers: some.jsonl:2: setup: the line must be a JSON object")
    assert second.startswith("clocktowers: some.jsonl:3: ")
    assert matches.of("n0") is not None and matches.of("n1") is None


def _named(name: str) -> list[dict[str, Any]]:
    return [{"name": name, "kind": "human"}, {"name": "Wren", "kind": "bot"}]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"x" * 100_000_000, "the line must not be longer than"),
        (b"[Notation 1]\n" + b"y" * 100_000_000, "the line must not be longer than"),
        (b'[Notation 1]\n[Game "chess"]\nend\n', 'the tag Game must be "clocktowers", '),
        (b"\x1b[2J\x00\xff", "the line must be a JSON object"),
        (b"\x1b]0;owned\x07", "must be a JSON object"),
        (b'{"format":"clocktowers-record","version":1,"game":"\x1b[2J"}', "a JSON object"),
    ],
    ids=["long", "long notation", "unknown game", "binary", "control", "control in JSON"],
)
def test_hostile_files_are_told(kept: Path, content: bytes, says: str) -> None:
    Path("bad").write_bytes(content)
    done = brought("bad")
    assert done.returncode == 1 and done.stdout == "0 new matches are in Your matches.\n"
    assert says in done.stderr and "\x1b" not in done.stderr and "Traceback" not in done.stderr
    assert len(done.stderr) < 2000


def test_what_cannot_be_read_or_written_is_one_sentence(kept: Path) -> None:
    one_sentence(brought("nowhere"), "nowhere cannot be read: No such file")
    one_sentence(brought("."), "cannot be read: ")
    one_sentence(run("export", "aa", "-o", "no/where"), "no/where cannot be written: No such file")
    one_sentence(run("export", "zz", "--as", "notation"), "no match of yours")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full here")
def test_a_full_disk_is_one_sentence(kept: Path) -> None:
    for form, which in (("json", "--all"), ("notation", "--all"), ("text", "--all"), ("svg", "aa")):
        one_sentence(run("export", which, "--as", form, "-o", "/dev/full"), "No space left")
    assert well(brought("/dev/null")) == "0 new matches are in Your matches.\n"


@pytest.mark.parametrize("form", ["notation", "text"])
def test_a_match_that_cannot_be_written_is_told_and_left_out(kept: Path, form: str) -> None:
    """Between two that can."""
    keep("zz99", 0, 1001, **{**played("zz99"), "plies": [{"seat": 0, "action": {"do": "sing"}}]})
    matches.delete("cc33")
    Path("out").mkdir()
    done = run("export", "--all", "--as", form, "-o", "out")
    assert done.returncode == 1 and done.stdout == ""
    (said,) = done.stderr.splitlines()
    assert said.startswith("clocktowers: zz99: ") and "ply 0: " in said
    games = sorted(file.name.split("-")[0] for file in Path("out").iterdir())
    assert games == ["architetti_attenti", "clocktowers"]


def test_a_recording_tells_how_far_it_is(kept: Path) -> None:
    """Where somebody looks; at the end nothing of it is left. Only its owner may read it."""
    ours, theirs = os.openpty()
    done = subprocess.run(
        [*COMMAND, "history", "export", "aa", "--as", "cast", "-o", "."],
        stdout=subprocess.PIPE,
        stderr=theirs,
        timeout=LIMIT_S,
    )
    said = os.read(ours, 1 << 16).decode()
    os.close(ours)
    os.close(theirs)
    assert done.returncode == 0 and "Drawing: move 1 of " in said and said.endswith("\r\x1b[K")
    (file,) = Path().glob("clocktowers-*-aa11.cast")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_process_that_cannot_be_started_is_one_sentence(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "CONVERTS", (sys.executable, "-c", "raise SystemExit(3)"))
    Path("one").write_bytes(line(played("n1")))
    one_sentence(run("export", "aa", "--as", "notation"), "writes matches has ended by itself")
    one_sentence(run("import", "one"), "reads matches has ended by itself")


# Replay ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_file_of_notation_can_be_replayed(kept: Path, game: str) -> None:
    match = next(match for match, its in SOURCES.items() if its == game)
    well(run("export", match, "--as", "notation", "-o", "one.txt"))
    found = asyncio.run(find("one.txt#7"))
    assert (json.loads(found.line), found.me, found.ply) == (record_of(match), 0, 7)


def test_a_file_that_is_no_match_is_not_replayed(kept: Path) -> None:
    for content, why in (
        ("", "there is no match in one"),
        ("hello", "one:1: setup: the line must be a JSON object"),
        ('[Notation 1]\n[Game "chess"]\nend', "one:2: setup: the tag Game must be"),
    ):
        Path("one").write_text(content)
        with pytest.raises(NotDone, match=why):
            asyncio.run(find("one"))
