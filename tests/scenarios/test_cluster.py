"""Nodes on one PostgreSQL lose and double nothing, whatever happens to them, and nobody sees a move
that the journal does not have; nodes that are built wrongly do."""

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from protocol.from_client import Resume
from protocol.from_server import Update
from server.store.backup import RECORDS, SSH, TLS
from tests.scenarios.cluster_siege import BLOWS, LEASE_S, SiegeEvening, besiege, play as play_cut
from tests.stage.changed_server import changed
from tests.stage.cluster import Node, nodes_on
from tests.stage.house import read_view, some_act
from tests.stage.network import needs_networks
from tests.stage.players import Players, granted, heard
from tests.stage.postgres import Pair, cluster, needs_postgres
from tests.stage.processes import PROGRAM

pytestmark = needs_postgres
FIVE = ("hang", "kill", "drain", "cut", "database")


@pytest.mark.parametrize(
    ("blows", "more"),
    [
        # Upgraded: one after the other is replaced by a version that changes the database.
        (("hang", "kill", "cut", "upgrade", "cut", "database"), {"seed": 1}),
        pytest.param(FIVE, {"players": 20, "seed": 8, "count": 5}, marks=pytest.mark.soak),
    ],
)
async def test_whatever_happens_to_nodes_nothing_is_lost(
    tmp_path: Path, blows: Sequence[str], more: dict[str, Any]
) -> None:
    found = await besiege(tmp_path, cluster(), blows, **more)
    assert found.acknowledged > 100 and found.followed and not found.broken, found


@pytest.mark.soak
async def test_nodes_without_the_fence_are_caught(tmp_path: Path) -> None:
    found = await besiege(
        tmp_path,
        cluster(),
        ("hang",) * 12,
        players=24,
        program=changed("unfenced"),
        end_s=1,
        until_caught=True,
    )
    assert found.steps_back > 0, found


@pytest.mark.soak
async def test_a_synchronous_standby_that_takes_over_has_everything(tmp_path: Path) -> None:
    with closing(Pair()) as pair:
        found = await besiege(tmp_path, pair, ("database", "hang", "database"), seed=6)
    assert found.acknowledged > 100 and not found.broken, found


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
    assert found.acknowledged > 1000 and found.followed and not found.broken, found


# Machines of their own: one vanishes without a word, or two of them lose each other ---------------


SILENCE_S = 2.0
TAKES_OVER = {"mend": lambda evening: evening.standby.promote(alone=True), "mend_after_s": 3.0}
"""The standby, in the database's place."""


def vanish(evening: SiegeEvening) -> None:
    evening.joined.vanish(evening.nodes[0])


def vanish_database(evening: SiegeEvening) -> None:
    evening.joined.vanish(evening.database)


def part_nodes(evening: SiegeEvening) -> None:
    evening.joined.cut(*evening.nodes)


def part_from_database(evening: SiegeEvening) -> None:
    evening.joined.cut(evening.nodes[0], evening.database)


def mend_database(evening: SiegeEvening) -> None:
    evening.joined.mend(evening.nodes[0], evening.database)


@needs_networks
@pytest.mark.parametrize(
    ("cut", "more"),
    [
        (vanish, {"silence_s": SILENCE_S}),
        # Nothing refuses there, so each host has its share of the time.
        pytest.param(vanish_database, TAKES_OVER, marks=pytest.mark.soak),
        # A node finds out by itself that the line to a caller's home is dead, and tells the caller.
        pytest.param(part_nodes, {}, marks=pytest.mark.soak),
        # Its players dial another node, which goes on with their matches; who would stay is sent
        # on; who stays goes on when it is back.
        *(
            pytest.param(part_from_database, more, marks=pytest.mark.soak)
            for more in (
                {"silence_s": SILENCE_S},
                {},
                {"mend": mend_database, "mend_after_s": 4 * LEASE_S},
            )
        ),
    ],
)
async def test_machines_that_lose_each_other_cost_no_move(
    tmp_path: Path, cut: Callable[[SiegeEvening], None], more: dict[str, Any]
) -> None:
    found = await play_cut(tmp_path, cut, **more)
    assert found.acknowledged > 60 and not found.broken, found


@needs_networks
@pytest.mark.soak
@pytest.mark.parametrize(
    ("cut", "program"),
    [(vanish, PROGRAM), (part_nodes, changed("deaf"))],
    ids=["players who wait for the line to break", "a node that does not find out"],
)
async def test_who_does_not_find_out_is_caught(
    tmp_path: Path, cut: Callable[[SiegeEvening], None], program: Sequence[str]
) -> None:
    """The control: nobody tells a player that the other machine is gone. No lease runs out, since
    a node that takes over what a busy one has lost tells its players."""
    found = await play_cut(tmp_path, cut, program=program, lease_s=60)
    assert found.stuck and not found.lost, found


# A dump of the nodes' database, read into an empty one --------------------------------------------


def keys_of(node: Node) -> list[bytes]:
    state = node.home / "state" / "clocktowers" / "serve"
    return [(state / name).read_bytes() for name in (TLS, *SSH, RECORDS)]


async def test_a_match_goes_on_from_a_dump(tmp_path: Path) -> None:
    rng, url = Random(1), cluster().fresh()
    async with nodes_on(url, tmp_path / "before", count=2) as nodes:
        seated = await Players(1, 1, nodes.dial).seated(rng, "Ann", "Ben")
        for peer, token in seated:
            update = await heard(peer, Update)
            if read_view(update).turn == token.seat:
                kept = await granted(peer, some_act(update, rng))
        keys = keys_of(nodes[0])
    async with nodes_on(cluster().copied(url), tmp_path / "after", count=2) as nodes:
        peer = await Players(1, 2, nodes.dial).welcomed("Somebody", rng)
        _peer, token = seated[1]
        await granted(peer, Resume(id=0, match=token.match, token=token.token))
        assert (await heard(peer, Update)).version == kept.version == 1
        assert keys_of(nodes[0]) == keys_of(nodes[1]) == keys
