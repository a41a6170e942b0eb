"""`python -m bench.peers`: one scripted match of two on our server, on Colyseus and on
boardgame.io, under the same load, in turn."""

import argparse
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final

from msgspec import Struct, json, msgpack, to_builtins

from bench.load.__main__ import of_loads
from bench.load.figures import JOURNALS, LoadFigures, LoadPlan
from bench.load.load import GAME
from bench.load.processes import CannotMeasure, loaded, on_our_server
from protocol.dealing import SEED_BYTES
from protocol.games.registry import GAMES as VOCABULARIES
from server.cli.common import quietly
from server.games.contract import BEGINNING
from server.games.registry import GAMES

HERE: Final = Path(__file__).parent
PEERS: Final = {"colyseus": "Colyseus", "boardgame_io": "boardgame.io"}
"""Where each is driven (a file in this folder), and its name."""
SEATS: Final = 2
_INSTALL: Final = ("npm", "install", "--package-lock=false", "--no-audit", "--no-fund", "--quiet")
_COLUMNS: Final = {
    "moves_per_s": ("moves a second", 0, 1),
    "cpu_us_per_move": ("processor, µs a move", 0, 1),
    "p50_ms": ("p50, ms", 2, 1),
    "p99_ms": ("p99, ms", 2, 1),
    "bytes_per_move": ("bytes a move", 0, 1),
    "rss_per_match_bytes": ("memory, kB a match", 0, 1000),
}
"""By rate: its heading, decimal places, and what it is divided by."""


class Script(Struct, frozen=True, kw_only=True):
    """`deal`: the seed of the cards, in hexadecimal; by it seat 0 begins. `piles`: floor, clock,
    roof, each from the top down. `seats`: who makes each of the `moves`, which are actions as on
    the wire."""

    deal: str
    piles: list[list[int]]
    seats: list[int]
    moves: list[Any]

    @property
    def actions(self) -> list[bytes]:
        """The moves, encoded as our clients send them."""
        return [msgpack.encode(move) for move in self.moves]

    @property
    def as_json(self) -> str:
        return json.encode(self).decode()


def script(seed: int) -> Script:
    """A whole match of two on standard options. Each action is any of the legal ones."""
    rules, options = GAMES[GAME].rules, VOCABULARIES[GAME].options()
    rng = Random(seed)
    while True:
        deal = rng.randbytes(SEED_BYTES)
        state = rules.setup(options, SEATS, deal)
        if rules.to_act(state)[0] == 0:
            break
    piles = [list(pile) for pile in state.piles]
    seats, moves = [], []
    while acting := rules.to_act(state):
        action = rng.choice(rules.legal_actions(state, acting[0]))
        rules.apply(state, acting[0], action, BEGINNING)
        seats.append(int(acting[0]))
        moves.append(to_builtins(action))
    return Script(deal=deal.hex(), piles=piles, seats=seats, moves=moves)


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code: 0 measured, 2 it could not be done."""
    args = of_loads("python -m bench.peers", __doc__, rounds=5).parse_args(argv)
    return quietly(lambda: _measure_and_tell(args))


def _measure_and_tell(args: argparse.Namespace) -> int:
    try:
        node = ready()
        played = script(args.seed)
        version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True)
        print(f"Python {platform.python_version()}, Node {version.stdout.strip()}\n")
        titles = ["matches", "server", *(title for title, _, _ in _COLUMNS.values())]
        print(f"| {' | '.join(titles)} |\n{'|---' * len(titles)}|")
        for matches in args.matches:
            plan = LoadPlan(matches=matches, seconds=args.seconds, script=played.actions)
            for row in table(measure(node, played, plan, args.rounds)):
                print(row, flush=True)
    except CannotMeasure as error:
        raise SystemExit(str(error)) from None
    return 0


def ready() -> str:
    """The program of Node, after npm has installed what is missing here. Raises CannotMeasure."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise CannotMeasure("Node.js is missing, so the peers are not measured; install Node 22")
    if not installed() and subprocess.run(_INSTALL, cwd=HERE, stdout=sys.stderr).returncode:
        raise CannotMeasure(f"npm could not install what {HERE / 'package.json'} asks for")
    return node


def installed() -> bool:
    """Whether the peers' packages are here, in the versions that are pinned."""
    wanted = json.decode((HERE / "package.json").read_bytes())["dependencies"]
    files = {HERE / "node_modules" / name / "package.json": wanted[name] for name in wanted}
    return all(
        file.exists() and json.decode(file.read_bytes())["version"] == version
        for file, version in files.items()
    )


def measure(node: str, played: Script, plan: LoadPlan, rounds: int) -> dict[str, list[LoadFigures]]:
    """By server, what each round has found; in a round each server takes its turn."""
    found: dict[str, list[LoadFigures]] = {}
    for _ in range(rounds):
        for journal in JOURNALS:
            load = on_our_server(journal, plan, played.deal)
            found.setdefault(f"ours, {journal}", []).append(load)
        for peer, name in PEERS.items():
            found.setdefault(name, []).append(theirs(node, peer, played, plan))
    return found


def theirs(node: str, peer: str, played: Script, plan: LoadPlan) -> LoadFigures:
    """The plan on a peer. Raises CannotMeasure."""
    driver = (node, str(HERE / "driver.mjs"))
    served, load = ([*driver, what, peer, played.as_json] for what in ("serve", "load"))
    return loaded(served, load, plan, {"NODE_ENV": "production"})


def table(found: dict[str, list[LoadFigures]]) -> Iterator[str]:
    """A row for each server: the medians, of the processor's time also the range."""
    for name, loads in found.items():
        cells = [str(loads[0].matches), name]
        for rate, (_, places, unit) in _COLUMNS.items():
            values = [load.rates()[rate] / unit for load in loads]
            cell = f"{median(values):,.{places}f}"
            if rate == "cpu_us_per_move" and len(values) > 1:
                cell += f" ({min(values):,.{places}f}-{max(values):,.{places}f})"
            cells.append(cell)
        yield f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(main())
