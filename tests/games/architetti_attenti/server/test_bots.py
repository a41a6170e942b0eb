"""The levels, and what they say a decision was worth."""

from random import Random
from typing import Any, NamedTuple

import pytest

from protocol.games import architetti_attenti as aa
from protocol.games.architetti_attenti.board import placements, with_tile
from protocol.games.architetti_attenti.evaluation import (
    UNIT,
    Learnt,
    Outlook,
    knots,
    learnt,
    outlook,
    weights,
    weights_of,
)
from protocol.games.architetti_attenti.score import STANDARD, Counting, parts
from protocol.ids import Seat
from server.games.architetti_attenti import bots as module
from server.games.architetti_attenti.bots import (
    BOTS,
    best_turn,
    choices,
    expert,
    judge,
    own_board,
    sites,
)
from server.games.architetti_attenti.game import GAME as ARCHITETTI_ATTENTI, RULES
from server.games.architetti_attenti.rules import legal_actions, refuse
from server.games.architetti_attenti.state import State, opening, setup
from server.games.contract import BEGINNING, Stop, never
from server.games.registry import GAMES
from server.games.weighing import ALWAYS
from server.matches.replay import events_for
from server.recording.bot_matches import Series, play
from server.recording.records import line, read
from server.recording.reel import Reel, decisions, judged
from tests.games.architetti_attenti.meadows import meadow
from tests.games.architetti_attenti.positions import SEED, do, place, stage, tile
from tests.laws.laws import walk


def test_bots_choose_from_all_that_is_legal() -> None:
    state = setup(aa.Options(), 2, SEED)
    for seat, _action in walk(RULES, state, Random(1), 400):
        assert choices(RULES.view(state, seat)) == legal_actions(state, seat)


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_a_tile_is_put_where_it_closes_a_block(level: str) -> None:
    state = stage("house-house house-house house-house house-house")
    state.boards[0] = meadow("hh")
    do(state, aa.Buy(1))
    assert BOTS[level](RULES.view(state, 0), [], Random(1)) == place("a2 b2")


def test_normal_pays_for_what_brings_more() -> None:
    state = stage("house-house house-house house-toys house-house")
    state.boards[0] = meadow("hh", "", "", "", "", ".", "blf")
    assert BOTS["normal"](RULES.view(state, 0), [], Random(1)) == aa.Buy(1)
    state.boards[0] = meadow("h", "", "", "", "", ".", "blf")
    assert BOTS["normal"](RULES.view(state, 0), [], Random(1)) == aa.Buy(3)


def counted(*rows: str, gems: int = 0) -> dict[str, int]:
    """What has a weight, without what every board has."""
    names, points = learnt().weights, UNIT * parts(meadow(*rows), gems).total
    alone = {name: Outlook(STANDARD, [one == name for one in names]) for name in names}
    found = {name: only.worth(meadow(*rows), gems) - points for name, only in alone.items()}
    return {name: number for name, number in found.items() if number}


def test_each_kind_is_counted() -> None:
    alone = counted("h......")
    assert (alone["houses"], alone["free cells around houses"]) == (1, 3)
    assert alone["2 x 2 that lack 3"] == 1
    assert counted("hh", "h.")["2 x 2 that lack 1 house"] == 1
    assert counted("hhh", "hhh", "hh.")["3 x 3 that lack 1 house"] == 1
    parks = counted("p.p")
    assert (parks["free cells around parks"], parks["their squares by park"]) == (8, 34)
    rails = counted("@==@", ".....", "=@..", "......@")
    assert (rails["stations"], rails["stations alone, with a free cell"]) == (4, 1)
    assert (rails["stations of networks with more"], rails["their live tracks"]) == (2, 2)
    assert (rails["tracks with one station"], rails["networks with one station"]) == (1, 1)
    assert counted("bl.")["3 shops of which 1 lacks"] == 1
    schools = counted("ss", gems=7)
    assert (schools["gems that schools hold"], schools["gems that schools lack"]) == (7, 3)
    assert "gems that no school holds" not in schools


def test_without_turns_nothing_comes() -> None:
    none, some = [outlook(STANDARD, turns).worth(meadow("hh", "h."), 5) for turns in (0, 9)]
    assert none == UNIT * parts(meadow("hh", "h."), 5).total < some


