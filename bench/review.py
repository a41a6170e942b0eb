"""Whether what a review says is right: `python -m bench.review`.

Matches of two are judged several times, with other random numbers each time. Printed is how often
what one judgement names is named by another, mistakes and turning points; how often a planted
mistake is named; how often a decision of `expert` is blamed, and a hint, where a seat follows all;
how often the next hint does something else with a card that was drawn than the hint of the draw
said; and how often a twin of `expert`'s, the same on another tower that looks the same, is judged
otherwise; and of how many mistakes the reasons weigh nothing. The aims stand beside that.

Planted is, in place of what `expert` did, what costs two points or more by what the board shows:
the only roof in reach that completes a tower is discarded, once the piles have fewer than 20 cards;
before that a floor with a mouse, of which the board's preview says that it costs points on any
tower but a new one, goes on the one tower of two floors or more that would score most; a tile goes
to the worst of five places. How often a place is blamed that Architetti Attenti offers first, and
how often `hard` would choose the same, is printed, too.

With `--keep FOLDER` what was played and judged is kept there, and another run reads it: so another
rule for naming mistakes is measured on the same judgements.

At the end, of one match: how long its review takes, made by the process that a client starts, until
the first finding and until the last, and the processor's time; and what a hint takes of that.
"""

import argparse
import asyncio
import os
import resource
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import aclosing
from functools import partial
from itertools import permutations
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from clocktowers_tui.games.architetti_attenti.choosing import best
from clocktowers_tui.games.clocktowers.choosing import OUT, costs_elsewhere, worth, worths
from clocktowers_tui.games.clocktowers.hinting import plan_for
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.history.review import Reviewed, is_mistake, made, reasons, turning_point
from clocktowers_tui.net.records import in_words_of
from protocol.games import architetti_attenti as architetti, clocktowers
from protocol.games.architetti_attenti.score import Counting, parts
from protocol.games.registry import GAMES as VOCABULARIES
from protocol.ids import Seat
from protocol.recording import Begun, Judged
from server.games.architetti_attenti.bots import hard, own_board, sites
from server.games.contract import Game, Stop, never
from server.games.registry import GAMES
from server.recording.bot_matches import Series, play
from server.recording.records import line, read
from server.recording.reel import Decision, Reel, decisions, judged

PAIRS: Final = (("normal", "normal"), ("expert", "hard"), ("easy", "normal"), ("expert", "hint"))
"""The levels of one match after the other; `hint` does what hints say."""
_SEED: Final = 7
_COSTS: Final = 2
"""Points that a planted mistake takes at once, or of a tower."""
_CARDS_LEFT: Final = 20
"""In the piles: with so many there is time to complete a tower, and to draw another roof for it."""
_FLOORS: Final = 2
"""Of a tower: one with a single floor is as soon begun again."""
_PLACES: Final = 5
EXPERTS, TWINS = "decisions of `expert` blamed", "twins of them judged otherwise"
HINTS: Final = "hints blamed, of all that a seat follows"
OTHERWISE: Final = "cards drawn by hints, and used otherwise than said"
OFFERED, AS_HARD = "places offered first blamed", "places offered first that `hard` chooses"
AGAIN, TURNED = "mistakes named again", "turning points named again"
CAUSELESS: Final = "mistakes without a cause"
AIMS: Final = {
    AGAIN: "≥ 90",
    TURNED: "≥ 95",
    EXPERTS: "≤ 2",
    TWINS: "0",
    HINTS: "≤ 0.5",
    OTHERWISE: "≤ 2",
    OFFERED: "≤ 10",
    AS_HARD: "≥ 75",
    CAUSELESS: "≤ 5",
}
_OF_LEVEL: Final = {"expert": EXPERTS, "hint": HINTS}
_PLANTED: Final = "≥ 90"


class Case(NamedTuple):
    """A decision to judge, and what it is looked at for; "" = the match as it was."""

    what: str
    decision: Decision


Counted: TypeAlias = defaultdict[str, list[bool]]
"""By what was looked at, whether each case was named."""


def planted(decision: Decision) -> Iterator[Case]:
    """The decision with a mistake in place of what was done, or with a move that is as good."""
    words = VOCABULARIES[decision.game]
    view = msgspec.msgpack.decode(decision.view, type=words.view)
    action = msgspec.msgpack.decode(decision.action, type=words.action)
    if isinstance(view, clocktowers.View):
        found = _in_clocktowers(view, action)
    else:
        found = _in_architetti(view)
    for what, other in found:
        yield Case(what, decision._replace(action=msgspec.msgpack.encode(other)))


