"""A server killed at random moments loses and doubles nothing; a server
that promises early does."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.stage.changed_server import NOT_YET, changed
from tests.stage.postgres import Cluster, Pair, cluster, needs_postgres
from tests.stage.processes import PROGRAM
from tests.stage.siege import EARLY_ACK, Findings, Siege


def held_out(findings: Findings) -> None:
    assert findings.acknowledged > 100
    assert not findings.broken, findings
    assert '"level": "error"' not in findings.errors, findings.errors


async def test_three_kills(tmp_path: Path) -> None:
    held_out(await Siege(players=12, seed=1).run(tmp_path, 3, PROGRAM))


@pytest.mark.soak
async def test_a_server_that_acknowledges_before_it_commits_is_caught(tmp_path: Path) -> None:
    findings = await Siege(players=12, seed=1).run(tmp_path, 3, EARLY_ACK)
    assert findings.lost > 0, findings
    assert findings.steps_back > 0, findings


@needs_postgres
@pytest.mark.parametrize(
    ("database", "players", "seed", "blows"),
    [
        pytest.param(cluster, 12, 2, 1, id="one"),
        pytest.param(cluster, 40, 3, 10, id="one, long", marks=pytest.mark.soak),
        pytest.param(Pair, 40, 4, 3, id="a synchronous standby", marks=pytest.mark.soak),
    ],
)
async def test_the_server_and_its_database_killed_in_turn(
    tmp_path: Path, database: Callable[[], Cluster | Pair], players: int, seed: int, blows: int
) -> None:
    struck = database()
    try:
        findings = await Siege(players, seed, struck).run(tmp_path, blows, PROGRAM)
    finally:
        if isinstance(struck, Pair):
            struck.close()
    assert findings.acknowledged > (1000 if players > 12 else 100)
    assert not findings.broken, findings


@pytest.mark.soak
@needs_postgres
async def test_a_database_that_acknowledges_before_it_is_safe_is_caught(tmp_path: Path) -> None:
    with closing(Cluster(*NOT_YET)) as unsafe:
        findings = await Siege(players=12, seed=2, cluster=unsafe).run(
            tmp_path, 1, changed("unsafe")
        )
    assert findings.lost > 0, findings


@pytest.mark.soak
@needs_postgres
async def test_a_standby_that_nobody_waits_for_is_caught(tmp_path: Path) -> None:
    """The server would refuse it."""
    with closing(Pair(synchronous=False)) as pair:
        findings = await Siege(players=12, seed=2, cluster=pair).run(tmp_path, 1, changed("unsafe"))
    assert findings.lost > 0, findings


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(3))
async def test_twenty_kills_and_forty_players(tmp_path: Path, seed: int) -> None:
    findings = await Siege(players=40, seed=seed).run(tmp_path, 20, PROGRAM)
    print(findings)
    held_out(findings)