def test_between_learnt_turns_weights_lie_on_lines() -> None:
    """From 0 at no turns; beyond the last they stay."""
    found = Learnt((2, 10), {name: (20, 100) for name in learnt().weights})
    at = [weights_of(found, turns)[0] for turns in (0, 1, 2, 6, 10, 30)]
    assert at == [0, 10, 20, 60, 100, 100]
    assert knots(6, found.turns) == [(0, 5), (1, 5)]
    assert all(type(weight) is int for turns in range(23) for weight in weights(turns))


def decided(state: State, stop: Stop = never) -> aa.Action:
    return expert(RULES.view(state, 0), [told.event for told in opening(state)], Random(1), stop)


def contested() -> State:
    """The one lacks a house; the other has a long railway, for which a station is worth much."""
    state = stage("house-house station-track florist-school toys-school")
    state.boards = [meadow("hhh", "hhh", "hh."), meadow("@======", "......=", "@======")]
    return state


@pytest.mark.pure("the part of a decision that it leaves out is a function")
def test_it_takes_what_the_next_seat_wants(monkeypatch: pytest.MonkeyPatch) -> None:
    state = contested()
    with_rival = decided(state)
    monkeypatch.setattr(module, "_answer", lambda *asked: 0.0)
    monkeypatch.setattr(module, "_margin", lambda *asked: 0)
    assert [with_rival, decided(state)] == [aa.Buy(2), aa.Buy(1)]


