"""`clocktowers-server verify` and `records`: reports, exit codes, and no traceback whatever the
bytes."""

import asyncio
import contextlib
import io
import json
import re
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random
from string import hexdigits
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from protocol.from_client import Leave
from protocol.from_server import Notice
from protocol.signing import public_key
from server.__main__ import main
from server.games.registry import GAMES
from server.recording.bot_matches import Series, play
from server.recording.notation import write
from server.recording.records import MAX_LINE_BYTES, line, read
from server.store.backup import RECORDS
from server.store.private import secret
from server.store.sqlite import journal_in
from tests.games.clocktowers.oracle import CLOCKTOWERS
from tests.stage.house import PATIENCE_S, eventually, house, seated_pair
from tests.stage.processes import PROGRAM

REPORT = re.compile(r".+:\d+: (?:setup|outcome|signed|ply \d+): .+")
PROVED = re.compile(
    r".+:\d+: every ply.+; (?:not signed: nobody can know|signed by [0-9a-f]{64}, which vouches"
    " for) names, times and who was a bot"
)

GOOD = json.dumps(CLOCKTOWERS.record(2, {}, Random("verify"), False)).encode()


def spoilt(spoil: Callable[[dict[str, Any]], object]) -> bytes:
    record = json.loads(GOOD)
    spoil(record)
    return json.dumps(record).encode()


BAD_PLY = spoilt(lambda record: record["plies"].pop(5))
BAD_SETUP = spoilt(lambda record: record["setup"]["piles"]["roof"].pop())
BAD_OUTCOME = spoilt(lambda record: record["outcome"].update(decided_by="luck"))


