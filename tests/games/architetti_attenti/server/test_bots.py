"""The levels: legal, repeatable, in the promised order of strength."""

from random import Random

import pytest

from protocol.games.architetti_attenti import Buy, End, Event, Options, Outcome
from server.games.architetti_attenti import planning
from server.games.architetti_attenti.bots import BOTS
from server.games.architetti_attenti.choices import choices
from server.games.architetti_attenti.evaluation import hope
from server.games.architetti_attenti.legal import legal_actions, refuse, to_act
from server.games.architetti_attenti.rules import apply
from server.games.architetti_attenti.scoring import outcome
from server.games.architetti_attenti.setup import opening, setup
from server.games.architetti_attenti.view import view
from server.games.contract import BEGINNING
from tests.games.architetti_attenti.meadows import meadow
from tests.games.architetti_attenti.positions import do, place, stage


class OnlyRandom(Random):
    """A source of numbers that has nothing but `random()`."""

    def getrandbits(self, k: int) -> int:
        raise AssertionError("bots use rng.random() alone")


def match(levels: list[str], number: int, options: Options | None = None) -> Outcome:
    """Asserts that every action is legal, and that what is chosen from is everything that is."""
    rng = OnlyRandom(number)
    state = setup(options or Options(), len(levels), number.to_bytes(32, "big"))
    sent: list[Event] = [told.event for told in opening(state)]
    while seats := to_act(state):
        seen = view(state, seats[0])
        assert choices(seen) == legal_actions(state, seats[0])
        action = BOTS[levels[seats[0]]](seen, sent, rng)
        assert action is not None
        assert refuse(state, seats[0], action) is None
        sent += [told.event for told in apply(state, seats[0], action, BEGINNING)]
    result = outcome(state)
    assert result is not None
    return result


@pytest.mark.parametrize("level", list(BOTS))
def test_every_level_plays_to_the_end(level: str) -> None:
    """Beside others, which take less time to think."""
    match([level, "random", "random"], 1, Options(end=End.ROW))


@pytest.mark.parametrize("level", list(BOTS))
def test_the_same_numbers_play_the_same(level: str) -> None:
    """And alone, to the row's end."""
    first, second = (match([level], 5, Options(end=End.ROW)) for _ in range(2))
    assert first == second


def shared(better: str, worse: str, deals: int) -> float:
    """The better level's share of the wins, each deal played twice."""
    won = 0.0
    for number in range(deals):
        for levels in ([better, worse], [worse, better]):
            winners = match(levels, number).winners
            won += (levels.index(better) in winners) / len(winners)
    return won / (2 * deals)


@pytest.mark.parametrize(
    ("better", "worse", "deals"),
    [
        ("easy", "random", 2),
        ("normal", "easy", 1),
        ("hard", "normal", 2),
        *(
            pytest.param(better, worse, 5, marks=pytest.mark.soak)
            for better, worse in (("easy", "random"), ("normal", "easy"), ("hard", "normal"))
        ),
    ],
)
def test_levels_are_in_order(better: str, worse: str, deals: int) -> None:
    """The same deals every time, so the same result; 65 % is promised over many more."""
    assert shared(better, worse, deals) >= 0.65


def test_hard_owes_it_to_its_hopes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Control: with hopes upside down it loses to the level without any."""
    real = hope
    monkeypatch.setattr(planning, "hope", lambda *asked: -real(*asked))
    assert shared("hard", "normal", 1) < 0.35


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_a_tile_is_put_where_it_closes_a_block(level: str) -> None:
    state = stage("house-house house-house house-house house-house")
    state.boards[0] = meadow("hh")
    do(state, Buy(1))
    assert BOTS[level](view(state, 0), [], OnlyRandom(1)) == place("a2 b2")


def test_normal_pays_for_what_brings_more() -> None:
    state = stage("house-house house-house house-toys house-house")
    state.boards[0] = meadow("hh", "", "", "", "", ".", "blf")
    assert BOTS["normal"](view(state, 0), [], OnlyRandom(1)) == Buy(1)
    state.boards[0] = meadow("h", "", "", "", "", ".", "blf")
    assert BOTS["normal"](view(state, 0), [], OnlyRandom(1)) == Buy(3)
