"""The program that measures the levels of bots: it counts a deal from every seat, and says
which aims are met."""

from collections.abc import Sequence
from typing import Any

import pytest

from bench import bots
from bench.bots import DUELS, Duel, main, play_deal
from server.games.registry import GAMES
from server.recording.bot_matches import Series

DUEL = Duel("clocktowers", "normal", "easy", 2, 0.85)


@pytest.mark.parametrize(
    ("winners", "score"), [([0], 0.5), ([0, 1], 0.5), (["normal"], 1.0), (["easy"], 0.0)]
)
def test_a_deal_is_played_twice_with_seats_swapped(
    winners: list[Any], score: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Winners are seats here, or a level wherever it sits."""
    played: list[tuple[Sequence[str], int]] = []

    def play(series: Series, number: int) -> Any:
        played.append((series.levels, series.seed))
        seats = [series.levels.index(one) if isinstance(one, str) else one for one in winners]
        return {"outcome": {"winners": seats}}

    monkeypatch.setattr(bots, "play", play)
    assert play_deal(DUEL, 3).score == score
    assert played == [(["normal", "easy"], 3), (["easy", "normal"], 3)]


def test_a_duel_ends_with_its_row(capsys: pytest.CaptureFixture[str]) -> None:
    easiest = ["--game", "clocktowers", "--only", "normal-easy", "--deals", "3"]
    assert main(easiest) in (0, 1)
    *_, figures, empty, head, _line, row = capsys.readouterr().out.splitlines()
    assert (empty, head.count("|")) == ("", row.count("|"))
    assert row.startswith("| clocktowers | `normal` against `easy` | ") and "(3 deals)" in row
    assert figures.endswith("met" if main(easiest) == 0 else "MISSED")


def test_every_game_has_an_aim_for_every_number_of_players() -> None:
    aims = {(duel.game, duel.players) for duel in DUELS if 0 < duel.aim < 1}
    assert aims == {(game, players) for game in GAMES for players in bots.PLAYERS}