def verify(*files: str | Path) -> tuple[int, list[str]]:
    """The exit code and the lines printed, but for those of records that are right."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(["verify", *map(str, files)])
    assert not err.getvalue()
    *told, last = out.getvalue().removesuffix("\n").split("\n")
    right, _colon, _proved = last.partition(": ")
    faults = [line for line in told if not PROVED.fullmatch(line)]
    assert len(told) - len(faults) == int(right.split()[0])
    return code, [*faults, right]


def file_of(tmp_path: Path, *lines: bytes, name: str = "file.jsonl") -> Path:
    file = tmp_path / name
    file.write_bytes(b"".join(line + b"\n" for line in lines))
    return file


@pytest.mark.parametrize(
    "line", [b"", b"  ", b"not json", b"{}", b"\xff", GOOD[:-1], b"[" * 100_000, GOOD + GOOD]
)
def test_a_line_that_is_no_record_outweighs_bad_records(tmp_path: Path, line: bytes) -> None:
    code, lines = verify(file_of(tmp_path, BAD_PLY, line, GOOD))
    assert code == 2
    assert lines[0].startswith(f"{tmp_path / 'file.jsonl'}:1: ply 5: ")
    assert lines[1].startswith(f"{tmp_path / 'file.jsonl'}:2: setup: ")
    assert lines[2] == "1 right"


def test_ends_of_lines(tmp_path: Path) -> None:
    file = tmp_path / "file"
    for text, code, agree in (
        (b"", 0, 0),
        (GOOD, 0, 1),
        (GOOD + b"\r\n" + GOOD + b"\r\n", 0, 2),
        (GOOD + b"\n\n", 2, 1),
        (GOOD + b"\n\n" + GOOD, 2, 2),
        (GOOD.replace(b'"Seat 0"', '"Seat\u2028\x85"'.encode()), 0, 1),
    ):
        file.write_bytes(text)
        got, lines = verify(file)
        assert (got, lines[-1]) == (code, f"{agree} right")


def test_a_line_too_long_is_refused_and_the_next_one_read(tmp_path: Path) -> None:
    longest = GOOD + b" " * (MAX_LINE_BYTES - len(GOOD))
    assert verify(file_of(tmp_path, longest, GOOD)) == (0, ["2 right"])
    for more in (1, 2, MAX_LINE_BYTES, 2 * MAX_LINE_BYTES + 7):
        code, lines = verify(file_of(tmp_path, longest + b" " * more, GOOD))
        assert code == 2
        assert re.fullmatch(r".*:1: setup: the line must not be longer than \d+ bytes", lines[0])
        assert lines[1:] == ["1 right"]


def test_files_that_cannot_be_read_do_not_stop_the_others(tmp_path: Path) -> None:
    good = file_of(tmp_path, GOOD)
    missing = tmp_path / "missing"
    code, lines = verify(missing, tmp_path, "a\0b", good)
    assert code == 2
    assert lines[0] == f"{missing}: cannot be read: No such file or directory"
    assert lines[1].startswith(f"{tmp_path}: cannot be read: ")
    assert lines[2].startswith("a\\x00b: cannot be read: ")
    assert lines[3:] == ["1 right"]


def test_a_files_name_cannot_act_on_the_terminal(tmp_path: Path) -> None:
    file = file_of(tmp_path, BAD_PLY, name="a\n\x1b]0;x\x07\udcff é")
    code, lines = verify(file)
    assert code == 1 and len(lines) == 2
    assert lines[0].startswith(f"{tmp_path}/a\\n\\x1b]0;x\\x07\\udcff é:1: ply 5: ")


def test_hostile_text_is_shown_harmless(tmp_path: Path) -> None:
    hostile = "\x1b]0;x\x07\r\n\u202e\u0301\u0301\u0301" * 100
    spoils = (
        lambda record: record.update(game=hostile),
        lambda record: record["options"].update(ladder=hostile),
        lambda record: record["setup"]["piles"]["floor"].append(hostile),
        lambda record: record["plies"][0]["action"].update(do=hostile),
        lambda record: record["plies"][0]["action"].update(card=hostile),
        lambda record: record["plies"][0].update(seat=hostile),
    )
    code, lines = verify(file_of(tmp_path, *map(spoilt, spoils)))
    assert code == 2
    assert len(lines) == len(spoils) + 1
    assert all(line.isprintable() and REPORT.fullmatch(line) for line in lines[:-1])


def test_a_terminal_without_the_characters_of_a_name_hurts_nobody(tmp_path: Path) -> None:
    file = file_of(tmp_path, BAD_PLY, name="Größe")
    done = subprocess.run(
        [*PROGRAM, "verify", file],
        env={"PYTHONIOENCODING": "ascii:strict", "PYTHONUTF8": "0"},
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, b"")
    assert done.stdout.splitlines()[-1].startswith(b"0 right: ")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_sentence_and_not_the_fault_of_the_file(tmp_path: Path) -> None:
    file = file_of(tmp_path, GOOD, *[b"{}"] * 5_000)
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*PROGRAM, "verify", file], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert done.stderr == b"clocktowers-server: cannot write the output: No space left on device\n"


def test_standard_input(tmp_path: Path) -> None:
    done = subprocess.run(
        [*PROGRAM, "verify", "-"],
        input=GOOD + b"\n" + BAD_PLY,
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 1
    assert b"\n-:2: ply 5: " in done.stdout
    assert b"\n1 right: " in done.stdout


LINES = st.lists(
    st.one_of(
        st.sampled_from([GOOD, BAD_PLY, BAD_SETUP, BAD_OUTCOME, b"", b"{}", b"NaN"]),
        st.binary(max_size=40),
        st.text().map(lambda text: json.dumps(text).encode()),
        st.tuples(st.integers(0, len(GOOD) - 1), st.binary(max_size=3)).map(
            lambda cut: GOOD[: cut[0]] + cut[1] + GOOD[cut[0] + 1 :]
        ),
    ),
    max_size=6,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(LINES)
def test_whatever_the_bytes_the_ending_is_right(tmp_path: Path, pieces: list[bytes]) -> None:
    file = file_of(tmp_path, *pieces)
    count = file.read_bytes().count(b"\n")
    code, lines = verify(file)
    assert all(REPORT.fullmatch(line) and line.isprintable() for line in lines[:-1])
    none = any("this is no file of matches" in line for line in lines)
    assert lines[-1] == f"{0 if none else count - len(lines) + 1} right"
    assert len(lines) == 2 or not none
    assert not any("report it" in line for line in lines), "the verifier itself failed"
    assert code in ({0} if len(lines) == 1 else {1, 2})


def test_a_fault_of_ours_is_told_and_the_rest_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[object] = []

    def failing(record: object) -> None:
        seen.append(record)
        if len(seen) == 1:
            raise KeyError("tower\x1b")

    monkeypatch.setattr("server.recording.files.check", failing)
    code, lines = verify(file_of(tmp_path, GOOD, GOOD))
    assert code == 1
    assert lines[0].isprintable() and "the verifier failed here" in lines[0]
    assert lines[1:] == ["1 right"]


def test_a_file_without_a_record_is_told_once(tmp_path: Path) -> None:
    picture = Random(1).randbytes(5000).split(b"\n")
    code, lines = verify(file_of(tmp_path, *picture))
    assert code == 2 and len(picture) > 10 and len(lines) == 2
    assert ":1: setup: this is no file of matches: the line must be a JSON object: " in lines[0]
    code, lines = verify(file_of(tmp_path, *picture, GOOD))  # a control
    assert len(lines) == len(picture) + 1 and lines[-1] == "1 right"


# Notation ----------------------------------------------------------------------------------------


def notation_of(*numbers: int) -> bytes:
    """Matches of these games as notation, a blank line between them."""
    written = []
    for game in (list(GAMES.values())[number] for number in numbers):
        series = Series(game, game.notation.options_from_record({}), ["random", "random"], 3)
        written.append(write(read(line(play(series, 0)), GAMES)).encode())
    return b"\n".join(written)


def test_a_file_of_notation_is_checked_like_records(tmp_path: Path) -> None:
    file = tmp_path / "file"
    for before in (b"", b"\xef\xbb\xbf", b"\n; by hand\n"):
        file.write_bytes(before + notation_of(0, 1, 2))
        assert verify(file) == (0, ["3 right"])
    file.write_bytes(notation_of(0, 1).replace(b"\n", b"\r\n"))
    assert verify(file) == (0, ["2 right"])


def test_a_wrong_move_of_notation_is_told_with_its_line(tmp_path: Path) -> None:
    lines = notation_of(0, 1, 0).splitlines(keepends=True)
    second = lines.index(b"[Notation 2]\n", 1)
    move = next(n for n, line in enumerate(lines) if n > second and b"buy" in line)
    lines[move] = lines[move].replace(b"buy", b"place a1")
    number = re.split(rb"(\d)\n", lines[move])[1]
    lines[move] = lines[move].replace(number + b"\n", b"a2\n")
    file = tmp_path / "file"
    file.write_bytes(b"".join(lines))
    code, said = verify(file)
    assert code == 1 and said[-1] == "2 right"
    assert said[0].startswith(f"{file}:{move + 1}: ply 1: the action is refused: wrong")


def test_hostile_notation_is_told_and_the_next_match_is_read(tmp_path: Path) -> None:
    good = notation_of(0)
    file = tmp_path / "file"
    for bad, why in (
        (b"[Notation 1]\n" + b"x" * 3_000_000 + b"\nend\n", "the line must not be longer"),
        (b"[Notation 1]\n[Id " + b"[" * 100_000 + b"\nend\n", "the line must not be longer"),
        (b"[Notation 1]\xff", "the line must be UTF-8, and byte 12 is not"),
        (b"[Notation 1]\n\xff\xfe\nend\n", "the line must be UTF-8, and byte 0 is not"),
        (b"[Notation 1]\n\x00\x1b[2J\n", "the match must have the tag Game"),
        (good[: len(good) // 2], "a part of it is missing"),
        (good.replace(b"clocktowers", b"chess"), 'not "chess"'),
        (b"[Notation 1]\n" + b"; on\n" * 1_100_000 + b"end\n", "the match must not be longer"),
    ):
        file.write_bytes(bad + b"\n" + good)
        code, said = verify(file)
        assert code == 2 and said[-1] == "1 right"
        assert any(why in line for line in said[:-1]) and len(said) <= 41
        assert all(REPORT.fullmatch(line) and line.isprintable() for line in said[:-1])


# Records of the journal --------------------------------------------------------------------------


async def two_play(folder: Path) -> None:
    """A match, and one that is begun and left."""
    async with journal_in(folder) as journal, house(journal=journal) as at:
        ann, ben, code = await seated_pair(at)
        kept = await ann.until(Notice, lambda notice: notice.code == "record_kept")
        assert kept.params == {"days": 30}
        await asyncio.gather(ann.play(Random(1)), ben.play(Random(2)))
        for peer in (ann, ben):
            await peer.done(Leave(id=0))
        await eventually(lambda: code not in at.server.lobby.tables)
        ann2, _ben2, _code = await seated_pair(at)
        await ann2.done(Leave(id=0))


async def test_a_match_that_people_played_is_listed_written_and_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, out = tmp_path / "state", tmp_path / "out.jsonl"
    folder.mkdir()
    here = ["records", "--state", str(folder)]
    assert main(here) == 2
    assert "there is no" in capsys.readouterr().err
    await two_play(folder)
    capsys.readouterr()
    assert main(here) == 0
    match, *_rest = (listed := capsys.readouterr().out).split()
    assert "Ann, Ben" in listed and set(match) <= set(hexdigits), "no command line misreads it"
    assert "1 finished matches, kept for 30 days" in listed and "of 1024 MB" in listed
    assert main([*here, "--json"]) == 0
    (one,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (one["match"], one["players"], one["game"]) == (match, ["Ann", "Ben"], "clocktowers")
    assert main([*here, "--write", str(out), match]) == 0
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert main(["verify", str(out)]) == 0
    said = capsys.readouterr().out
    assert "1 right" in said and "signed by" not in said, "it has no key"
    key = public_key(secret(folder / RECORDS))
    assert main([*here, "--write", str(mine := tmp_path / "mine.jsonl")]) == 0
    assert main(["verify", str(mine)]) == 0
    assert f"; signed by {key}, which vouches for names" in capsys.readouterr().out
    record = json.loads(out.read_text())
    assert record["id"] == match
    assert [seat["kind"] for seat in record["seats"]] == ["human", "human"]
    assert main([*here, "--write", str(out)]) == 2
    assert "name another file" in capsys.readouterr().err
    assert main([*here, "nobody"]) == 1
    # A control: a record in which what was played is not what stands.
    monkeypatch.setattr("server.recording.records.stands", lambda _entries, version: version != 3)
    assert main([*here, "--write", str(worse := tmp_path / "worse.jsonl")]) == 0
    assert main(["verify", str(worse)]) == 1