@pytest.mark.pure("it puts a function in the place of the search")
def test_what_comes_a_round_later_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of turns that look best: here the last of them, with the tile bought and still to place."""
    state = stage()
    played: list[tuple[aa.Action, ...]] = []

    def later_is_better(state: State, turn: Any, stop: Stop) -> int:
        played.append(turn.actions)
        return len(played)

    monkeypatch.setattr(module, "_margin", later_is_better)
    for phase in range(2):
        action = decided(state)
        assert len(played) == module.LOOKED_AT * module.WORLDS * (phase + 1)
        assert action == played[-1][0] != played[0][-1]
        do(state, action)


def test_gems_do_not_change_where_a_tile_goes() -> None:
    board, ahead = meadow("hhsp=@b", "h....l."), outlook(STANDARD, 9)
    for each in (tile("house-house"), tile("toys-school")):
        put = [(with_tile(board, each, *way), way) for way in placements(board, each)]
        for gems in (0, 7):
            worths = [(ahead.worth(found, gems), way) for found, way in put]
            assert ahead.places(board, each, gems) == worths
            assert ahead.best(board, each, gems) == max(worths, key=lambda each: each[0])
        assert ahead.best(board, each, 0)[1] == ahead.best(board, each, 7)[1]


def test_a_cut_leaves_the_best_of_what_was_weighed() -> None:
    assert decided(contested(), lambda: True) == aa.Buy(1)


class Budget:
    """Time for so many asks. `most`: turns that were thought of between two of them."""

    def __init__(self, asks: int) -> None:
        self.left, self.since, self.most = asks, 0, 0

    def __call__(self) -> bool:
        self.left -= 1
        self.since = 0
        return self.left < 0

    def best_turn(self, *how: Any) -> Any:
        assert self.left >= 0, "it goes on though the time is up"
        self.since += 1
        self.most = max(self.most, self.since)
        return best_turn(*how)


@pytest.mark.pure("it counts the calls of a function")
def test_the_time_is_asked_for_before_each_turn_of_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    state = stage(seats=4)
    whole = decided(state)
    for asks in (*range(60), 10_000):
        budget = Budget(asks)
        monkeypatch.setattr(module, "best_turn", budget.best_turn)
        action = decided(state, budget)
        assert refuse(state, Seat(0), action) is None
        assert budget.most <= 1
    assert budget.most == 1
    assert action == whole


# What a decision was worth: a planted blunder costs what it gives away, the best costs nothing ---


BRINGS = 6


class LastTile(NamedTuple):
    """The last tile of a match, and where it brings most and least."""

    view: Any
    events: list[Any]
    best: aa.Place
    worst: aa.Place
    apart: int


def chance(seats: int, brings: int = BRINGS, seed: int = 0) -> LastTile:
    """The last in a match of easy bots."""
    rules, rng = ARCHITETTI_ATTENTI.rules, Random(1)
    state = rules.setup(aa.Options(), seats, bytes([seed] * 32))
    told = list(rules.opening(state))
    found = None
    while rules.outcome(state) is None:
        seat = rules.to_act(state)[0]
        view, events = rules.view(state, seat), events_for(seat, told)
        if seat == 0 and view.phase is aa.Phase.PLACE:
            found = of(view, events, brings) or found
        action = ARCHITETTI_ATTENTI.bots["easy"](view, events, rng)
        told += rules.apply(state, seat, action, BEGINNING)
    assert found is not None, "no tile of this match brings so much"
    return found


def of(view: Any, events: list[Any], brings: int) -> LastTile | None:
    counting = Counting.of(view)
    worth = {
        aa.Place(site.first, site.second): parts(site.board, view.gems[0], counting).total
        for site in sites(own_board(view), view.tile)
    }
    best, worst = max(worth, key=worth.__getitem__), min(worth, key=worth.__getitem__)
    apart = worth[best] - worth[worst]
    return LastTile(view, events, best, worst, apart) if apart >= brings else None


@pytest.mark.parametrize("seats", [1, 2])
def test_to_put_a_tile_where_it_brings_least_is_named_and_the_best_loses_nothing(
    seats: int,
) -> None:
    """Alone the lead is the points, and nobody is beaten."""
    chanced = chance(seats, seed=17)
    found = judge(chanced.view, chanced.events, chanced.worst, Random("a"))
    assert found.best != chanced.worst and found.lost > 0
    assert found.better.lead > found.played.lead + 1000 * BRINGS // 2
    if seats == 1:
        assert found.played.wins is found.better.wins is None and found.in_points
        gain = found.better.lead - found.played.lead
        assert abs(gain - found.lost) <= 1, "but for rounding"
    elif not found.in_points:
        assert found.played.wins is not None and found.better.wins is not None
        assert 0 <= found.played.wins < found.better.wins <= ALWAYS
        assert abs(found.better.wins - found.played.wins - found.lost) <= 1
    best = judge(chanced.view, chanced.events, found.best, Random("a"))
    assert (best.best, best.lost) == (found.best, 0) and best.played == best.better
    alone = judge(chanced.view, chanced.events, chanced.worst, Random("a"), chanced.worst)
    assert not alone.lost, "beside itself, though the best is better"


@pytest.mark.soak
@pytest.mark.parametrize("seats", [2, 4])
def test_what_is_said_to_win_so_often_does(seats: int) -> None:
    """Between bots of the level `hard`. Each match is looked at from all its seats, so that luck
    cannot favour those who are asked. `-s` shows the numbers that docs/decisions.md tells."""
    game, told = GAMES["architetti_attenti"], list[tuple[float, float]]()
    options = game.notation.options_from_record({})
    for number in range(48 // seats):
        series = Series(game, options, ["hard"] * seats, 7)
        reel = Reel(read(line(play(series, number)), GAMES))
        winners = game.rules.outcome(reel.plies[-1].state).winners  # type: ignore[union-attr]
        for seat in range(seats):
            for one in list(decisions(reel, Seat(seat)))[(number + seat) % 10 :: 10]:
                wins = judged(one).played.wins
                assert wins is not None
                told.append((wins / ALWAYS, (seat in winners) / len(winners)))
    won = sum(won for _said, won in told) / len(told)
    missed = sum((said - won) ** 2 for said, won in told) / len(told)
    always_alike = sum((1 / seats - won) ** 2 for _said, won in told) / len(told)
    said = sum(said for said, _won in told) / len(told)
    print(f"{seats} seats: {missed:.3f}, {always_alike:.3f} alike; said {said:.2f}, won {won:.2f}")
    assert missed < 0.8 * always_alike and abs(said - won) < 0.05


def test_the_last_tile_of_a_match_is_judged_by_its_points() -> None:
    played = (chance(1, brings=1, seed=seed) for seed in range(30))
    last = next(each for each in played if not aa.turns_after(each.view))
    found = judge(last.view, last.events, last.worst, Random("a"))
    parts = sum(more - less for less, more in found.parts[0].values())
    assert found.lost == 1000 * last.apart == parts
