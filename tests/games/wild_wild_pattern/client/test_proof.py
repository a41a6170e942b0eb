"""What was seen of the shuffles is held against the seed."""

from typing import Any

import pytest
from msgspec.structs import replace

from clocktowers_tui.games.wild_wild_pattern.proof import same_deal
from protocol.games.wild_wild_pattern import Mode, Reshuffled, RoundBegan
from tests.games.wild_wild_pattern.matches import Match


def played(seats: int, seed: int, **options: Any) -> Match:
    match = Match(seats, seed=seed, **options)
    while not match.over():
        match.step()
    return match


@pytest.mark.parametrize(("seats", "mode"), [(1, Mode.SALOON), (2, Mode.SALOON), (4, Mode.VIVO)])
def test_an_honest_match_is_proven_and_another_seed_is_not(seats: int, mode: Mode) -> None:
    match = played(seats, seats, mode=mode)
    assert same_deal(match.events, match.view(), match.seed) is True
    assert same_deal(match.events, match.view(), bytes(32)) is False


def test_a_new_wheel_within_a_round_is_proven_too() -> None:
    match = played(1, 20)
    at = next(n for n, event in enumerate(match.events) if isinstance(event, Reshuffled))
    other = bytes(reversed(match.events[at].wheel))
    match.events[at] = replace(match.events[at], wheel=other)
    assert same_deal(match.events, match.view(), match.seed) is False


def test_a_gap_accuses_nobody() -> None:
    match = played(2, 5)
    rest = [event for event in match.events if not isinstance(event, RoundBegan)]
    assert same_deal(rest, match.view(), match.seed) is None
    assert same_deal(match.events[1:], match.view(), match.seed) is None


def test_targets_that_were_not_dealt_are_noticed() -> None:
    match = played(2, 5)
    opening = match.events[0]
    match.events[0] = replace(opening, targets=bytes(reversed(opening.targets)))
    assert same_deal(match.events, match.view(), match.seed) is False
