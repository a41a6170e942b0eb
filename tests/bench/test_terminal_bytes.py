"""The budgets of bytes hold; with Textual's own driver they do not."""

from bench.terminal_bytes import (
    CARD,
    DIALOG,
    IDLE,
    OPPONENT,
    PLAY,
    STOCK,
    TOWER,
    Budget,
    measure,
    report,
)

DEAL = 7
PLAYED = 40
"""By then there are towers to choose from."""


async def test_the_budgets_hold_in_a_part_of_a_match() -> None:
    costs = await measure(DEAL, 14, played=PLAYED)
    assert all(these for these in costs.values()), "something was not measured"
    missed = [budget.what for budget, these in costs.items() if not budget.met(these)]
    assert not missed, "\n".join(report(costs))


async def test_textuals_own_driver_misses_them() -> None:
    costs = await measure(DEAL, 6, STOCK, PLAYED)
    for budget in (CARD, PLAY, OPPONENT, DIALOG):
        assert costs[budget] and not budget.met(costs[budget])


def test_a_budget_is_a_median_and_a_worst() -> None:
    assert TOWER.met([250, 250, 400]) and IDLE.met([0])
    assert not TOWER.met([251, 251, 251])
    assert not TOWER.met([1, 1, 401])
    assert not TOWER.met([])
    assert "MISSED" in report({Budget("x", 1, 1): [2]})[1]
