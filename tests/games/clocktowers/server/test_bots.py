"""The levels: legal, repeatable, in the promised order of strength."""

from random import Random

import pytest
from msgspec.structs import replace

from protocol.games.clocktowers import (
    Action,
    Choice,
    ClockMice,
    Discard,
    Draw,
    Event,
    Ladder,
    Options,
    Phase,
    Play,
)
from server.games.clocktowers.bots import BOTS
from server.games.clocktowers.legal import refuse
from server.games.clocktowers.rules import apply
from server.games.clocktowers.scoring import outcome
from server.games.clocktowers.search import levels, tree
from server.games.clocktowers.search.evaluation import margins
from server.games.clocktowers.search.levels import Effort
from server.games.clocktowers.setup import opening, setup
from server.games.clocktowers.view import view
from server.games.contract import BEGINNING, Addressed
from tests.games.clocktowers.case import CASE as CLOCKTOWERS
from tests.games.clocktowers.positions import card, play, stage

STANDARD = Options()


@pytest.fixture(autouse=True)
def few_simulations(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tested here holds for any number of them."""
    monkeypatch.setattr(levels, "HARD", Effort(24, 4, 2))
    monkeypatch.setattr(levels, "EXPERT", Effort(48, 8, 4))


class OnlyRandom(Random):
    """A source of numbers that has nothing but `random()`."""

    def getrandbits(self, k: int) -> int:
        raise AssertionError("bots use rng.random() alone")


def match(levels: list[str], options: Options, number: int) -> tuple[list[int], list[float]]:
    """(scores, share of the win) by seat; asserts that every action is legal."""
    rng = OnlyRandom(number)
    state = setup(options, len(levels), number.to_bytes(32, "big"))
    sent: list[list[Event]] = [[] for _ in levels]

    def deliver(events: list[Addressed[Event]]) -> None:
        for told in events:
            for seat in range(len(levels)) if told.to is None else (told.to,):
                sent[seat].append(told.event)

    deliver(opening(state))
    while (seat := state.turn) < len(levels):
        action = BOTS[levels[seat]](view(state, seat), sent[seat], rng)
        assert action is not None
        assert refuse(state, seat, action) is None
        deliver(apply(state, seat, action, BEGINNING))
    result = outcome(state)
    assert result is not None
    share = 1 / len(result.winners)
    return list(result.scores), [share * (seat in result.winners) for seat in range(len(levels))]


@pytest.mark.parametrize("level", list(BOTS))
@pytest.mark.parametrize("options", CLOCKTOWERS.options)
def test_every_level_plays_every_table_to_the_end(level: str, options: Options) -> None:
    match([level] * 3, options, 1)


@pytest.mark.parametrize("level", list(BOTS))
def test_the_same_numbers_play_the_same(level: str) -> None:
    assert match([level] * 2, Options(), 5) == match([level] * 2, Options(), 5)


@pytest.mark.parametrize(("better", "worse"), [("easy", "random"), ("normal", "easy")])
@pytest.mark.parametrize("options", [Options(), Options(ladder=Ladder.OWN)])
@pytest.mark.parametrize("deals", [12, pytest.param(24, marks=pytest.mark.soak)])
def test_levels_are_in_order(better: str, worse: str, options: Options, deals: int) -> None:
    """Each deal is played twice, seats swapped; 75 % is promised for `normal`."""
    assert shared(better, worse, deals, options) >= 0.7


def shared(better: str, worse: str, deals: int, options: Options = STANDARD) -> float:
    """The better level's share of the wins, each deal played twice."""
    won = 0.0
    for number in range(deals):
        won += match([better, worse], options, number)[1][0]
        won += match([worse, better], options, number)[1][1]
    return won / (2 * deals)


def test_hard_beats_normal_also_with_a_fifth_of_its_simulations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same deals every time, so the same result; 80 % is promised over many more."""
    monkeypatch.setattr(levels, "HARD", Effort(48, 4, 2))
    assert shared("hard", "normal", 2) >= 0.65


def test_a_search_that_wants_the_opposite_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Control: as good as its simulations are, it is their estimate that the level follows."""
    real = margins
    monkeypatch.setattr(tree, "margins", lambda *asked: [-margin for margin in real(*asked)])
    assert shared("hard", "normal", 2) < 0.35


def easily(*staged: str, drawing: str = "") -> set[Action | None]:
    """What `easy` does there: `drawing`: from these piles."""
    seen, rng = view(stage(*staged), 0), OnlyRandom(1)
    if drawing:
        draws = [Choice(Draw(pile)) for pile in range(3)]
        tops = bytes(map(card, drawing.split()))
        seen = replace(seen, phase=Phase.DRAW, legal=draws, piles=tops)
    return {BOTS["easy"](seen, [], rng) for _ in range(100)}


def test_easy_finishes_before_it_builds_and_discards_only_what_it_must() -> None:
    assert easily("1- K- Rb", "1- K-", "1-") == {play("Rb", 0)}
    assert easily("1- K- Rb", "1-") == {play("K-", 0)}
    assert easily("1- 2c", "1-") == {play("1-"), play("1-", 0), play("2c")}, "3 is too high"
    thrown = easily("K- K- Rb")
    assert thrown == {Discard(card("K-")), Discard(card("Rb"))}


def test_easy_builds_no_tower_of_mice_alone_and_throws_mice_away_first() -> None:
    assert easily("1m Km K-") == {Discard(card("1m")), Discard(card("Km"))}
    assert easily("Km K- Rb", "1m Km") == {Discard(card("Km"))}
    assert easily("1m 1c", "1m") == {play("1c"), play("1c", 0)}
    assert easily("Rb", "1c Km") == {play("Rb", 0)}, "3 points are more than mice bring"


def test_easy_draws_what_it_can_play() -> None:
    tops = "1- K- Rb"
    assert easily("1-", "1- K-", drawing=tops) == {Draw(2)}
    assert easily("1-", "1- 2- K-", drawing=tops) == {Draw(0)}, "too high for a first roof"
    assert easily("1-", "1-", drawing=tops) == {Draw(1)}
    assert easily("1-", "1m", drawing="1m Km Rb") == {Draw(pile) for pile in range(3)}
    assert easily("1-", drawing=tops) == {Draw(0)}


def test_random_is_uniform_over_all() -> None:
    rng = OnlyRandom(2)
    seen = view(stage("1- K- Rb", "1-"), 0)
    chosen = [BOTS["random"](seen, [], rng) for _ in range(1200)]
    assert {choice.action for choice in seen.legal} == set(chosen)
    assert min(chosen.count(choice.action) for choice in seen.legal) > 120


def decide(*staged: str, options: Options | None = None) -> Play | Discard:
    state = stage(*staged, options=options)
    events = [told.event for told in opening(state)]
    action = BOTS["normal"](view(state, 0), events, OnlyRandom(3))
    assert isinstance(action, Play | Discard)
    return action


def test_normal_completes_a_tower() -> None:
    assert decide("1m Km Rb", "1- K-") == play("Rb", 0)


def test_normal_prefers_the_tower_without_animals() -> None:
    assert decide("Rb 2m Km", "1m Km", "1- K-") == play("Rb", 1)


def test_normal_puts_the_clock_without_a_mouse_on_the_plain_tower() -> None:
    assert decide("K- Km Rb", "1-") == play("K-", 0)


def test_normal_knows_whether_clock_mice_count() -> None:
    """With one clock and two towers: on the spoilt one, unless its mouse spoils nothing."""
    staged = ("Km Rb Rg", "1-", "1m")
    assert decide(*staged) == play("Km", 1)
    ignoring = Options(clock_mice=ClockMice.IGNORE, first_seat=0)
    assert decide(*staged, options=ignoring) == play("Km", 0)
