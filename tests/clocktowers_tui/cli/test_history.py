"""`clocktowers history`, its `numbers`, and `clocktowers today`, as they are typed."""

import io
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import IO, Any

import pytest

from clocktowers_tui.cli import tools
from clocktowers_tui.cli.commands import read
from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.history import history_file, matches
from clocktowers_tui.history.matches import Kept
from clocktowers_tui.history.record import Seated
from clocktowers_tui.new_table import deal_of, today
from clocktowers_tui.text.i18n import speak
from clocktowers_tui.text.spelling import draw_with
from tests.clocktowers_tui.history.test_matches import packed, played
from tests.clocktowers_tui.history.test_numbers import kept

COMMAND = (sys.executable, "-P", "-m", "clocktowers_tui")
LIMIT_S = 60


def run(*typed: str, command: str = "history") -> "subprocess.CompletedProcess[str]":
    """The command in this process."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        tool = read([command, *typed]).tool
        assert tool is not None
        code = tool()
        out.flush()
    said = out.buffer.getvalue().decode()
    return subprocess.CompletedProcess(typed, code, said, err.getvalue())


def started(
    *typed: str, stdout: int | IO[str] = subprocess.PIPE, **more: Any
) -> "subprocess.CompletedProcess[str]":
    """The same as a process of its own."""
    return subprocess.run(
        [*COMMAND, *typed],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        timeout=LIMIT_S,
        check=False,
        **more,
    )


def keep(match: str, me: int | None = 0, ended_at: int = 1000, **changed: object) -> None:
    matches.keep(match, packed({**played(match), **changed}), me, ended_at)


def well(done: "subprocess.CompletedProcess[str]") -> str:
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def one_sentence(done: "subprocess.CompletedProcess[str]", *says: str) -> None:
    assert done.returncode == 2 and done.stdout == ""
    (said,) = done.stderr.splitlines()
    assert said.startswith("clocktowers: ") and said.isprintable() and len(said) < 500
    assert all(part in said for part in says), said


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
        done = started("history", *typed)
        assert (done.returncode, done.stderr) == (0, "")
        lines = [line.split() for line in done.stdout.splitlines()]
        assert [line[0] for line in lines] == ["dd44", "bc33", "bb22", "aa11"]
        assert [line[4] for line in lines] == ["shared", "watched", "lost", "won"]
        assert lines[3][3] == "Clocktowers"
        assert " ".join(lines[3][5:]) == "Ann 9, Wren 7; 1 bot, easy"
        starts = {line.index("Ann") for line in done.stdout.splitlines()}
        assert len(starts) == 1, "columns"


def test_it_deletes_the_match_that_is_meant() -> None:
    for match in ("aa11", "bb22", "bc33", "b"):
        keep(match)
    for typed, says in (
        (("delete", "x"), "no match of yours has this ID: x"),
        (("delete", "bb22x"), "no match of yours"),
        (("export", "a%"), "no match of yours"),
    ):
        one_sentence(run(*typed), says)
    assert run("delete", "b").returncode == 0, "that is a whole ID"
    one_sentence(run("delete", "b"), "several IDs begin like this")
    assert run("delete", "bb").returncode == 0
    assert sorted(one.head.id for one in matches.newest_first()) == ["aa11", "bc33"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full here")
@pytest.mark.parametrize("typed", [(), ("export", "aa11")])
def test_an_output_that_is_full_is_a_sentence(typed: Sequence[str]) -> None:
    keep("aa11")
    with Path("/dev/full").open("w") as full:
        done = started("history", *typed, stdout=full)
    assert done.returncode == 2
    (said,) = done.stderr.splitlines()
    assert said.startswith("clocktowers: the output cannot be written")


def test_what_a_server_lied_about_does_nothing_to_the_terminal() -> None:
    seats = [{"name": "\x1b[2Jx\n", "kind": "human"}, {"name": "Wren", "kind": "bot"}]
    keep("m\x1b]0;1", seats=seats, game="\x1b[31mchess")
    done = run()
    assert len(done.stdout.splitlines()) == 1 and "\x1b" not in done.stdout


def test_a_reader_that_goes_away_is_no_traceback() -> None:
    keep("aa11")
    for typed in (("history",), ("history", "export", "aa11"), ("keys",)):
        reading, writing = os.pipe()
        os.close(reading)
        done = started(*typed, stdout=writing)
        os.close(writing)
        assert (done.returncode, done.stderr) == (0, "")


# Numbers ------------------------------------------------------------------------------------------


GAMES = ["clocktowers", "architetti_attenti", "wild_wild_pattern"]


def against(one: Kept, *levels: str) -> Kept:
    seats = [Seated("Ann"), *(Seated(f"Bot {n}", level) for n, level in enumerate(levels))]
    head = one.head
    scores = [head.outcome.scores[0], *[7] * len(levels)]
    fields = {"id": head.id, "game": head.game, "options": {}, "seats": seats}
    outcome = type(head.outcome)(scores, head.outcome.winners)
    return one._replace(head=type(head)(**fields, outcome=outcome))  # type: ignore[arg-type]


def shown(*matches: Kept) -> list[str]:
    return list(tools.numbers_in_lines(matches, GAMES))


def test_each_kind_of_match_is_counted_for_itself() -> None:
    easy = [against(kept(f"e{n}", points), "easy") for n, points in enumerate((10, 6, 20))]
    two = against(kept("t", 12), "hard", "hard")
    watched = against(kept("w", 99), "easy")._replace(me=None)
    people = kept("p", 30)._replace(me=1)
    lines = shown(*easy, two, watched, people)
    assert lines[0] == "Clocktowers: 5 matches"
    rows = {line.split("  ")[0]: line.split("  ")[1:] for line in lines[3:6]}
    told = {kind: [one.strip() for one in row if one.strip()] for kind, row in rows.items()}
    assert told["1 bot, easy"] == ["3", "2", "12", "20"]
    assert told["2 bots, hard"] == ["1", "1", "12", "12"]
    (kind,) = [kind for kind in told if kind.startswith("1 person")]
    assert "own" in kind.lower() and told[kind] == ["1", "0", "7", "7"], "by its rules"
    assert "Wins in a row: 1 now, 2 at best" in lines


def test_games_stand_apart_and_money_is_money(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clocktowers_tui.phrases.numbers._reactions_ms", lambda _mine, _face: [])
    race = [kept(f"r{n}", 310, game="wild_wild_pattern") for n in range(2)]
    lines = shown(kept("c", 9), *race)
    assert "Clocktowers: 1 match" in lines and "Wild Wild Pattern: 2 matches" in lines
    assert "$3.10" in "\n".join(lines)
    assert shown() == ["You have no finished matches yet."]
    assert list(tools.numbers_in_lines(race, ["clocktowers"])) == shown()


def test_a_race_tells_how_soon_the_player_shot() -> None:
    record = played("m1", "wild_wild_pattern")
    matches.keep("m1", packed(record), 0, 1000)
    (line,) = [line for line in shown(*matches.newest_first()) if line.startswith("You shot")]
    assert "half within" in line and line.endswith(" s")


def plot(lines: list[str]) -> list[str]:
    return [line for line in lines if "|" in line]


def test_the_points_are_drawn_from_the_oldest_on() -> None:
    rising = [kept(f"m{n}", points) for n, points in enumerate((40, 30, 20, 10))]
    rows = plot(shown(*rising))
    assert rows[0].startswith("40 |") and rows[-1].startswith("10 |")
    assert len(rows[0].rstrip()) > len(rows[-1].rstrip()), "the newest is the most"
    falling = plot(shown(*rising[::-1]))
    assert len(falling[0].rstrip()) < len(falling[-1].rstrip()), "a control"
    assert plot(shown(*rising[:2])) == [], "two points are no line"
    assert plot(shown(*[kept(f"m{n}", 5) for n in range(5)])) == [], "nor are equal ones"
    draw_with(GlyphSet.ASCII)
    try:
        lines = shown(*rising)
        assert all(line.isascii() for line in lines) and "*" in plot(lines)[0]
    finally:
        draw_with(GlyphSet.UNICODE)


def test_nor_do_numbers_of_it() -> None:
    lie = against(kept("m", 9), "\x1b[2Jhard")
    options = {"ladder": "\x1b[31m", "first_heights": {"x": "\x1b"}}
    odd = kept("n", 9, options=options)
    assert "\x1b" not in "\n".join(shown(lie, odd))


# The deal of the day ------------------------------------------------------------------------------


def keep_deal(match: str, day: str, *scores: int) -> None:
    record = {**played(match), "seats": SEATS, "outcome": outcome(*scores)}
    matches.keep(match, packed(record), 0, 1000, matches.Known(turns=30), day=day)


def test_it_leads_to_the_deal_of_a_game() -> None:
    assert read(["today"]).wish == deal_of("clocktowers", today())
    assert read(["today", "wild_wild_pattern"]).wish == deal_of("wild_wild_pattern", today())


def test_it_prints_the_newest_result_that_counts() -> None:
    none = run("--result", command="today")
    assert none.returncode == 2 and "no deal of the day of Clocktowers yet" in none.stderr
    keep_deal("m1", "2026-11-21", 9, 7)
    keep_deal("m2", "2026-11-22", 5, 7)
    keep_deal("m3", "2026-11-22", 9, 7)
    lines = run("--result", command="today").stdout.splitlines()
    assert len(lines) == 3 and lines[1] == "Lost 5 : 7, 30 turns"
    assert run("wild_wild_pattern", "--result", command="today").returncode == 2


# All of them --------------------------------------------------------------------------------------


def test_they_speak_the_language() -> None:
    keep_deal("m1", "2026-11-21", 9, 7)
    speak("it")
    for command, typed, word in (
        ("history", (), "vinta"),
        ("history", ("numbers",), "1 partita"),
        ("history", ("numbers", "--game", "architetti_attenti"), "partite"),
        ("today", ("clocktowers", "--result"), "Vinta 9 : 7, 30 turni"),
    ):
        assert word in run(*typed, command=command).stdout


def test_a_file_that_cannot_be_read_is_a_sentence() -> None:
    keep("aa11")
    history_file().write_bytes(b"this is no database " * 500)
    for typed in ((), ("export", "aa11"), ("delete", "aa11"), ("numbers",)):
        one_sentence(run(*typed), str(history_file()))
    one_sentence(run("--result", command="today"))


@pytest.mark.parametrize(
    "typed",
    [
        *("history list aa", "history export", "history delete", "history burn aa"),
        *("history export aa --as pdf", "history export a b", "history export aa --all"),
        *("history delete --all", "history import", "history import a --as json"),
        *("history list -o x", "history numbers aa", "history numbers --game chess"),
        *("history list --game clocktowers", "today chess"),
        *("today clocktowers --result x", "today --day 1"),
    ],
)
def test_a_mistake_is_one_sentence(typed: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        read(typed.split())
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
