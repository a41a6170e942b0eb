"""What a hint chooses on a board is the action it names, and one more key plays it."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any, Final, NamedTuple

import pytest
from msgspec.structs import replace

from clocktowers_tui.games.architetti_attenti import choosing as towns, hinting as towns_hinting
from clocktowers_tui.games.clocktowers import choosing, hinting as towers_hinting
from clocktowers_tui.games.face import Advice, advice_in_words
from clocktowers_tui.games.wild_wild_pattern import choosing as race, hinting as race_hinting
from protocol.games import Switch, wild_wild_pattern as ww
from protocol.games.clocktowers import Ladder, Options, Play
from protocol.ids import Seat
from server.games.contract import BEGINNING
from server.games.registry import GAMES
from tests.games.clocktowers.positions import cards, stage
from tests.games.wild_wild_pattern import positions as race_positions
from tests.games.wild_wild_pattern.matches import may_hold
from tests.laws.cases import CASES

NAMES: Final = ("Ann", "Bob", "Cleo", "Dan")
UNPICKED: Final = (ww.Click, ww.Ready)
"""No cursor may rest on them: one key does them, and the sentence names it."""


class Hinted(NamedTuple):
    """`chosen`: whether something else is chosen than before. `played`: what Enter does then."""

    chosen: bool
    played: Any
    advice: Advice | None


def of_towers(view: Any, action: Any) -> Hinted:
    begun = choosing.settle(view, None, choosing.NOTHING)
    chosen = choosing.towards(view, begun, action)
    advice = towers_hinting.advice(view, action)
    return Hinted(chosen != begun, choosing.confirm(view, chosen).action, advice)


def of_towns(view: Any, action: Any) -> Hinted:
    begun = towns.settle(view, None, towns.NOTHING)
    chosen = towns_hinting.towards(view, begun, action)
    advice = towns_hinting.advice(view, chosen)
    return Hinted(chosen != begun, towns.confirm(view, chosen).action, advice)


def of_race(view: Any, action: Any) -> Hinted:
    begun = race.settle(view, None, race.NOTHING)
    chosen = race_hinting.towards(view, begun, action)
    advice = race_hinting.advice(view, action)
    return Hinted(chosen != begun, race.confirm(view, chosen).action, advice)


HINTED: Final[dict[str, Callable[[Any, Any], Hinted]]] = {
    "clocktowers": of_towers,
    "architetti_attenti": of_towns,
    "wild_wild_pattern": of_race,
}


@cache
def positions(game: str) -> list[tuple[Any, list[Any]]]:
    """Views of the seat that acts, each with its legal actions in any order, on a random walk."""
    return [*walk(game)]


def walk(game: str, plies: int = 120) -> Iterator[tuple[Any, list[Any]]]:
    rules, rng = GAMES[game].rules, Random(7)
    options = next(one for one in CASES[game].options if GAMES[game].fair_hints(one))
    state = rules.setup(options, 2, bytes(32))
    for _ in range(plies):
        if rules.outcome(state) is not None:
            return
        if not (acting := rules.to_act(state)):
            due_ms = rules.deadline(state)
            assert due_ms is not None
            rules.tick(state, due_ms)
            continue
        seat = acting[0]
        legal = list(rules.legal_actions(state, seat))
        rng.shuffle(legal)
        yield rules.view(state, seat), legal
        rules.apply(state, seat, legal[0], BEGINNING)


@pytest.mark.parametrize("game", list(GAMES))
def test_enter_plays_what_a_hint_has_chosen(game: str) -> None:
    compared = reasons = 0
    for view, legal in positions(game):
        for action in [one for one in legal if may_hold(view, one)][:3]:
            _chosen, played, advice = HINTED[game](view, action)
            assert advice is not None
            assert advice.what
            reasons += bool(advice.why)
            assert advice_in_words(advice).startswith("Hint: ")
            if not isinstance(action, UNPICKED) and not _passes_in_a_race(view, action):
                assert played == action
                compared += 1
    assert compared > 20 and reasons > compared // 2


def test_only_practice_has_a_cursor_on_the_wheel_before_a_shot() -> None:
    views = [view for view, _legal in positions("wild_wild_pattern") if view.phase is ww.Phase.RACE]
    for view in views:
        earnest = replace(view, options=replace(view.options, practice=Switch.OFF))
        assert not of_race(earnest, ww.Shoot(0)).chosen
        assert race.confirm(earnest, race.NOTHING).action is None
    hinted = [one for view in views if (one := of_race(view, ww.Shoot(0))).played == ww.Shoot(0)]
    assert any(", then declare: after every " in one.advice.what for one in hinted if one.advice)
    alone = of_race(replace(views[0], won=views[0].won[:1]), ww.Shoot(0)).advice
    assert alone is not None and "bot" not in alone.why, "none plays there"


def test_a_hint_that_is_followed_is_never_faulted_and_names_one_declaration() -> None:
    game, followed = GAMES["wild_wild_pattern"], 0
    views = [view for view, _legal in positions("wild_wild_pattern") if view.phase is ww.Phase.RACE]
    for view in [one for one in views if race.asked(one) is one.phase]:
        shot, declared = game.hint(view, (), Random(1))
        if not isinstance(shot, ww.Shoot):
            continue
        after, _came = race_hinting.tried(view, shot) or (view, None)
        _end, came = race_hinting.tried(after, declared) or (after, None)
        assert isinstance(came, ww.Declared)
        assert not race_hinting.better(view, view.wheel, view.card, came)
        said = race_hinting.advice(view, shot, then=declared).what
        assert said.endswith(race_hinting.advice(after, declared).what)
        followed += 1
    assert followed > 10


def test_a_hint_names_the_pattern_that_wins_the_match_before_one_of_more_pairs() -> None:
    wheel = "dynamite-azure horseshoe-grey dynamite-grey star-white bottle-grey pistol-grey "
    state = race_positions.racing("dynamite-red star-grey", wheel + "loot-white barrel-red")
    race_positions.hold(state, 0, "star-red loot-azure barrel-yellow wanted-grey")
    advice = of_race(GAMES["wild_wild_pattern"].rules.view(state, Seat(0)), ww.Shoot(1)).advice
    assert advice is not None and advice.what.endswith("red card comes a dynamite")


def _passes_in_a_race(view: Any, action: Any) -> bool:
    return isinstance(action, ww.Pass) and view.phase is not ww.Phase.CHALLENGE


@pytest.mark.parametrize("game", list(GAMES))
def test_what_is_impossible_is_not_chosen(game: str) -> None:
    """A server can name anything."""
    found = positions(game)
    impossible = 0
    for view, legal in found[::7]:
        for _, elsewhere in found[::11]:
            for action in elsewhere[:3]:
                hinted = HINTED[game](view, action)
                if action not in legal:
                    assert not hinted.chosen
                    impossible += 1
    assert impossible > 50


# The reasons -------------------------------------------------------------------------------------


def roof(options: Options) -> str:
    """Why the red roof on the player's tower."""
    state = stage("Rr 1-", "1- K-", options=options)
    view = GAMES["clocktowers"].rules.view(state, Seat(0))
    advice = towers_hinting.advice(view, Play(cards("Rr")[0], 0))
    assert advice is not None
    assert advice.brings == "5 points"
    return advice.why


