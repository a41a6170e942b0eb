"""The program that measures the levels of bots: it counts a deal from every seat, and goes on
where it was broken off."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from bench import bots
from bench.bots import DUELS, Deal, Duel, main, play_deal
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


def test_it_goes_on_where_it_was_broken_off(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep = tmp_path / "deals.jsonl"
    asked = "--game clocktowers --only normal-easy --deals 3 --keep"
    arguments = [*asked.split(), str(keep)]
    main(arguments)
    lines = keep.read_bytes().splitlines(keepends=True)
    assert len(lines) == 3
    capsys.readouterr()
    # What is kept is believed: two deals are made losses, the third is cut off.
    lost = [json.decode(line, type=Deal) for line in lines[:2]]
    for deal in lost:
        deal.score = 0.0
    keep.write_bytes(b"".join(json.encode(deal) + b"\n" for deal in lost) + lines[2][:40])
    assert main(arguments) == 1
    row = capsys.readouterr().out.splitlines()[-1]
    assert "(3 deals)" in row and float(row.split("| ")[3].partition("%")[0]) < 34
    assert [deal.deal for deal in bots.kept(keep)] == [1, 2, 3]


def test_every_game_has_an_aim_for_every_number_of_players() -> None:
    aims = {(duel.game, duel.players) for duel in DUELS if 0 < duel.aim < 1}
    assert aims == {(game, players) for game in GAMES for players in bots.PLAYERS}
