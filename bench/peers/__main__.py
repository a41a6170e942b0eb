"""`python -m bench.peers`: a match of two on Colyseus and on boardgame.io, and such matches on our
server, under the same load, in turn."""

import argparse
import asyncio
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from msgspec import json, to_builtins

from bench.load.__main__ import of_loads
from bench.load.figures import JOURNALS, LoadFigures, LoadPlan, table
from bench.load.load import GAME
from bench.load.measuring import loaded, on_our_server
from bench.processes import FIRST, listening, on_core
from protocol.dealing import SEED_BYTES
from protocol.games.registry import GAMES as VOCABULARIES
from server.cli.common import quietly
from server.games.contract import BEGINNING
from server.games.registry import GAMES

HERE: Final = Path(__file__).parent
PEERS: Final = {"colyseus": "Colyseus", "boardgame_io": "boardgame.io"}
"""Where each is driven (a file in this folder), and its name."""
_INSTALL: Final = ("npm", "install", "--package-lock=false", "--no-audit", "--no-fund", "--quiet")


def script(seed: int) -> bytes:
    """A whole match of two on standard options in which seat 0 begins, as `driver.mjs` wants it:
    the piles (floor, clock, roof, each from the top down), and who makes which move."""
    rules, options = GAMES[GAME].rules, VOCABULARIES[GAME].options()
    rng = Random(seed)
    while True:
        state = rules.setup(options, 2, rng.randbytes(SEED_BYTES))
        if rules.to_act(state)[0] == 0:
            break
    told: dict[str, Any] = {"piles": [list(pile) for pile in state.piles], "seats": [], "moves": []}
    while acting := rules.to_act(state):
        action = rng.choice(rules.legal_actions(state, acting[0]))
        rules.apply(state, acting[0], action, BEGINNING)
        told["seats"].append(acting[0])
        told["moves"].append(to_builtins(action))
    return json.encode(told)


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code: 0 measured, else a sentence says why not."""
    args = of_loads("python -m bench.peers", __doc__, rounds=5).parse_args(argv)
    return quietly(lambda: _measure_and_tell(args))


def _measure_and_tell(args: argparse.Namespace) -> int:
    node, played = ready(), script(args.seed).decode()
    for matches in args.matches:
        plan = LoadPlan(matches=matches, seconds=args.seconds, seed=args.seed)
        found = asyncio.run(measure(node, played, plan, args.rounds))
        print("", *table(f"{matches} matches", found), sep="\n", flush=True)
    return 0


def ready() -> str:
    """The program of Node, after npm has installed what is missing here."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise SystemExit("Node.js is missing, so the peers are not measured; install Node 22")
    listed = subprocess.run((npm, "ls", "--silent"), cwd=HERE, stdout=subprocess.DEVNULL)
    if listed.returncode and subprocess.run(_INSTALL, cwd=HERE, stdout=sys.stderr).returncode:
        raise SystemExit(f"npm could not install what {HERE / 'package.json'} asks for")
    return node


async def measure(
    node: str, played: str, plan: LoadPlan, rounds: int
) -> dict[str, list[LoadFigures]]:
    """By server, what each round has found; in a round each server takes its turn."""
    found, driver = defaultdict[str, list[LoadFigures]](list), (node, str(HERE / "driver.mjs"))
    for _ in range(max(1, rounds)):
        for journal in JOURNALS:
            found[f"ours, {journal}"].append(await on_our_server(journal, plan))
        for peer, name in PEERS.items():
            served = listening(on_core(FIRST, (*driver, "serve", peer, played)))
            found[name].append(await loaded(served, (*driver, "load", peer, played), plan))
    return found


if __name__ == "__main__":
    sys.exit(main())
