"""Whether the better moves of reviews are better: `python -m bench.truth FOLDER`.

FOLDER is what `bench.review --keep` wrote. Of each match some mistakes of the first judgement are
taken, none of `expert`'s and none planted. The move that was played and the better one are played
on to the end in the same worlds, by bots of a level, which know what a player could know. Printed
are, for each, the lead that the review says is lost and the one that was; and for all, how often
the better move ends better, how often surely (two standard errors), how often surely worse, and
both means.
"""

import argparse
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Any, Final

import msgspec

from bench.review import PAIRS, Kept, cases
from clocktowers_tui.net.records import in_words_of
from protocol.games.registry import GAMES as VOCABULARIES
from protocol.ids import Seat
from protocol.recording import POINT, Judged
from server.games.contract import BEGINNING, Bot, Game
from server.games.registry import GAMES
from server.recording.records import read
from server.recording.reel import Decision, Reel

_OF_PEOPLE: Final = ("easy", "normal")
"""Levels whose mistakes are as those of people."""


def mistakes(game: str, number: int, kept: Kept) -> Iterator[tuple[Decision, Judged]]:
    """Those of people's levels, in a match."""
    levels = PAIRS[number % len(PAIRS)]
    found = cases(Reel(read(kept.record, GAMES)), levels)
    for case, told in zip(found, kept.judged[0], strict=True):
        if told.lost and not case.what and levels[told.seat] in _OF_PEOPLE:
            one = in_words_of(game, told)
            assert isinstance(one, Judged)
            yield case.decision, one


def gains(level: str, worlds: int, mistake: tuple[Decision, Judged]) -> list[int]:
    """By world, the points by which the better move ends better."""
    one, judged = mistake
    game, rng = GAMES[one.game], Random(f"{one.ply} {one.seat}")
    words = VOCABULARIES[one.game]
    events = msgspec.msgpack.decode(one.events, type=list[words.event])  # type: ignore[name-defined]
    found = list[int]()
    for number in range(worlds):
        world = game.rules.determinize(judged.view, events, rng)
        less, more = (
            _lead(game, game.bots[level], world, judged.seat, action, events, number)
            for action in (judged.action, judged.best)
        )
        found.append(more - less)
    return found


def _lead(
    game: Game, bot: Bot, world: Any, seat: int, action: Any, events: Sequence[Any], seed: int
) -> int:
    """Of this seat at the end, after this action; then all play as the bot does, which hears all
    that the seat has heard."""
    rules, rng, told = game.rules, Random(seed), list(events)
    state, acting = rules.copy(world), seat
    while True:
        heard = rules.apply(state, Seat(acting), action, BEGINNING)
        told += [event for to, event in heard if to is None]
        if (outcome := rules.outcome(state)) is not None:
            leads: list[int] = list(outcome.scores)
            return leads.pop(seat) - max(leads)
        acting = rules.to_act(state)[0]
        legal = rules.legal_actions(state, acting)
        action = legal[0] if len(legal) == 1 else bot(rules.view(state, acting), told, rng)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.truth", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--game", default="clocktowers")
    parser.add_argument("--level", default="hard", help="of the bots (hard)")
    parser.add_argument("--worlds", type=int, default=48)
    parser.add_argument("--each", type=int, default=1, help="mistakes of a match (1)")
    parser.add_argument("--matches", type=int, default=200, help="of the folder (200)")
    given = parser.parse_args()
    chosen = list[tuple[Decision, Judged]]()
    for path in sorted(given.folder.glob(f"{given.game}-*.msgpack"))[: given.matches]:
        kept = msgspec.msgpack.decode(path.read_bytes(), type=Kept)
        found = [*mistakes(given.game, int(path.stem.split("-")[1]), kept)]
        chosen += Random(path.stem).sample(found, min(given.each, len(found)))
    said, came = list[float](), list[tuple[float, float]]()
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        looked = pool.map(partial(gains, given.level, given.worlds), chosen)
        for (one, judged), points in zip(chosen, looked, strict=True):
            said.append((judged.better.lead - judged.played.lead) / POINT)
            came.append((mean(points), stdev(points) / sqrt(len(points))))
            at = f"ply {one.ply}, seat {judged.seat}: said {said[-1]:.1f} points"
            print(f"{at}, came {came[-1][0]:.1f} ± {2 * came[-1][1]:.1f}", flush=True)
    for what, hits in (
        ("the better move ends better", [gain > 0 for gain, _error in came]),
        ("surely better", [gain > 2 * error for gain, error in came]),
        ("surely worse", [gain < -2 * error for gain, error in came]),
    ):
        print(f"{what}: {100 * mean(hits):.0f} % ({sum(hits)} of {len(hits)})")
    print(f"points: said {mean(said):.2f}, came {mean(gain for gain, _error in came):.2f}")


if __name__ == "__main__":
    main()
