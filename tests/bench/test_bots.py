"""The program that measures the levels: how it counts, that it can go on, that it says missed."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import json, structs

from bench import bots, duels, seer
from bench.bots import main, measured
from bench.duels import Deal, Duel, play_deal, summary
from bench.flat import flat
from server.games.clocktowers.legal import refuse
from server.games.clocktowers.search.levels import Effort, decide
from server.games.clocktowers.state import State
from server.games.clocktowers.view import view
from server.games.registry import GAMES
from server.recording.bot_matches import Series
from tests.games.clocktowers.case import CASE as CLOCKTOWERS
from tests.games.clocktowers.server.test_search import positions

DUEL = Duel("clocktowers", "normal", "easy", 0.85)


def deals(*scores: float) -> list[Deal]:
    times = {"normal": [1000, 2000, 3000], "easy": [10]}
    return [Deal(*DUEL[:3], number, score, times) for number, score in enumerate(scores, 1)]


def test_a_deal_counts_once() -> None:
    """s = 0.5 of four deals: 1.96 · 0.5 / 2."""
    result = summary(DUEL, deals(1.0, 1.0, 1.0, 0.0))
    assert (result.deals, result.score, result.met) == (4, 0.75, False)
    assert result.within == pytest.approx(0.49)
    assert result.ms["normal"] == (2.0, 3.0)


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

    monkeypatch.setattr(duels, "play", play)
    assert play_deal(DUEL, 3).score == score
    assert played == [(["normal", "easy"], 3), (["easy", "normal"], 3)]


def test_it_goes_on_where_it_was_broken_off(tmp_path: Path) -> None:
    keep, figures = tmp_path / "deals.jsonl", tmp_path / "figures.json"
    arguments = [
        "--game",
        "clocktowers",
        "--only",
        "normal-easy",
        "--deals",
        "3",
        "--keep",
        str(keep),
    ]
    main(arguments)
    lines = keep.read_bytes().splitlines(keepends=True)
    assert len(lines) == 3
    # What is kept is believed: the first deal is made a loss, the third is cut off.
    lost = json.decode(lines[0], type=Deal)
    lost.score = 0.0
    keep.write_bytes(json.encode(lost) + b"\n" + lines[1] + lines[2][:40])
    assert main([*arguments, "--json", str(figures)]) == 1
    (result,) = json.decode(figures.read_bytes())
    assert result["deals"] == 3
    assert result["score"] <= 2 / 3
    assert not result["met"]
    assert len(bots._kept(keep)) == 3


def test_another_file_is_not_written_into(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ann,\nno deals here")
    assert main(["--keep", str(letter)]) == 2
    assert "holds something else: name a new file" in capsys.readouterr().err
    assert letter.read_text() == "Dear Ann,\nno deals here"
    assert main(["--deals", "1", "--keep", str(tmp_path / "no" / "folder")]) == 2
    assert "No such file" in capsys.readouterr().err


def test_it_says_what_is_missed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        bots, "DUELS", (Duel("clocktowers", "easy", "normal", 0.85), DUEL._replace(target=0.7))
    )
    assert main(["--deals", "2"]) == 1
    first, second = capsys.readouterr().out.splitlines()[:2]
    assert first.endswith("aim 85%: MISSED")
    assert second.endswith("aim 70%: met")


@pytest.mark.parametrize("arguments", [["--deals", "0"], ["--deals", "x"], ["--game", "go"]])
def test_bad_arguments_get_a_sentence(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2


def test_a_duel_of_another_game_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--game", "architetti_attenti", "--only", "hard-flat"]) == 2
    assert "one of normal-easy, normal-easy-3" in capsys.readouterr().err


@pytest.mark.parametrize("game", ["architetti_attenti", "wild_wild_pattern"])
def test_the_levels_of_other_games_play_each_other(game: str) -> None:
    deal = play_deal(Duel(game, "normal", "random", 0.5), 1)
    assert (deal.game, deal.score) == (game, 1.0)
    assert deal.microseconds["normal"]


def test_every_game_has_aims_for_every_number_of_players() -> None:
    aims = {(duel.game, duel.players) for duel in bots.DUELS if duel.target is not None}
    assert aims == {(game, players) for game in GAMES for players in (2, 3, 4)}


@pytest.mark.parametrize(
    "executor", [ThreadPoolExecutor, partial(ProcessPoolExecutor, mp_context=get_context("spawn"))]
)
def test_whatever_runs_the_deals_they_end_the_same(executor: Callable[[int], Executor]) -> None:
    few = Duel("clocktowers", "normal", "easy", None, players=3)
    alone = measured(few, 4)
    with executor(2) as workers:
        beside = measured(few, 4, run=workers.map)
    assert structs.replace(beside, ms=alone.ms) == alone


def test_the_seer_is_shown_what_the_others_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """It wins what `expert` cannot: with few simulations, most of its matches against `normal`."""
    monkeypatch.setattr(seer, "EXPERT", Effort(60, 1, 4))
    shown: list[State] = []
    real = decide

    def noting(view: Any, own_events: Any, worlds: Any, *rest: Any) -> Any:
        world = next(worlds)
        shown.append(world)
        return real(view, own_events, iter((world,)), *rest)

    monkeypatch.setattr(seer, "decide", noting)
    assert play_deal(Duel("clocktowers", "seer", "easy", None), 1).score == 1.0
    assert {len(world.deal.removed[0]) for world in shown} == {5}
    assert len({world.deal.piles for world in shown}) == 1


def test_the_table_has_a_column_for_each_number_of_players() -> None:
    pair = [summary(DUEL._replace(players=players), deals(1.0, 0.0)) for players in (2, 4)]
    assert [*bots.table(pair)][2:] == [
        "| clocktowers | `normal` against `easy` "
        "| 50.0% ± 98.0 (2 deals) |  | 50.0% ± 98.0 (2 deals) |"
    ]


def test_the_reference_plays_by_the_rules() -> None:
    for options in CLOCKTOWERS.options:
        for position in positions(options, 3, 1, 40):
            seat = position.state.turn
            action = flat(view(position.state, seat), position.sent, Random(1))
            assert refuse(position.state, seat, action) is None