def _in_clocktowers(view: Any, action: Any) -> Iterator[tuple[str, Any]]:
    seat, legal = view.seat, [choice.action for choice in view.legal]
    town = view.towns[seat]
    plays = [one for one in legal if isinstance(one, clocktowers.Play) and one.tower is not None]
    ladder, reach = clocktowers.ladder_of(view, seat), [*view.hand, view.piles[2]]
    late = sum(view.left) < _CARDS_LEFT
    for choice in view.legal if late else ():
        if choice.points >= _COSTS:
            roofs = [card for card in reach if card >= clocktowers.FIRST_ROOF]
            fits = [ladder[roof - clocktowers.FIRST_ROOF] >> choice.height & 1 for roof in roofs]
            if sum(fits) == 1:
                roof = roofs[fits.index(1)]
                yield "roofs that complete a tower discarded", clocktowers.Discard(roof)
            break
    built = zip(town.towers, town.points, strict=True)
    begun = [worth(view, tower) for tower, points in built if not points]
    for choice in () if late else view.legal:
        card, (before, after) = getattr(choice.action, "card", 0), worths(view, choice)
        best = before - after >= _COSTS and sum(other >= before for other in begun) == 1
        mouse = clocktowers.ANIMALS[card] == "m" and costs_elsewhere(view, card)
        stands = choice.height - clocktowers.STOREYS[card] >= _FLOORS
        if best and mouse and stands and choice.action != action:
            yield "mice where the preview warns, on the one best tower", choice.action
            break
    if action in plays:
        for one in plays:
            same = town.towers[one.tower] == town.towers[action.tower]
            if one.card == action.card and one != action and same:
                yield TWINS, one
                break


