"""Matches among bots: the same everywhere, and no bot sees more than its seat does."""

import hashlib
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from protocol.games.clocktowers import Options, View, YouDiscarded
from server.games.contract import Stop, never
from server.games.registry import GAMES
from server.recording.bot_matches import Series, play
from server.recording.check import check
from server.recording.records import line, read

CLOCKTOWERS = GAMES["clocktowers"]
GOLDEN = "1da0bfc1dd3a2dfc94d154d0d262f603975572411608178909e084e0dea6b86e"


def test_the_documented_seeds_give_these_bytes() -> None:
    """Another digest means that records of a seed differ between versions: raise rules_version."""
    series = Series(CLOCKTOWERS, Options(), ["random"] * 3, 7, True)
    lines = b"".join(line(play(series, number)) for number in range(10))
    assert hashlib.sha256(lines).hexdigest() == GOLDEN


def test_the_proofs_seed_is_the_documented_one() -> None:
    record = play(Series(CLOCKTOWERS, Options(), ["random"] * 2, -3), 12)
    text = b"clocktowers simulate clocktowers seed -3 match 12"
    assert record["proof"]["seed"] == hashlib.sha256(text).hexdigest()


def test_matches_and_seeds_differ() -> None:
    deals = {
        line(play(Series(CLOCKTOWERS, Options(), ["random"] * 2, seed), number))
        for seed in range(5)
        for number in range(5)
    }
    assert len(deals) == 25


def test_level_random_is_the_same_with_and_without_looking_at_the_view() -> None:
    """The short cut draws the same numbers for the same actions as the bot of that level."""
    looking = CLOCKTOWERS._replace(bots={"looking": CLOCKTOWERS.bots["random"]})
    for seats in (2, 3, 4):
        quick = play(Series(CLOCKTOWERS, Options(), ["random"] * seats, 1, True), 0)
        slow = play(Series(looking, Options(), ["looking"] * seats, 1, True), 0)
        assert quick["plies"] == slow["plies"]


@pytest.mark.parametrize("levels", [["easy", "normal"], ["normal", "random", "easy", "random"]])
def test_mixed_levels_play_good_matches(levels: list[str]) -> None:
    series = Series(CLOCKTOWERS, Options(), levels, 3)
    first = line(play(series, 0))
    check(read(first, GAMES))
    assert first == line(play(series, 0))
    assert [seat["level"] for seat in read(first, GAMES).seats] == levels


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
        return CLOCKTOWERS.notation.action_from_record({"do": "discard", "card": "Ry"})

    game = CLOCKTOWERS._replace(bots={"cheating": cheating})
    with pytest.raises(AssertionError, match="cheating"):
        play(Series(game, Options(), ["cheating"] * 2, 4), 0)
