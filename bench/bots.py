"""`python -m bench.bots`: how strong the levels are, compared with the project's aims."""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import MsgspecError, json

from bench.duels import Deal, Duel, Summary, play_deal, summary
from protocol.games.registry import GAMES

PLAYERS: Final = (2, 3, 4)
_AIMS: Final = {
    ("clocktowers", "normal", "easy", 2): 0.75,
    ("clocktowers", "hard", "normal", 2): 0.80,
    ("clocktowers", "hard", "normal", 4): 0.40,
    ("clocktowers", "expert", "hard", 2): 0.75,
    ("architetti_attenti", "normal", "easy", 2): 0.85,
    ("architetti_attenti", "hard", "normal", 2): 0.65,
    ("architetti_attenti", "expert", "hard", 2): 0.75,
    ("wild_wild_pattern", "normal", "easy", 2): 0.85,
    ("wild_wild_pattern", "hard", "normal", 2): 0.80,
}
"""Where no aim stands it is an equal share of the wins."""

_LADDER: Final = ("easy", "normal", "hard", "expert")
DUELS: Final = (
    *(
        Duel(game, better, worse, _AIMS.get((game, better, worse, players), 1 / players), players)
        for game, vocabulary in GAMES.items()
        for worse, better in pairwise(_LADDER)
        if better in vocabulary.levels
        for players in PLAYERS
    ),
    Duel("clocktowers", "hard", "flat", 0.65),
    Duel("clocktowers", "seer", "hard", None),
)
DEALS: Final = 200

Run: TypeAlias = Callable[[Callable[[int], Deal], Iterable[int]], Iterator[Deal]]
"""`map`, or that of an executor: in order, each as soon as it is there."""


def main(arguments: Sequence[str] | None = None) -> int:
    """0 when every aim is met, 1 when one is missed, 2 and a sentence for bad arguments."""
    args = _parser().parse_args(arguments)
    duels = [duel for duel in DUELS if args.game in (None, duel.game)]
    names = list(dict.fromkeys(map(_name, duels)))
    if args.only not in (None, *names):
        among = f"in {args.game} " if args.game else ""
        print(f"bench.bots: --only: {among}one of {', '.join(names)}", file=sys.stderr)
        return 2
    duels = [duel for duel in duels if args.only in (None, _name(duel))]
    try:
        known = _kept(args.keep)
        with _executor(args) as executor:
            run: Run = map if executor is None else executor.map
            summaries = [measured(duel, args.deals, known, args.keep, run) for duel in duels]
        if len(summaries) > 1:
            print("", *table(summaries), sep="\n")
        if args.json is not None:
            args.json.write_bytes(json.format(json.encode(summaries)) + b"\n")
    except MsgspecError:
        print(f"bench.bots: {args.keep} holds something else: name a new file", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"bench.bots: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    return 0 if all(each.met for each in summaries) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench.bots",
        description="Lets levels play each other with standard options: one seat of the better "
        "level, the other in all others, each deal once from every seat. A score is wins and the "
        "shares of shared wins, by deal.",
    )
    parser.add_argument("--deals", type=_count, default=DEALS, help=f"seeds 1 to this ({DEALS})")
    parser.add_argument("--game", choices=tuple(GAMES), help="one game (all)")
    parser.add_argument("--only", metavar="BETTER-WORSE[-PLAYERS]", help="one duel")
    parser.add_argument("--workers", type=_count, default=1, help="how many deals at once (1)")
    parser.add_argument(
        "--threads", action="store_true", help="the workers are threads, not processes"
    )
    parser.add_argument(
        "--keep",
        type=Path,
        metavar="FILE",
        help="write each deal there and leave out those it has: to go on after a break",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    return parser


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 100_000:
        raise argparse.ArgumentTypeError(f"{text!a} is not a whole number from 1 to 100000")
    return int(text)


def _name(duel: Duel) -> str:
    players = "" if duel.players == 2 else f"-{duel.players}"
    return f"{duel.better}-{duel.worse}{players}"


def _kept(file: Path | None) -> list[Deal]:
    """Remove a last line that a break cut off."""
    if file is None or not file.exists():
        return []
    text = file.read_bytes()
    whole = text[: text.rfind(b"\n") + 1]
    deals = [json.decode(line, type=Deal) for line in whole.splitlines()]
    if whole != text:
        file.write_bytes(whole)
    return deals


def _executor(args: argparse.Namespace) -> AbstractContextManager[Executor | None]:
    if args.workers == 1:
        return nullcontext()
    if args.threads:
        return ThreadPoolExecutor(args.workers)
    # spawn: the same on every system.
    return ProcessPoolExecutor(args.workers, mp_context=get_context("spawn"))


def measured(
    duel: Duel, deals: int, known: Sequence[Deal] = (), keep: Path | None = None, run: Run = map
) -> Summary:
    """The figures of deals 1 to `deals`; whatever runs them, but for the times they are the same.

    `known` deals are not played again; the others are written to `keep`, each when it is played.
    """
    numbers = range(1, deals + 1)
    found = {
        deal.deal: deal
        for deal in known
        if (deal.game, deal.better, deal.worse) == duel[:3]
        and deal.players == duel.players
        and deal.deal in numbers
    }
    missing = [number for number in numbers if number not in found]
    for deal in run(partial(play_deal, duel), missing):
        found[deal.deal] = deal
        if keep is not None:
            with keep.open("ab") as file:
                file.write(json.encode(deal) + b"\n")
    result = summary(duel, list(found.values()))
    print(_line(result), flush=True)
    return result


def _line(result: Summary) -> str:
    times = ", ".join(
        f"{level} p50 {p50:.1f} p99 {p99:.1f} ms" for level, (p50, p99) in result.ms.items()
    )
    aim = "" if result.target is None else f" aim {result.target:.0%}: "
    verdict = aim and ("met" if result.met else "MISSED")
    return (
        f"{result.game}: {result.better} against {result.players - 1} {result.worse}: "
        f"{result.score:.1%} ± {result.within:.1%} ({result.deals} deals; {times}){aim}{verdict}"
    )


def table(summaries: Sequence[Summary]) -> Iterator[str]:
    """The lines of a Markdown table: a row for each pair of levels, a column for each number of
    players."""
    yield f"| game | levels | {' | '.join(f'{players} players' for players in PLAYERS)} |"
    yield "|---" * (2 + len(PLAYERS)) + "|"
    cells: dict[tuple[str, str, str], dict[int, str]] = {}
    for each in summaries:
        row = cells.setdefault((each.game, each.better, each.worse), {})
        row[each.players] = f"{each.score:.1%} ± {each.within * 100:.1f} ({each.deals} deals)"
    for (game, better, worse), row in cells.items():
        shares = " | ".join(row.get(players, "") for players in PLAYERS)
        yield f"| {game} | `{better}` against `{worse}` | {shares} |"


if __name__ == "__main__":
    sys.exit(main())
