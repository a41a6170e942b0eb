"""`clocktowers today`, as it is typed."""

import pytest

from clocktowers_tui.cli.commands import read
from clocktowers_tui.history import matches
from clocktowers_tui.history.file import history_file
from clocktowers_tui.new_table.deals import deal_of, today
from clocktowers_tui.text.i18n import speak
from tests.clocktowers_tui.cli.test_history_command import SEATS, outcome
from tests.clocktowers_tui.history.test_matches import packed, played


def keep(match: str, day: str, *scores: int) -> None:
    record = {**played(match), "seats": SEATS, "outcome": outcome(*scores)}
    matches.keep(match, packed(record), 0, 1000, day=day, turns=30)


def result(*typed: str) -> int:
    tool = read(["today", *typed, "--result"]).tool
    assert tool is not None
    return tool()


def test_it_leads_to_the_deal_of_a_game() -> None:
    assert read(["today"]).wish == deal_of("clocktowers", today())
    assert read(["today", "wild_wild_pattern"]).wish == deal_of("wild_wild_pattern", today())


def test_it_prints_the_newest_result_that_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert result() == 2
    assert "no deal of the day of Clocktowers yet" in capsys.readouterr().err
    keep("m1", "2026-11-21", 9, 7)
    keep("m2", "2026-11-22", 5, 7)
    keep("m3", "2026-11-22", 9, 7)
    assert result() == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3 and lines[1] == "Lost 5 : 7, 30 turns"
    speak("it")
    assert result("clocktowers") == 0
    assert "Persa 5 : 7, 30 turni" in capsys.readouterr().out
    assert result("wild_wild_pattern") == 2


def test_a_file_that_cannot_be_read_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    keep("m1", "2026-11-21", 9, 7)
    history_file().write_bytes(b"this is no database " * 500)
    assert result() == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize("typed", ["chess", "clocktowers --result x", "--day 1"])
def test_a_mistake_is_one_sentence(typed: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        read(["today", *typed.split()])
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
