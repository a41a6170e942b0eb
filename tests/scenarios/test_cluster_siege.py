"""Three nodes on one PostgreSQL lose and double nothing, whatever happens to them, and nobody sees
a move that the journal does not have; nodes that are built wrongly do."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from tests.stage.changed_server import NOT_YET, changed
from tests.stage.cluster_siege import BLOWS, besiege
from tests.stage.postgres import Cluster, Pair, cluster, needs_postgres
from tests.stage.siege import Findings

pytestmark = needs_postgres


async def test_a_node_is_killed_another_hangs_and_wakes_the_database_crashes(
    tmp_path: Path,
) -> None:
    found = await besiege(tmp_path, cluster(), ("hang", "kill", "database"), seed=1)
    assert found.acknowledged > 100 and not found.broken, found


async def test_all_nodes_are_upgraded_and_lose_their_lines(tmp_path: Path) -> None:
    """One after the other is drained and replaced by a version that changes the database."""
    found = await besiege(tmp_path, cluster(), ("cut", "upgrade", "cut"), seed=2)
    assert found.acknowledged > 100 and not found.broken, found


@pytest.mark.soak
async def test_five_nodes(tmp_path: Path) -> None:
    blows = ("hang", "kill", "drain", "cut", "database")
    found = await besiege(tmp_path, cluster(), blows, players=20, seed=8, count=5)
    assert found.acknowledged > 100 and not found.broken, found


async def struck_until_caught(home: Path, program: Sequence[str]) -> Findings:
    hangs = ("hang",) * 12
    return await besiege(
        home, cluster(), hangs, players=24, program=program, end_s=1, until_caught=True
    )


async def test_nodes_without_the_fence_are_caught(tmp_path: Path) -> None:
    found = await struck_until_caught(tmp_path, changed("unfenced"))
    assert found.steps_back > 0, found


@pytest.mark.soak
async def test_a_lease_by_the_nodes_own_clock_is_caught(tmp_path: Path) -> None:
    found = await struck_until_caught(tmp_path, changed("by_own_clock"))
    assert found.steps_back > 0, found


@pytest.mark.soak
async def test_a_database_that_acknowledges_before_it_is_safe_is_caught(tmp_path: Path) -> None:
    with closing(Cluster(*NOT_YET)) as unsafe:
        found = await besiege(
            tmp_path, unsafe, ("database",) * 2, program=changed("unsafe"), end_s=1
        )
    assert found.lost > 0, found


@pytest.mark.soak
async def test_a_synchronous_standby_that_takes_over_has_everything(tmp_path: Path) -> None:
    with closing(Pair()) as pair:
        found = await besiege(tmp_path, pair, ("database", "hang", "database"), seed=6)
    assert found.acknowledged > 100 and not found.broken, found


@pytest.mark.soak
async def test_a_standby_that_nobody_waits_for_is_caught(tmp_path: Path) -> None:
    with closing(Pair(synchronous=False)) as pair:
        found = await besiege(
            tmp_path, pair, ("database",), seed=7, program=changed("unsafe"), end_s=1
        )
    assert found.lost > 0, found


@pytest.mark.soak
@pytest.mark.parametrize(
    ("seed", "blows"),
    [
        (1, ("hang",) * 6),
        (2, ("kill", "drain") * 4),
        (3, ("database", "cut") * 3),
        (4, BLOWS),
        (5, BLOWS),
    ],
)
async def test_a_long_siege(tmp_path: Path, seed: int, blows: Sequence[str]) -> None:
    found = await besiege(tmp_path, cluster(), list(blows) * 2, players=40, seed=seed)
    print(found)
    assert found.acknowledged > 1000 and not found.broken, found
