"""Races among bots: on a match time of their own, as at a table, and such that they verify."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from server.games.contract import Game, Stop, never
from server.games.registry import GAMES
from server.recording.bot_matches import Series, play
from server.recording.check import BadRecord, check
from server.recording.records import line, read
from tests.stage.countdown_game import (
    GAME,
    LIGHT_MS,
    CountdownNotation,
    CountdownRules,
    Options,
    Press,
    View,
    press,
    reflex_ms,
)


def numb(view: View, own_events: Sequence[Any], rng: Random, stop: Stop = never) -> Press | None:
    """Never presses."""
    return None


def wild(view: View, own_events: Sequence[Any], rng: Random, stop: Stop = never) -> Press:
    """Presses in the dark."""
    return Press()


COUNTDOWN = Game(
    rules=CountdownRules(),
    notation=CountdownNotation(),
    bots={"normal": press, "quick": press, "slow": press, "numb": numb, "wild": wild},
    reactions={
        "normal": reflex_ms,
        "quick": lambda view, rng: 100,
        "slow": lambda view, rng: 300,
        "numb": reflex_ms,
        "wild": lambda view, rng: 10,
    },
)


def raced(*levels: str, seed: int = 1, **options: Any) -> dict[str, Any]:
    record = play(Series(COUNTDOWN, Options(**options), levels, seed), 0)
    check(read(line(record), {GAME: COUNTDOWN}))
    return record


def test_an_action_lands_after_the_reaction_and_the_slower_is_too_late() -> None:
    record = raced("slow", "quick")
    shots = [(ply["seat"], ply["at_ms"]) for ply in record["plies"]]
    assert shots == [(1, LIGHT_MS * light + 100) for light in range(1, 5)]
    assert "lags_ms" not in record["plies"][0], "lines take no time here"
    assert record["outcome"]["points"] == [0, 4]


def test_who_declines_is_asked_again_with_the_next_news() -> None:
    """At the opening it is dark and nobody presses; when it is light, they do."""
    assert len(raced("quick", "numb", "slow")["plies"]) == 4


def test_where_nobody_acts_the_clock_plays_to_the_end() -> None:
    assert raced("numb", "numb") == {**raced("numb", "numb"), "plies": []}


def test_a_bot_that_misjudges_is_our_bug() -> None:
    with pytest.raises(AssertionError, match="dark"):
        raced("wild", "numb")


def test_a_record_with_another_time_is_another_match() -> None:
    record = raced("slow", "quick")
    record["plies"][2]["at_ms"] = LIGHT_MS * 3 - 1
    with pytest.raises(BadRecord, match=r"ply 2: dark"):
        check(read(line(record), {GAME: COUNTDOWN}))
    record["plies"][2]["at_ms"] = 0
    with pytest.raises(
        BadRecord, match=r"ply 2: at_ms must be 1100, the time of the ply before, or more, not 0"
    ):
        check(read(line(record), {GAME: COUNTDOWN}))


def test_lags_in_a_record_say_who_was_first() -> None:
    record = raced("slow", "quick", light_ms=2000)
    record["plies"] = [
        {"seat": 0, "action": {"do": "press"}, "at_ms": 2200, "lags_ms": [0, 120]},
        {"seat": 1, "action": {"do": "press"}, "at_ms": 2310, "lags_ms": [0, 120]},
    ]
    record["outcome"] = {"points": [0, 1]}
    check(read(line(record), {GAME: COUNTDOWN}))
    for ply in record["plies"]:
        del ply["lags_ms"]
    with pytest.raises(BadRecord, match="ply 1: dark"):
        check(read(line(record), {GAME: COUNTDOWN}))


RACES = [name for name, game in GAMES.items() if game.rules.races]


@pytest.mark.parametrize("name", RACES)
def test_every_race_is_the_same_for_the_same_seed_and_verifies(name: str) -> None:
    game = GAMES[name]
    assert game.reactions is not None and set(game.reactions) == set(game.bots)
    options = game.notation.options_from_record({})
    for number in range(2):
        series = Series(game, options, list(game.bots)[: max(game.rules.seats)], 5, True)
        record = line(play(series, number))
        assert record == line(play(series, number))
        check(read(record, GAMES))
        times = [ply["at_ms"] for ply in read(record, GAMES).plies]
        assert times == sorted(times)