def test_one_reason_fits_the_position() -> None:
    assert roof(Options()) == "the next one needs one floor more"
    assert roof(Options(ladder=Ladder.OWN)) == "your next one then needs 2 floors"


def brought(advice: Advice) -> int:
    return int(advice.brings.split()[0]) if advice.brings else 0


def test_a_place_that_brings_less_than_another_leaves_that_one_free() -> None:
    placing = [found for found in positions("architetti_attenti") if found[0].tile]
    for view, places in placing[4:8]:
        told = [advice for place in places if (advice := of_towns(view, place).advice)]
        points = {one: brought(one) for one in told}
        most = max(points.values())
        free = [one for one in told if "that stays free" in one.why]
        assert free and all(f" bring {most:+} " in one.why for one in free)
        assert all(points[one] < most for one in free)
        assert any(points[one] == most for one in told if one not in free)


def test_a_hint_names_the_part_that_gains_most() -> None:
    named = set()
    for view, legal in positions("architetti_attenti"):
        begun = towns.settle(view, None, towns.NOTHING)
        for action in legal[:2]:
            chosen = towns_hinting.towards(view, begun, action)
            advice = towns_hinting.advice(view, chosen)
            if advice is not None and (said := re.match(r"(\w+) ([+]\d+)", advice.why)):
                gains = towns.gains(view, chosen)
                assert int(said[2]) == gains[said[1].lower()]
                assert gains[said[1].lower()] == max(gains.values())
                named.add(said[1])
    assert len(named) > 2
