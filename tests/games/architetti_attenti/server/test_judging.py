"""What a decision was worth: a planted blunder costs what it gives away, the best costs nothing."""

from random import Random
from typing import Any, NamedTuple

import pytest

from protocol.games.architetti_attenti import Options, Phase, Place
from protocol.games.architetti_attenti.score import Counting, parts
from protocol.games.architetti_attenti.views import turns_after
from protocol.ids import Seat
from server.games.architetti_attenti import judging
from server.games.architetti_attenti.bots import own_board, sites
from server.games.architetti_attenti.game import ARCHITETTI_ATTENTI
from server.games.architetti_attenti.judging import ALWAYS, judge
from server.games.contract import BEGINNING
from server.games.registry import GAMES
from server.matches.replay import events_for
from server.recording.bot_matches import Series, play
from server.recording.records import line, read
from server.recording.reel import Reel
from server.recording.reviewing import decisions, judged

BRINGS = 6


class LastTile(NamedTuple):
    """The last tile of a match, and where it brings most and least."""

    view: Any
    events: list[Any]
    best: Place
    worst: Place
    apart: int


def chance(seats: int, brings: int = BRINGS, seed: int = 0) -> LastTile:
    """The last in a match of easy bots."""
    rules, rng = ARCHITETTI_ATTENTI.rules, Random(1)
    state = rules.setup(Options(), seats, bytes([seed] * 32))
    told = list(rules.opening(state))
    found = None
    while rules.outcome(state) is None:
        seat = rules.to_act(state)[0]
        view, events = rules.view(state, seat), events_for(seat, told)
        if seat == 0 and view.phase is Phase.PLACE:
            found = of(view, events, brings) or found
        action = ARCHITETTI_ATTENTI.bots["easy"](view, events, rng)
        told += rules.apply(state, seat, action, BEGINNING)
    assert found is not None, "no tile of this match brings so much"
    return found


def of(view: Any, events: list[Any], brings: int) -> LastTile | None:
    counting = Counting.of(view)
    worth = {
        Place(site.first, site.second): parts(site.board, view.gems[0], counting).total
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
    chanced = chance(seats)
    found = judge(chanced.view, chanced.events, chanced.worst, Random("a"))
    assert found.best != chanced.worst and found.lost > 1000 * BRINGS // 2
    assert abs(found.better.lead - found.played.lead - found.lost) <= 1, "but for rounding"
    assert found.better.points > found.played.points
    assert (found.played.lead == found.played.points) == (seats == 1)
    if seats == 1:
        assert found.played.wins is found.better.wins is None
    else:
        assert found.played.wins is not None and found.better.wins is not None
        assert 0 <= found.played.wins < found.better.wins <= ALWAYS
    best = judge(chanced.view, chanced.events, found.best, Random("a"))
    assert (best.best, best.lost) == (found.best, 0) and best.played == best.better


def test_a_lead_is_surer_over_fewer_rivals_and_with_fewer_turns_to_come() -> None:
    assert judging._chance([0], 9) == ALWAYS // 2 and judging._chance([0] * 3, 9) == ALWAYS // 4
    sure = [judging._chance([5000], turns) for turns in (20, 10, 5, 1)]
    assert sorted({*sure}) == sure and sure[0] > ALWAYS // 2 and sure[-1] < ALWAYS
    assert judging._chance([-5000], 5) == ALWAYS - judging._chance([5000], 5)


@pytest.mark.soak
@pytest.mark.parametrize("seats", [2, 4])
def test_what_is_said_to_win_so_often_does(seats: int) -> None:
    """Between bots of the level `hard`. `-s` shows the numbers that docs/decisions.md tells."""
    game, told = GAMES["architetti_attenti"], list[tuple[float, float]]()
    options = game.notation.options_from_record({})
    for number in range(24):
        seat = number % seats
        series = Series(game, options, ["hard"] * seats, 7)
        reel = Reel(read(line(play(series, number)), GAMES))
        winners = game.rules.outcome(reel.plies[-1].state).winners  # type: ignore[union-attr]
        for one in list(decisions(reel, Seat(seat)))[number % 5 :: 5]:
            wins = judged(one).played.wins
            assert wins is not None
            told.append((wins / ALWAYS, (seat in winners) / len(winners)))
    won = sum(won for _said, won in told) / len(told)
    missed = sum((said - won) ** 2 for said, won in told) / len(told)
    always_alike = sum((1 / seats - won) ** 2 for _said, won in told) / len(told)
    said = sum(said for said, _won in told) / len(told)
    print(f"{seats} seats: {missed:.3f}, {always_alike:.3f} alike; said {said:.2f}, won {won:.2f}")
    assert missed < 0.8 * always_alike and abs(said - won) < 0.1


def test_the_last_tile_of_a_match_is_judged_by_its_points() -> None:
    played = (chance(1, brings=1, seed=seed) for seed in range(30))
    last = next(each for each in played if not turns_after(each.view))
    found = judge(last.view, last.events, last.worst, Random("a"))
    assert found.lost == 1000 * last.apart
