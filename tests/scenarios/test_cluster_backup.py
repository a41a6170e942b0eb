"""A dump of the nodes' database, read into an empty one, has the match and who the server is."""

from pathlib import Path
from random import Random

from protocol.from_client import Resume
from protocol.from_server import Update
from server.store.backup import TLS
from tests.stage.cluster import Node, nodes_on
from tests.stage.house import read_view, some_act
from tests.stage.players import Players, granted, heard
from tests.stage.postgres import cluster, needs_postgres

pytestmark = needs_postgres


def key_of(node: Node) -> bytes:
    return (node.home / "state" / "clocktowers" / "serve" / TLS).read_bytes()


async def test_a_match_goes_on_from_a_dump(tmp_path: Path) -> None:
    rng, url = Random(1), cluster().fresh()
    async with nodes_on(url, tmp_path / "before", count=2) as nodes:
        seated = await Players(1, 1, nodes.dial).seated(rng, "Ann", "Ben")
        for peer, token in seated:
            update = await heard(peer, Update)
            if read_view(update).turn == token.seat:
                kept = await granted(peer, some_act(update, rng))
        key = key_of(nodes[0])
    async with nodes_on(cluster().copied(url), tmp_path / "after", count=2) as nodes:
        peer = await Players(1, 2, nodes.dial).welcomed("Somebody", rng)
        _peer, token = seated[1]
        await granted(peer, Resume(id=0, match=token.match, token=token.token))
        assert (await heard(peer, Update)).version == kept.version == 1
        assert key_of(nodes[0]) == key_of(nodes[1]) == key
