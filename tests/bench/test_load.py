"""`bench.load` plays whole games over real sockets and counts what it says; no absolute times."""

import os

import pytest

from bench.load.__main__ import MAX_BYTES_PER_MOVE, aims, lines
from bench.load.figures import MEMORY, LoadPlan
from bench.load.measuring import measured
from bench.load.stage import LoadStage
from tests.stage.jumping_clock import on_jumping_clock
from tests.stage.processes import needs_proc

MOVES = 58 + 52
"""Of a game: one card a turn, then as many draws as the piles have cards."""
pytestmark = needs_proc


async def test_a_move_costs_no_more_bytes_than_it_may() -> None:
    found = await measured(MEMORY, LoadPlan(matches=4, seconds=1), rounds=1)
    (server,) = found.server
    assert server.games >= 4 and server.moves == server.games * MOVES
    # A view of the whole table cannot be much smaller: below that something was not counted.
    assert MAX_BYTES_PER_MOVE / 4 < server.rates()["bytes_per_move"] <= MAX_BYTES_PER_MOVE
    assert 0 < server.other_bytes < server.move_bytes
    assert [*lines(found)] and [*aims([found])][-1].endswith(" met")


@pytest.mark.parametrize("matches", [1, 2])
@on_jumping_clock
async def test_a_load_that_stalls_is_given_up(matches: int) -> None:
    """After its first move, or before all are there."""

    async def load(stage: LoadStage) -> None:
        stage.ready(stage.moved)

    plan = LoadPlan(matches=matches, seconds=1, pid=os.getpid())
    with pytest.raises(TimeoutError, match="nothing has happened"):
        await LoadStage(plan).play(load)
