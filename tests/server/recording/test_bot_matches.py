"""Matches and races among bots: the same everywhere, and no bot sees more than its seat does."""

import hashlib
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from protocol.games.clocktowers import Options, View, YouDiscarded
from server.games.contract import Game, Stop, never
from server.games.registry import GAMES
from server.recording.bot_matches import Series, play
from server.recording.check import check
from server.recording.records import line, read
from tests.stage import countdown_game as countdown
from tests.stage.countdown_game import (
    COUNTDOWN_NOTATION,
    COUNTDOWN_RULES,
    GAME,
    LIGHT_MS,
    Press,
    press,
    reflex_ms,
)

CLOCKTOWERS = GAMES["clocktowers"]
GOLDEN = "1da0bfc1dd3a2dfc94d154d0d262f603975572411608178909e084e0dea6b86e"


def test_the_documented_seeds_give_these_bytes() -> None:
    """Another digest means that records of a seed differ between versions: raise rules_version."""
    series = Series(CLOCKTOWERS, Options(), ["random"] * 3, 7, True)
    lines = b"".join(line(play(series, number)) for number in range(10))
    assert hashlib.sha256(lines).hexdigest() == GOLDEN


def test_level_random_is_the_same_with_and_without_looking_at_the_view() -> None:
    """The short cut draws the same numbers for the same actions as the bot of that level."""
    looking = CLOCKTOWERS._replace(bots={"looking": CLOCKTOWERS.bots["random"]})
    for seats in (2, 3, 4):
        quick = play(Series(CLOCKTOWERS, Options(), ["random"] * seats, 1, True), 0)
        slow = play(Series(looking, Options(), ["looking"] * seats, 1, True), 0)
        assert quick["plies"] == slow["plies"]


def test_a_bot_hears_its_own_seat_only() -> None:
    heard: dict[int, list[Any]] = {}

    def listening(view: View, own_events: Sequence[Any], rng: Random, stop: Stop = never) -> Any:
        assert view.seat is not None
        heard[view.seat] = list(own_events)
        secrets = bytes(event.card for event in own_events if isinstance(event, YouDiscarded))
        assert secrets == view.discards
        return CLOCKTOWERS.bots["random"](view, own_events, rng)

    game = CLOCKTOWERS._replace(bots={"listening": listening})
    play(Series(game, Options(), ["listening"] * 3, 4), 0)
    assert sorted(heard) == [0, 1, 2]
    assert any(isinstance(event, YouDiscarded) for event in heard[0])


def test_a_bot_that_cheats_is_our_bug_and_stops_the_match() -> None:
    def cheating(view: View, own_events: Sequence[Any], rng: Random, stop: Stop = never) -> Any:
        return CLOCKTOWERS.notation.moves.from_record({"do": "discard", "card": "Ry"})

    game = CLOCKTOWERS._replace(bots={"cheating": cheating})
    with pytest.raises(AssertionError, match="cheating"):
        play(Series(game, Options(), ["cheating"] * 2, 4), 0)


def numb(
    view: countdown.View, own_events: Sequence[Any], rng: Random, stop: Stop = never
) -> Press | None:
    """Never presses."""
    return None


def wild(view: countdown.View, own_events: Sequence[Any], rng: Random, stop: Stop = never) -> Press:
    """Presses in the dark."""
    return Press()


COUNTDOWN = Game(
    rules=COUNTDOWN_RULES,
    notation=COUNTDOWN_NOTATION,
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
    record = play(Series(COUNTDOWN, countdown.Options(**options), levels, seed), 0)
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
