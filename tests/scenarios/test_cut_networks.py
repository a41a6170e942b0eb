"""Two nodes, their database and their players on machines of their own. A machine vanishes without
a word, or two of them lose each other: players go on, and nothing that was acknowledged is lost."""

from pathlib import Path

import pytest

from tests.stage.changed_server import changed
from tests.stage.cluster_siege import LEASE_S, Evening, play
from tests.stage.network import needs_networks
from tests.stage.postgres import needs_postgres

pytestmark = [needs_postgres, needs_networks]

SOON_S = LEASE_S + 10
"""After so long a machine that has vanished is given up everywhere."""
SILENCE_S = 2.0


def vanish(evening: Evening) -> None:
    evening.joined.vanish(evening.nodes[0])


def part_nodes(evening: Evening) -> None:
    evening.joined.cut(*evening.nodes)


def part_from_database(evening: Evening) -> None:
    evening.joined.cut(evening.nodes[0], evening.database)


def mend_database(evening: Evening) -> None:
    evening.joined.mend(evening.nodes[0], evening.database)


async def test_a_machine_that_vanishes_costs_no_move(tmp_path: Path) -> None:
    found = await play(tmp_path, vanish, within_s=SOON_S, silence_s=SILENCE_S)
    assert found.acknowledged > 60 and not found.broken, found


@pytest.mark.soak
async def test_who_waits_for_the_line_to_break_is_caught(tmp_path: Path) -> None:
    """The control: nobody tells a player that the machine at the other end is gone."""
    found = await play(tmp_path, vanish, within_s=SOON_S)
    assert found.stuck > 0 and not found.lost, found


@pytest.mark.soak
async def test_nodes_that_lose_each_other(tmp_path: Path) -> None:
    """A node finds out by itself that the line to a caller's home is dead, and tells the caller."""
    found = await play(tmp_path, part_nodes, within_s=3 * SOON_S)
    assert found.acknowledged > 60 and not found.broken, found


@pytest.mark.soak
async def test_a_node_that_does_not_find_out_is_caught(tmp_path: Path) -> None:
    found = await play(tmp_path, part_nodes, within_s=3 * SOON_S, program=changed("deaf"))
    assert found.stuck > 0 and not found.lost, found


@pytest.mark.soak
async def test_a_node_that_loses_the_database(tmp_path: Path) -> None:
    """Its players dial another node, which goes on with their matches."""
    found = await play(tmp_path, part_from_database, within_s=SOON_S, silence_s=SILENCE_S)
    assert found.acknowledged > 60 and not found.broken, found


@pytest.mark.soak
async def test_who_would_stay_with_it_is_sent_on(tmp_path: Path) -> None:
    found = await play(tmp_path, part_from_database, within_s=2 * SOON_S)
    assert found.acknowledged > 60 and not found.broken, found


@pytest.mark.soak
async def test_who_stays_with_it_goes_on_when_it_is_back(tmp_path: Path) -> None:
    found = await play(
        tmp_path,
        part_from_database,
        within_s=SOON_S,
        mend=mend_database,
        mend_after_s=4 * LEASE_S,
    )
    assert found.acknowledged > 60 and not found.broken, found
