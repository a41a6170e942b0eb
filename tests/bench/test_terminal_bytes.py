"""The budgets of bytes hold; with Textual's own driver they do not."""

import pytest

from bench.terminal_bytes import STOCK, measure, measure_elsewhere, motion_costs, report
from bench.turns import CARD, DIALOG, IDLE, MOTION, OPPONENT, PLAY, TOWER, TURNS, Budget
from clocktowers_tui.games.registry import FACES

DEAL = 7
PARTS = {"clocktowers": (40, 5), "architetti_attenti": (40, 4), "wild_wild_pattern": (4, 10)}
"""Game -> actions that lie behind, and those that are measured: there has to be something on the
table, and the player's own turn among them. The race ends with one, for then nothing is due. `make
bench-terminal` measures whole matches."""


def test_every_game_has_budgets() -> None:
    assert set(PARTS) == set(TURNS) == set(FACES)


@pytest.mark.parametrize("game", PARTS)
async def test_the_budgets_hold_in_a_part_of_a_match(game: str) -> None:
    played, plies = PARTS[game]
    costs = await measure(DEAL, plies, played=played, game=game)
    assert all(these for these in costs.values()), "something was not measured"
    missed = [budget.what for budget, these in costs.items() if not budget.met(these)]
    assert not missed, "\n".join(report(costs))


async def test_they_hold_elsewhere() -> None:
    for budget, these in (await measure_elsewhere()).items():
        assert budget.met(these), report({budget: these})


@pytest.mark.parametrize(
    "games", [["clocktowers"], pytest.param([*FACES], marks=pytest.mark.soak)], ids=len
)
async def test_a_motion_is_cheap(games: list[str]) -> None:
    costs = await motion_costs(DEAL, 1, games)
    assert MOTION.met(costs) and min(costs) > 0, report({MOTION: costs})


async def test_textuals_own_driver_misses_them() -> None:
    """One game is enough: the driver knows none."""
    costs = await measure(DEAL, 6, STOCK, PARTS["clocktowers"][0])
    for budget in (CARD, PLAY, OPPONENT, DIALOG):
        assert costs[budget] and not budget.met(costs[budget])


def test_a_budget_is_a_median_and_a_worst() -> None:
    assert TOWER.met([250, 250, 400]) and IDLE.met([0])
    assert not TOWER.met([251, 251, 251])
    assert not TOWER.met([1, 1, 401])
    assert not TOWER.met([])
    assert "MISSED" in report({Budget("x", 1, 1): [2]})[1]
