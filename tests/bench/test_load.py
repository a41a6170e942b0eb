"""`bench.load` plays whole games over real sockets and counts what it says; no absolute times."""

import os
from typing import Any

import pytest

from bench.load.__main__ import MAX_BYTES_PER_MOVE, lines, main
from bench.load.figures import MEMORY, LoadPlan, ServerFigures
from bench.load.measuring import measured
from bench.load.stage import LoadStage
from tests.stage.jumping_clock import on_jumping_clock
from tests.stage.processes import needs_proc

MOVES = 58 + 52
"""Of a game: one card a turn, then as many draws as the piles have cards."""
pytestmark = needs_proc


def test_a_move_costs_no_more_bytes_than_it_may(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    loads = list[ServerFigures]()

    async def noted(*asked: Any) -> ServerFigures:
        loads.append(await measured(*asked))
        return loads[-1]

    monkeypatch.setattr("bench.load.__main__.measured", noted)
    assert main(["--matches", "4", "--seconds", "1", "--journal", MEMORY]) == 0
    (found,) = loads
    (server,) = found.server
    assert server.games >= 4 and server.moves == server.games * MOVES
    # A view of the whole table cannot be much smaller: below that something was not counted.
    assert MAX_BYTES_PER_MOVE / 4 < server.rates()["bytes_per_move"] <= MAX_BYTES_PER_MOVE
    assert 0 < server.other_bytes < server.move_bytes
    said = capsys.readouterr().out
    assert "\n".join(lines(found)) in said and said.endswith(" met\n")


@pytest.mark.parametrize("matches", [1, 2])
@on_jumping_clock
async def test_a_load_that_stalls_is_given_up(matches: int) -> None:
    """After its first move, or before all are there; and one that fails when all have just come."""

    async def load(stage: LoadStage) -> None:
        stage.ready(stage.moved)

    plan = LoadPlan(matches=matches, seconds=1, pid=os.getpid())
    with pytest.raises(TimeoutError, match="nothing has happened"):
        await LoadStage(plan).play(load)

    async def lost(stage: LoadStage) -> None:
        await load(stage)
        stage.fail("the line was cut")

    with pytest.raises(ConnectionError, match="was cut"):
        await LoadStage(plan).play(lost)
