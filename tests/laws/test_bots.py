"""The levels of every game do what is legal, the same again, and are in order of strength."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from server.games.architetti_attenti import bots as expert
from server.games.clocktowers import search as searching
from server.games.clocktowers.search import Effort
from server.games.registry import GAMES
from server.recording import bot_matches
from server.recording.bot_matches import Series, play
from tests.laws.cases import CASES, TABLES

LEVELS = [(name, level) for name, game in GAMES.items() for level in game.bots]


@pytest.fixture(autouse=True)
def few_simulations(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked of the searching levels here holds for any number of them."""
    monkeypatch.setattr(searching, "HARD", Effort(72, 6, 2))
    monkeypatch.setattr(searching, "EXPERT", Effort(48, 8, 4))
    monkeypatch.setattr(expert, "LOOKED_AT", 2)
    monkeypatch.setattr(expert, "WORLDS", 1)


class OnlyRandom(Random):
    """A source of numbers that has nothing but `random()`, which is the same everywhere."""

    def getrandbits(self, k: int) -> int:
        raise AssertionError("bots use rng.random() alone")


def played(game: str, options: Any, levels: Sequence[str], number: int = 0) -> dict[str, Any]:
    """The record of a match; a level that does what is refused fails it."""
    return play(Series(GAMES[game], options, levels, 7), number)


@pytest.mark.parametrize(("game", "level"), LEVELS)
def test_every_level_plays_to_the_end_and_the_same_again(
    game: str, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Alone where that is possible: it takes less time."""
    options, rules = CASES[game].options[-1], GAMES[game].rules
    alone = 1 in rules.seats and rules.check_options(options, 1) is None
    levels = [level] if alone else [level, "random"]
    record = played(game, options, levels)
    assert record["outcome"]
    if not rules.races:
        monkeypatch.setattr(bot_matches, "Random", OnlyRandom)
    assert played(game, options, levels) == record


@pytest.mark.parametrize(("game", "seats", "options"), TABLES)
def test_bots_play_at_every_table(game: str, seats: int, options: Any) -> None:
    assert played(game, options, ["normal", "easy", "random", "easy"][:seats])["outcome"]


def share_of_wins(game: str, better: str, worse: str, deals: int) -> float:
    """The better level's, each deal played twice, seats swapped."""
    won, options = 0.0, GAMES[game].notation.options_from_record({})
    for number in range(deals):
        for levels in ([better, worse], [worse, better]):
            winners = played(game, options, levels, number)["outcome"]["winners"]
            won += (levels.index(better) in winners) / len(winners)
    return won / (2 * deals)


@pytest.mark.parametrize(
    ("game", "better", "worse", "deals"),
    [
        ("clocktowers", "easy", "learner", 6),
        ("clocktowers", "normal", "easy", 6),
        ("clocktowers", "hard", "normal", 2),
        ("architetti_attenti", "easy", "learner", 2),
        ("architetti_attenti", "normal", "easy", 1),
        ("architetti_attenti", "hard", "normal", 1),
        ("wild_wild_pattern", "easy", "learner", 4),
        ("wild_wild_pattern", "normal", "easy", 4),
        ("wild_wild_pattern", "hard", "normal", 4),
    ],
)
@pytest.mark.parametrize("times", [1, pytest.param(4, marks=pytest.mark.soak)])
def test_levels_are_in_order(game: str, better: str, worse: str, deals: int, times: int) -> None:
    """The same deals every time, so the same result; `python -m bench.bots` says how far apart."""
    assert share_of_wins(game, better, worse, deals * times) > 0.6
