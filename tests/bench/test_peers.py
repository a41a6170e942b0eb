"""`bench.peers` plays one script on every server. Node's packages are not needed to prove it, and
where they are here, the peers themselves play, too."""

import json
import shutil
import subprocess
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from bench.load.figures import MEMORY, LoadFigures, LoadPlan
from bench.load.processes import on_our_server
from bench.peers.__main__ import PEERS, Script, installed, script, theirs
from protocol.dealing import SEED_BYTES
from protocol.games.clocktowers import CODES, Discard, Draw, Options, Play
from server.games.clocktowers.rules import apply, legal_actions
from server.games.clocktowers.state import State, setup
from server.games.contract import BEGINNING

NODE = shutil.which("node") or ""
HERE = Path(__file__).parent / "peers"
MATCHES = 2
MOVES = 110
TOWERS = 9
"""Nobody has more than eight in these matches."""

needs_node = pytest.mark.skipif(not NODE, reason="Node.js is missing")
measured = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only Linux has /proc")


def plan(one: Script) -> LoadPlan:
    return LoadPlan(matches=MATCHES, games=2, script=one.actions)


def all_played(found: LoadFigures) -> None:
    assert found.games == MATCHES * 2
    assert found.moves == found.games * MOVES
    assert 0 < found.p50_ms <= found.p99_ms
    rates = found.rates()
    assert rates["moves_per_s"] > 0
    # The fewest bytes that tell two seats something.
    assert rates["bytes_per_move"] > 2
    assert found.held_rss_bytes > 0


@measured
def test_our_server_plays_the_script() -> None:
    one = script(0)
    all_played(on_our_server(MEMORY, plan(one), one.deal))


@measured
@pytest.mark.parametrize("peer", PEERS)
def test_a_peer_plays_the_script(peer: str) -> None:
    if not NODE or not installed():
        pytest.skip("the peers' packages are missing: `python -m bench.peers` installs them")
    one = script(0)
    all_played(theirs(NODE, peer, one, plan(one)))


@needs_node
def test_the_peers_play_by_our_rules() -> None:
    every: list[Any] = [
        *(
            Play(card, tower)
            for card, tower in product(range(1, len(CODES)), (None, *range(TOWERS)))
        ),
        *(Discard(card) for card in range(1, len(CODES))),
        *(Draw(pile) for pile in range(3)),
    ]
    scripts = [script(seed) for seed in range(2)]
    asked = [[as_builtins(one) for one in scripts], [as_builtins(move) for move in every]]
    told = subprocess.run(
        [NODE, str(HERE / "same_rules.mjs")],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    for one, theirs_is in zip(scripts, json.loads(told.stdout), strict=True):
        state = setup(Options(), 2, bytes.fromhex(one.deal))
        assert len(bytes.fromhex(one.deal)) == SEED_BYTES
        for seat, move, allowed in zip(one.seats, one.moves, theirs_is["legal"], strict=True):
            legal = {action: as_builtins(action) for action in legal_actions(state, seat)}
            assert sorted(map(str, legal.values())) == sorted(map(str, allowed))
            (played,) = [action for action, written in legal.items() if written == move]
            apply(state, seat, played, BEGINNING)
        assert all(len(towers) < TOWERS for towers in state.towers)
        assert theirs_is["phase"] == "over"
        assert theirs_is["points"] == state.points
        hides_what_it_should(state, theirs_is["views"])


def hides_what_it_should(state: State, views: list[Any]) -> None:
    for seat, seen in enumerate(views):
        assert seen["hands"][1 - seat] == len(state.hands[1 - seat])
        assert seen["thrown"][1 - seat] == len(state.discards[1 - seat])
        assert seen["thrown"][seat] == [*state.discards[seat]]


def as_builtins(value: Any) -> Any:
    return json.loads(json.dumps(to_builtins(value)))
