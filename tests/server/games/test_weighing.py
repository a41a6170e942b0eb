"""What is called a mistake: what is better by enough, beyond luck, of what players want."""

from collections.abc import Mapping, Sequence
from random import Random

import pytest

from server.games.contract import Weighed
from server.games.weighing import (
    ALWAYS,
    CHOSEN_IN,
    ENOUGH,
    LOOKS,
    TOLD_IN,
    chosen,
    compared,
    judged,
    likely,
)

POINT = 1000


class Worlds:
    """Actions that are worth so much, and luck, most of which is the same for all of them."""

    def __init__(self, worth: Mapping[str, Weighed], luck: int = 0, seed: int = 0) -> None:
        self.worth, self.luck, self.rng = worth, luck, Random(seed)
        self.drawn = 0

    def ends(self, actions: Sequence[str]) -> list[Weighed]:
        self.drawn += 1
        shared = self.rng.gauss(0, 3 * self.luck)
        return [self._end(self.worth[action], shared) for action in actions]

    def _end(self, worth: Weighed, shared: float) -> Weighed:
        by = round(shared + self.rng.gauss(0, self.luck))
        lead = worth.lead + 10 * by
        return worth._replace(lead=lead, wins=None if worth.wins is None else worth.wins + by)


def both(played: Weighed, best: Weighed, luck: int = 0, seed: int = 0) -> Worlds:
    return Worlds({"played": played, "best": best}, luck, seed)


@pytest.mark.parametrize(
    ("played", "best", "lost", "in_points"),
    [
        (Weighed(9 * POINT, 500), Weighed(9 * POINT, 580), 80, False),
        (Weighed(9 * POINT, 500), Weighed(9999, 579), 0, False),
        (Weighed(9000, 981), Weighed(11 * POINT, 982), 2000, True),
        (Weighed(9 * POINT, 10), Weighed(10 * POINT, 0), 1000, True),
        (Weighed(9 * POINT, 11), Weighed(15 * POINT, 0), 0, False),
        (Weighed(9 * POINT), Weighed(10 * POINT), 1000, True),
    ],
)
def test_the_chance_to_win_counts_and_points_where_it_is_level(
    played: Weighed, best: Weighed, lost: int, in_points: bool
) -> None:
    found = compared("played", "best", both(played, best).ends)
    assert (found.lost, found.in_points, found.error) == (lost, in_points, 0)
    assert (found.best == "best") == (lost > 0) and found.played == played
    assert found.better == (best if lost else played)


def test_luck_is_no_mistake_and_is_told_of_one() -> None:
    """Of 200 decisions between equals none is blamed; of clear mistakes each is named, and hardly
    one is further from what it cost than its error. Two points are a mistake, also where they cost
    nearly enough wins for one."""
    same, better, within = Weighed(9 * POINT, 500), Weighed(9 * POINT, 620), 0
    nearly = Weighed(11 * POINT, 575)
    for seed in range(200):
        assert compared("played", "best", both(same, same, 40, seed).ends).lost == 0
        assert compared("played", "best", both(same, nearly, 40, seed).ends).lost
        found = compared("played", "best", both(same, better, 40, seed).ends)
        assert found.lost and 0 < found.error <= 30
        within += abs(found.lost - 120) <= found.error
    assert within >= 180


def test_a_clear_comparison_stops_early_and_a_large_loss_is_measured_for_longer() -> None:
    played = Weighed(9 * POINT, 500)
    first, last = LOOKS[0], LOOKS[-1]
    for wins, luck, looks in (
        (300, 40, first),
        (700, 5, first),
        (580, 80, ENOUGH),
        (700, 150, last),
        (650, 120, ENOUGH + 16),
    ):
        worlds = both(played, Weighed(9 * POINT, wins), luck)
        compared("played", "best", worlds.ends)
        assert worlds.drawn == looks


def test_the_best_of_many_is_chosen_and_none_that_cannot_matter() -> None:
    worth = {name: Weighed(9 * POINT, 50 * ord(name) - 4800) for name in "abcdefgh"}
    ends = Worlds(worth, 20).ends
    assert chosen("a", [*worth], ends, ends) == "h"
    closer = worth | {"f": Weighed(9 * POINT, 900)}
    assert chosen("a", [*worth], ends, Worlds(closer).ends) == "f"
    worlds = Worlds(worth, 1)
    assert chosen("h", [*worth], worlds.ends, ends) == "h" and worlds.drawn == CHOSEN_IN[0]
    found = judged("h", "h", worlds.ends)
    assert worlds.drawn == CHOSEN_IN[0] + TOLD_IN and abs((found.played.wins or 0) - 400) < 10


def test_a_lead_is_surer_over_fewer_rivals_and_with_less_luck_to_come() -> None:
    assert likely([0], 9) == ALWAYS // 2 and likely([0] * 3, 9) == ALWAYS // 4
    sure = [likely([5000], POINT * POINT * turns) for turns in (20, 10, 5, 1)]
    assert sorted({*sure}) == sure and sure[0] > ALWAYS // 2 and sure[-1] < ALWAYS
    assert likely([-5000], POINT) == ALWAYS - likely([5000], POINT)
