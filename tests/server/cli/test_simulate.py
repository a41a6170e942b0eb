"""`clocktowers-server simulate` as somebody at a shell meets it, and options as they are typed
there."""

import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from protocol.games import architetti_attenti as aa, clocktowers as ct, wild_wild_pattern as wwp
from protocol.games.clocktowers import PRESETS as CLOCKTOWERS_PRESETS, Options
from protocol.games.moves import RecordError
from protocol.games.registry import GAMES as VOCABULARIES
from server.__main__ import main
from server.cli.simulate import table_options
from server.games.registry import GAMES
from server.operating.words import CouldNot
from tests.stage.house import PATIENCE_S
from tests.stage.processes import PROGRAM


def simulate(*args: str | Path) -> int:
    return main(["simulate", *map(str, args)])


def test_options_seats_and_legal_actions_stand_in_the_record(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    options = ["first_heights=2", "turn_order=draw-play", "ladder=own", "clock_mice=ignore"]
    options += ["open_memory=on", "first_seat=1"]
    given = [part for option in options for part in ("--option", option)]
    assert simulate("--bots", "easy,random", *given, "--with-legal", "--records", file) == 0
    record = json.loads(file.read_text())
    assert record["options"] == {
        "first_heights": [2],
        "turn_order": "draw-play",
        "ladder": "own",
        "clock_mice": "ignore",
    }
    assert record["setup"]["first_seat"] == 1
    seats = [(seat["kind"], seat["level"]) for seat in record["seats"]]
    assert seats == [("bot", "easy"), ("bot", "random")]
    assert all(ply["action"] in ply["legal"] for ply in record["plies"])


def test_without_asking_there_are_no_legal_lists_and_bots_are_random(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    assert simulate("--players", "4", "--option", "first_heights=1,2", "--records", file) == 0
    record = json.loads(file.read_text())
    assert [seat["level"] for seat in record["seats"]] == ["random"] * 4
    assert not any("legal" in ply for ply in record["plies"])


def test_a_preset_sets_what_no_option_does(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    args = ("--preset", "russian", "--option", "clock_mice=ignore", "--records", file)
    assert simulate(*args) == 0
    written = json.loads(file.read_text())["options"]
    preset = CLOCKTOWERS_PRESETS["russian"]
    assert written["turn_order"] == preset["turn_order"] != Options().turn_order
    assert written["clock_mice"] == "ignore" != preset["clock_mice"]


def test_no_games_is_an_empty_file(tmp_path: Path) -> None:
    assert simulate("--games", "0", "--records", tmp_path / "none") == 0
    assert (tmp_path / "none").read_bytes() == b""


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ("--game chess", f"there is no game 'chess' (known: {', '.join(GAMES)})"),
        ("--games -1", "--games -1: it cannot be less than 0"),
        ("--players 5", "clocktowers has 2, 3, 4 players, not 5"),
        ("--players 0", "clocktowers has 2, 3, 4 players, not 0"),
        ("--bots random", "clocktowers has 2, 3, 4 players, not 1"),
        ("--players 3 --bots random,easy", "--bots names 2 levels, but there are 3 players"),
        ("--bots random,clever", "there is no level 'clever' (known: random, learner, easy"),
        ("--bots \x1b]0;x\x07,", "there is no level '\\x1b]0;x\\x07' (known"),
        ("--preset chess", "there is no preset 'chess' (known: standard, "),
        ("--game wild_wild_pattern --players 1", "1 player needs --option practice=on (one"),
    ],
)
def test_what_cannot_be_followed_is_one_sentence(
    args: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert simulate(*args.split(), "--records", tmp_path / "file") == 2
    printed = capsys.readouterr()
    assert not printed.out
    assert printed.err.startswith("clocktowers-server: ")
    assert said in printed.err and printed.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("where", ["missing/file", "."])
def test_a_file_that_cannot_be_written(
    where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert simulate("--records", tmp_path / where) == 2
    assert "cannot write" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate("--games", "20", "--records", "/dev/full") == 2
    assert "No space left" in capsys.readouterr().err
    assert Path("/dev/full").is_char_device()


def test_a_link_is_followed_and_an_old_file_replaced(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old")
    (tmp_path / "link").symlink_to("old")
    assert simulate("--records", tmp_path / "link") == 0
    assert (tmp_path / "link").is_symlink()
    assert json.loads((tmp_path / "old").read_text())["format"] == "clocktowers-record"
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_who_is_stopped_leaves_the_old_file_and_no_traceback(
    stop: signal.Signals, tmp_path: Path
) -> None:
    file = tmp_path / "records.jsonl"
    file.write_text("old\n")
    running = subprocess.Popen(
        [*PROGRAM, "simulate", "--games", "100000000", "--records", str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    until = time.monotonic() + PATIENCE_S
    while len(list(tmp_path.iterdir())) == 1 and time.monotonic() < until:
        time.sleep(0.01)
    running.send_signal(stop)
    out, err = running.communicate(timeout=PATIENCE_S)
    assert (running.returncode, out, err) == (128 + stop, b"", b"")
    assert file.read_text() == "old\n"
    assert list(tmp_path.iterdir()) == [file]


def test_a_reader_who_leaves_ends_it_quietly() -> None:
    command = ["simulate", "--games", "100000000", "--records", "-"]
    running = subprocess.Popen([*PROGRAM, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert running.stdout is not None and running.stderr is not None
    assert running.stdout.read(10) == b'{"format":'
    running.stdout.close()
    assert running.wait(PATIENCE_S) == 128 + signal.SIGPIPE
    assert running.stderr.read() == b""
    running.stderr.close()


# Options -----------------------------------------------------------------------------------------

CLOCKTOWERS, ATTENTI, WILD = "clocktowers", "architetti_attenti", "wild_wild_pattern"


def read(game: str, typed: str, seats: int = 2, preset: str = "standard") -> Any:
    return table_options(GAMES[game], typed.split(), VOCABULARIES[game].presets[preset], seats)


@pytest.mark.parametrize(
    ("game", "typed", "options"),
    [
        (CLOCKTOWERS, "", ct.Options()),
        (CLOCKTOWERS, "first_heights=1,2 ladder=own", ct.Options(ladder=ct.Ladder.OWN)),
        (CLOCKTOWERS, "first_heights=2", ct.Options(first_heights=(2,))),
        (CLOCKTOWERS, "first_seat=none", ct.Options()),
        (ATTENTI, "first_seat=none", aa.Options()),
        (ATTENTI, "first_seat=1", aa.Options(first_seat=1)),
        (WILD, "race_limit_s=0", wwp.Options(race_limit_s=0)),
        (WILD, "race_limit_s=300 mode=vivo", wwp.Options(race_limit_s=300, mode=wwp.Mode.VIVO)),
    ],
)
def test_what_is_taken(game: str, typed: str, options: Any) -> None:
    assert read(game, typed) == options


@pytest.mark.parametrize(
    ("game", "seats", "typed", "said"),
    [
        (CLOCKTOWERS, 2, "ladder", "--option 'ladder' is not NAME=VALUE"),
        (CLOCKTOWERS, 2, "colour=red", "'colour=red': no such option (known: first_heights, "),
        (CLOCKTOWERS, 2, "ladder=own ladder=own", "--option ladder is given twice"),
        (CLOCKTOWERS, 2, "ladder=steep", "--option ladder is not shared or own: 'steep'"),
        (CLOCKTOWERS, 2, "ladder=\udcff", "--option ladder is not shared or own: '\\udcff'"),
        (CLOCKTOWERS, 2, "first_heights=2,1", "--option first_heights is not 1,2 or 2: '2,1'"),
        (CLOCKTOWERS, 2, "first_seat=2", "--option first_seat is not none or 0 to 1: '2'"),
        (ATTENTI, 1, "first_seat=null", "--option first_seat is not none or 0: 'null'"),
        (WILD, 1, "practice=off", "--option practice is not on (one seat alone is always in"),
        (WILD, 3, "practice=on", "--option practice is not off (practice is for one seat or two)"),
        (WILD, 1, "", "1 player needs --option practice=on (one seat alone is always in"),
        (WILD, 1, "practice=on mode=vivo", "--option mode is not saloon (Vivo o Morto! is for"),
    ],
)
def test_what_is_not_is_told_with_what_would_do(
    game: str, seats: int, typed: str, said: str
) -> None:
    with pytest.raises(CouldNot) as caught:
        read(game, typed, seats)
    assert str(caught.value).startswith(said) or said in str(caught.value)


def test_of_a_preset_it_is_said_what_nobody_typed() -> None:
    for seats, preset, said in (
        (4, "practice", "4 players need --option practice=off (practice is for one seat or two)"),
        (1, "vivo", "1 player needs --option mode=saloon (Vivo o Morto! is for two seats or more)"),
    ):
        with pytest.raises(CouldNot) as caught:
            read(WILD, "", seats, preset)
        assert str(caught.value) == said


@pytest.mark.parametrize("text", ["1e2", "-0", "+60", "060", "6_0", "６０", "29", "301", "true"])
def test_numbers_are_as_in_records_and_one_sentence_names_them(text: str) -> None:
    with pytest.raises(CouldNot) as caught:
        read(WILD, f"race_limit_s={text}")
    allowed = "0 or 30 to 300"
    assert str(caught.value) == f"--option race_limit_s is not {allowed}: {text!a}"
    with pytest.raises(RecordError, match=f"race_limit_s must be {allowed}, not 29"):
        GAMES[WILD].notation.options_from_record({"race_limit_s": 29})
