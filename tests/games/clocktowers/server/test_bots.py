"""What `easy` and `normal` do in plain positions; that all levels play on is a law. And what a
decision was worth: a planted blunder costs what it gives away, the best costs nothing."""

from itertools import cycle
from random import Random
from typing import Any

from msgspec.structs import replace

from protocol.games import clocktowers as ct
from protocol.games.clocktowers.cards import FIRST_ROOF
from protocol.ids import Seat
from server.games.clocktowers.bots import BOTS
from server.games.clocktowers.game import GAME as CLOCKTOWERS, RULES
from server.games.clocktowers.judging import judge
from server.games.clocktowers.state import State, opening
from server.games.contract import BEGINNING, Weighed
from server.games.weighing import compared
from server.matches.replay import events_for
from tests.games.clocktowers.positions import card, play, stage


def easily(*staged: str, drawing: str = "") -> set[ct.Action | None]:
    """What `easy` does there: `drawing`: from these piles."""
    seen, rng = RULES.view(stage(*staged), 0), Random(1)
    if drawing:
        draws = [ct.Choice(ct.Draw(pile)) for pile in range(3)]
        tops = bytes(map(card, drawing.split()))
        seen = replace(seen, phase=ct.Phase.DRAW, legal=draws, piles=tops)
    return {BOTS["easy"](seen, [], rng) for _ in range(100)}


def test_easy_finishes_before_it_builds_and_discards_only_what_it_must() -> None:
    assert easily("1- K- Rb", "1- K-", "1-") == {play("Rb", 0)}
    assert easily("1- K- Rb", "1-") == {play("K-", 0)}
    assert easily("1- 2c", "1-") == {play("1-"), play("1-", 0), play("2c")}, "3 is too high"
    thrown = easily("K- K- Rb")
    assert thrown == {ct.Discard(card("K-")), ct.Discard(card("Rb"))}


def test_easy_builds_no_tower_of_mice_alone_and_throws_mice_away_first() -> None:
    assert easily("1m Km K-") == {ct.Discard(card("1m")), ct.Discard(card("Km"))}
    assert easily("Km K- Rb", "1m Km") == {ct.Discard(card("Km"))}
    assert easily("1m 1c", "1m") == {play("1c"), play("1c", 0)}
    assert easily("Rb", "1c Km") == {play("Rb", 0)}, "3 points are more than mice bring"


def test_easy_draws_what_it_can_play() -> None:
    tops = "1- K- Rb"
    assert easily("1-", "1- K-", drawing=tops) == {ct.Draw(2)}
    assert easily("1-", "1- 2- K-", drawing=tops) == {ct.Draw(0)}, "too high for a first roof"
    assert easily("1-", "1-", drawing=tops) == {ct.Draw(1)}
    assert easily("1-", "1m", drawing="1m Km Rb") == {ct.Draw(pile) for pile in range(3)}
    assert easily("1-", drawing=tops) == {ct.Draw(0)}


def test_random_is_uniform_over_all() -> None:
    rng = Random(2)
    seen = RULES.view(stage("1- K- Rb", "1-"), 0)
    chosen = [BOTS["random"](seen, [], rng) for _ in range(1200)]
    assert {choice.action for choice in seen.legal} == set(chosen)
    assert min(chosen.count(choice.action) for choice in seen.legal) > 120


def decide(*staged: str, options: ct.Options | None = None) -> ct.Play | ct.Discard:
    state = stage(*staged, options=options)
    events = [told.event for told in opening(state)]
    action = BOTS["normal"](RULES.view(state, 0), events, Random(3))
    assert isinstance(action, ct.Play | ct.Discard)
    return action


def test_normal_completes_a_tower_and_keeps_animals_off_the_plain_one() -> None:
    assert decide("1m Km Rb", "1- K-") == play("Rb", 0)
    assert decide("Rb 2m Km", "1m Km", "1- K-") == play("Rb", 1)
    assert decide("K- Km Rb", "1-") == play("K-", 0)


def test_normal_knows_whether_clock_mice_count() -> None:
    """With one clock and two towers: on the spoilt one, unless its mouse spoils nothing."""
    staged = ("Km Rb Rg", "1-", "1m")
    assert decide(*staged) == play("Km", 1)
    ignoring = ct.Options(clock_mice=ct.ClockMice.IGNORE, first_seat=0)
    assert decide(*staged, options=ignoring) == play("Km", 0)


# What a decision was worth ------------------------------------------------------------------------


POINTS = 4


def chance() -> tuple[Any, list[Any], ct.Play]:
    """View and events where a roof brings points at once, and how it is played."""
    rules = CLOCKTOWERS.rules
    state = rules.setup(ct.Options(), 2, bytes(31) + b"\x01")
    told = list(rules.opening(state))
    for ply in range(200):
        seat = rules.to_act(state)[0]
        view, events = rules.view(state, seat), events_for(seat, told)
        for choice in view.legal if seat == 0 else ():
            action = choice.action
            if (
                isinstance(action, ct.Play)
                and action.card >= FIRST_ROOF
                and choice.points >= POINTS
            ):
                return view, events, action
        action = CLOCKTOWERS.bots["easy"](view, events, Random(ply))
        told += rules.apply(state, Seat(seat), action, BEGINNING)
    raise AssertionError("no such roof in this deal")


def test_to_throw_a_roof_away_that_pays_is_named_unless_it_may_be_luck() -> None:
    view, events, roof = chance()
    blunder = ct.Discard(roof.card)
    assert any(each.action == blunder for each in view.legal)
    found = judge(view, events, blunder, Random("a"))
    assert found.best != blunder and found.lost > 2 * found.error > 0
    assert found.better.lead > found.played.lead and not found.in_points
    own = [more - less for less, more in found.parts[0].values()]
    assert sum(own) > 0 and abs(sum(own)) < 2 * (found.better.lead - found.played.lead)
    gain = (found.better.wins or 0) - (found.played.wins or 0)
    assert abs(gain - found.lost) <= 1, "but for rounding"
    best = judge(view, events, found.best, Random("a"))
    assert (best.best, best.lost) == (found.best, 0) and best.played == best.better
    assert not judge(view, events, blunder, Random("a"), blunder).lost, "beside itself"
    ends = cycle([(Weighed(0, 400), Weighed(0, wins)) for wins in (825, 145)])
    unsure = compared(blunder, found.best, lambda _: next(ends))
    assert (unsure.best, unsure.lost) == (blunder, 0), "85 more of 1000 wins, give or take 60"


def seen(state: State) -> tuple[ct.View, list[Any]]:
    state.ladder[0] = 1 << 5
    return RULES.view(state, 0), [told.event for told in opening(state)]


def test_equal_moves_are_judged_as_one_and_the_first_of_them_is_called_better() -> None:
    towers = "2- 1- 1- 1-", "1m", "1- 2- 1- 1-"
    view, events = seen(stage("K- Rb Km", *towers))
    first, _other, twin = [judge(view, events, play("Km", on), Random(1)) for on in range(3)]
    assert first == twin and first.lost
    good = [judge(view, events, play("K-", on), Random(1)) for on in (0, 2)]
    assert good[1] == good[0]._replace(best=play("K-", 2))
    view, events = seen(stage("K- Rb Rb", *towers))
    found = [judge(view, events, ct.Discard(card("K-")), Random(seed)).best for seed in range(3)]
    assert found == [play("K-", 0)] * 3