def _in_architetti(view: Any) -> Iterator[tuple[str, Any]]:
    if view.phase is not architetti.Phase.PLACE:
        return
    offered = best(view, view.tile)
    if offered:
        yield OFFERED, architetti.Place(*offered)
    places, counting = sites(own_board(view), view.tile), Counting.of(view)
    if len(places) >= _PLACES:
        five = [places[at * len(places) // _PLACES] for at in range(_PLACES)]
        gems = view.gems[view.seat]
        worth = [parts(site.board, gems, counting).total for site in five]
        worst = five[worth.index(min(worth))]
        if max(worth) - min(worth) >= _COSTS:
            yield "tiles in the worst of five places", architetti.Place(worst.first, worst.second)


def cases(reel: Reel, levels: Sequence[str]) -> Iterator[Case]:
    for seat, level in enumerate(levels):
        for one in decisions(reel, Seat(seat)):
            yield Case("", one)
            if level == "expert":
                yield from planted(one)


class Kept(msgspec.Struct):
    """A match, what its hints did with their cards, and its judgements, a list for each seed."""

    record: bytes
    otherwise: list[bool]
    judged: list[list[Judged]]


def _match(game: str, number: int, seeds: int, pool: Executor, keep: Path | None) -> Kept:
    """It is played and judged, or read where that is kept."""
    path = keep and keep / f"{game}-{number}.msgpack"
    if path and path.exists():
        return msgspec.msgpack.decode(path.read_bytes(), type=Kept)
    levels, counted = PAIRS[number % len(PAIRS)], Counted(list)
    record = line(play(_series(game, levels, counted), number))
    found = [case.decision for case in cases(Reel(read(record, GAMES)), levels)]
    every = [[*pool.map(partial(judged, seed=seed), found)] for seed in range(seeds)]
    kept = msgspec.msgpack.encode(Kept(record, counted[OTHERWISE], every))
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(kept)
    return msgspec.msgpack.decode(kept, type=Kept)


def count(game: str, number: int, kept: Kept, counted: Counted) -> None:
    """What came of a match."""
    levels = PAIRS[number % len(PAIRS)]
    reel = Reel(read(kept.record, GAMES))
    found = [*cases(reel, levels)]
    if kept.otherwise:
        counted[OTHERWISE] += kept.otherwise
    for _what, offered in (case for case in found if case.what == OFFERED):
        view = msgspec.msgpack.decode(offered.view, type=architetti.View)
        as_hard = msgspec.msgpack.encode(hard(view, (), Random(0)))
        counted[AS_HARD].append(as_hard == offered.action)
    seeds = len(kept.judged)
    mistakes, turned = list[set[tuple[int, int]]](), list[int | None]()
    for every in kept.judged:
        whole = list[Judged]()
        for case, told in zip(found, every, strict=True):
            one = in_words_of(game, told)
            assert isinstance(one, Judged)
            if case.what:
                its = one.lost != whole[-1].lost if case.what == TWINS else is_mistake(one)
                counted[case.what].append(its)
                continue
            whole.append(one)
            if (row := _OF_LEVEL.get(levels[one.seat])) is not None:
                counted[row].append(is_mistake(one))
            if one.parts:
                why = reasons(FACES[game], reel.names, one)
                counted[CAUSELESS].append(not any(cost.points for cost in why))
        whole.sort(key=lambda one: one.ply)
        mistakes.append({(one.ply, one.seat) for one in whole if is_mistake(one)})
        turned.append(_turned(reel, whole))
    for first, other in permutations(range(seeds), 2):
        for mistake in mistakes[first]:
            counted[AGAIN].append(mistake in mistakes[other])
        if turned[first] is not None:
            counted[TURNED].append(turned[first] == turned[other])


class _Follows:
    """The level `hint`, for one match: each hint knows what the last one planned. Counted is, for
    each card that it draws, whether the next hint discards it, or uses it, though the words for the
    draw said something else."""

    def __init__(self, game: Game, counted: Counted) -> None:
        self._hint = game.hint
        self._counted = counted
        self._plan: Any = None
        self._drawn = 0, False

    def __call__(self, view: Any, own_events: Any, rng: Random, stop: Stop = never) -> Any:
        action, self._plan = self._hint(view, own_events, rng, stop, self._plan)
        card, goes_out = self._drawn
        if card:
            out = isinstance(action, clocktowers.Discard)
            self._counted[OTHERWISE].append(action.card == card and out is not goes_out)
        self._drawn = 0, False
        if isinstance(action, clocktowers.Draw):
            said = plan_for(view, action.pile, self._plan)
            if said is not None:
                self._drawn = view.piles[action.pile], said.place == OUT
        return action


def _series(game: str, levels: Sequence[str], counted: Counted) -> Series:
    played = GAMES[game]
    with_hints = played._replace(bots={**played.bots, "hint": _Follows(played, counted)})
    return Series(with_hints, VOCABULARIES[game].options(), levels, _SEED)


def hint_s(reel: Reel) -> float:
    """The processor's time for a hint, on average of what the first seat decides in a match."""
    words, asked, used_s = VOCABULARIES[reel.game.rules.id], [*decisions(reel, Seat(0))], 0.0
    for one in asked:
        view = msgspec.msgpack.decode(one.view, type=words.view)
        events = msgspec.msgpack.decode(one.events, type=list[words.event])  # type: ignore[name-defined]
        used_s -= time.process_time()
        reel.game.hint(view, events, Random(one.ply))
        used_s += time.process_time()
    return used_s / len(asked)


def _turned(reel: Reel, found: Sequence[Judged]) -> int | None:
    outcome: Any = reel.game.rules.outcome(reel.plies[-1].state)
    plies = [one.ply for one in found]
    scores, winners = list(outcome.scores), list(outcome.winners)
    point = turning_point(Reviewed(Begun("", reel.names, scores, winners, plies), 0, found))
    return None if point is None else point.ply


async def timed(record: bytes) -> str:
    began_s, used, first_s = time.monotonic(), _processor_s(), 0.0
    async with aclosing(made(record, "", 0)) as review:
        async for newest in review:
            if newest.findings and not first_s:
                first_s = time.monotonic() - began_s
    whole_s, used = time.monotonic() - began_s, _processor_s() - used
    return f"first after {first_s:.1f} s, all after {whole_s:.1f} s, processor {used:.1f} s"


def _processor_s() -> float:
    """Of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.review", description=__doc__)
    games = [game for game, words in GAMES.items() if words.judge is not None]
    parser.add_argument("--game", choices=games, default=games[0])
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seeds", type=int, default=3, help="judgements of each (3)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first match (0)")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="of matches and judgements")
    given = parser.parse_args()
    counted = Counted(list)
    with ProcessPoolExecutor(given.workers, mp_context=get_context("spawn")) as pool:
        for number in range(given.first, given.first + given.matches):
            kept = _match(given.game, number, given.seeds, pool, given.keep)
            count(given.game, number, kept, counted)
            print(f"match {number}: {_told(counted)}", flush=True)
    for what, hits in sorted(counted.items()):
        named = f"{100 * mean(hits):.1f} % ({sum(hits)} of {len(hits)})"
        print(f"{what}: {named}, aim {AIMS.get(what, _PLANTED)}")
    record = line(play(_series(given.game, PAIRS[0], counted), 0))
    print(asyncio.run(timed(record.strip())))
    print(f"a hint: processor {hint_s(Reel(read(record, GAMES))):.3f} s")


def _told(counted: Counted) -> str:
    return ", ".join(f"{sum(hits)} of {len(hits)} {what}" for what, hits in counted.items())


if __name__ == "__main__":
    main()
