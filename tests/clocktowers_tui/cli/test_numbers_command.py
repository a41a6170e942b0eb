"""`clocktowers history numbers`: what it counts, and what it draws."""

import pytest

from clocktowers_tui.cli import numbers_command
from clocktowers_tui.cli.commands import read
from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.history import matches
from clocktowers_tui.history.file import history_file
from clocktowers_tui.history.matches import Kept
from clocktowers_tui.history.record import Seated
from clocktowers_tui.text.i18n import speak
from clocktowers_tui.text.spelling import draw_with
from tests.clocktowers_tui.cli.test_history_command import keep
from tests.clocktowers_tui.history.test_matches import packed, played
from tests.clocktowers_tui.history.test_numbers import kept

GAMES = ["clocktowers", "architetti_attenti", "wild_wild_pattern"]


def against(one: Kept, *levels: str) -> Kept:
    seats = [Seated("Ann"), *(Seated(f"Bot {n}", level) for n, level in enumerate(levels))]
    head = one.head
    scores = [head.outcome.scores[0], *[7] * len(levels)]
    fields = {"id": head.id, "game": head.game, "options": {}, "seats": seats}
    outcome = type(head.outcome)(scores, head.outcome.winners)
    return one._replace(head=type(head)(**fields, outcome=outcome))  # type: ignore[arg-type]


def shown(*matches: Kept) -> list[str]:
    return list(numbers_command.lines(matches, GAMES))


def test_each_kind_of_match_is_counted_for_itself() -> None:
    easy = [against(kept(f"e{n}", points), "easy") for n, points in enumerate((10, 6, 20))]
    two = against(kept("t", 12), "hard", "hard")
    watched = against(kept("w", 99), "easy")._replace(me=None)
    people = kept("p", 30)._replace(me=1)
    lines = shown(*easy, two, watched, people)
    assert lines[0] == "Clocktowers: 5 matches"
    rows = {line.split("  ")[0]: line.split("  ")[1:] for line in lines[2:5]}
    numbers = {kind: [one.strip() for one in row if one.strip()] for kind, row in rows.items()}
    assert numbers["1 bot, easy"] == ["3", "2", "12", "20"]
    assert numbers["2 bots, hard"] == ["1", "1", "12", "12"]
    (kind,) = [kind for kind in numbers if kind.startswith("1 person")]
    assert "own" in kind.lower() and numbers[kind] == ["1", "0", "7", "7"], "by its rules"
    assert "Wins in a row: 1 now, 2 at best" in lines


def test_games_stand_apart_and_money_is_money(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numbers_command, "_reactions_ms", lambda _mine, _face: [])
    race = [kept(f"r{n}", 310, game="wild_wild_pattern") for n in range(2)]
    lines = shown(kept("c", 9), *race)
    assert "Clocktowers: 1 match" in lines and "Wild Wild Pattern: 2 matches" in lines
    assert "$3.10" in "\n".join(lines)
    assert shown() == ["You have no finished matches yet."]
    assert list(numbers_command.lines(race, ["clocktowers"])) == shown()


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


def test_it_is_typed(capsys: pytest.CaptureFixture[str]) -> None:
    keep("aa11")
    for typed, said in ((), "Clocktowers: 1 match"), (("--game", "architetti_attenti"), "no fin"):
        tool = read(["history", "numbers", *typed]).tool
        assert tool is not None and tool() == 0
        assert said in capsys.readouterr().out
    speak("it")
    tool = read(["history", "numbers"]).tool
    assert tool is not None and tool() == 0
    assert "partita" in capsys.readouterr().out
    history_file().write_bytes(b"this is no database " * 500)
    assert tool() == 2 and len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize("typed", ["numbers aa", "numbers --game chess", "list --game clocktowers"])
def test_a_mistake_is_one_sentence(typed: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        read(["history", *typed.split()])
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_what_a_server_lied_about_does_nothing_to_the_terminal() -> None:
    lie = against(kept("m", 9), "\x1b[2Jhard")
    options = {"ladder": "\x1b[31m", "first_heights": {"x": "\x1b"}}
    odd = kept("n", 9, options=options)
    assert "\x1b" not in "\n".join(shown(lie, odd))
