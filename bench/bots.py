"""`python -m bench.bots`: how strong the levels are, compared with the project's aims."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from msgspec import MsgspecError, json

from bench.duels import Deal, Duel, Summary, play_deal, summary

DUELS: Final = (
    Duel("clocktowers", "normal", "easy", 0.85),
    Duel("clocktowers", "hard", "normal", 0.80),
    Duel("clocktowers", "hard", "flat", 0.65),
    Duel("clocktowers", "hard", "normal", 0.40, players=4),
    Duel("architetti_attenti", "normal", "easy", 0.85),
    Duel("architetti_attenti", "hard", "normal", 0.65),
    Duel("wild_wild_pattern", "normal", "easy", 0.85),
    Duel("wild_wild_pattern", "hard", "normal", 0.80),
)
_GAMES: Final = tuple(dict.fromkeys(duel.game for duel in DUELS))
DEALS: Final = 200


def main(arguments: Sequence[str] | None = None) -> int:
    """0 when every aim is met, 1 when one is missed, 2 and a sentence for bad arguments."""
    args = _parser().parse_args(arguments)
    duels = [duel for duel in DUELS if duel.game == args.game]
    names = [_name(duel) for duel in duels]
    if args.only not in (None, *names):
        print(f"bench.bots: --only: in {args.game} one of {', '.join(names)}", file=sys.stderr)
        return 2
    duels = [duel for duel in duels if args.only in (None, _name(duel))]
    try:
        known = _kept(args.keep)
        summaries = [_measured(duel, args, known) for duel in duels]
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
    parser.add_argument(
        "--game", choices=_GAMES, default=_GAMES[0], help=f"{_GAMES[0]}, or another"
    )
    parser.add_argument("--only", metavar="BETTER-WORSE", help="one duel")
    parser.add_argument("--workers", type=_count, default=1, help="processes (1)")
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
    table = "" if duel.players == 2 else f"-{duel.players}"
    return f"{duel.better}-{duel.worse}{table}"


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


def _measured(duel: Duel, args: argparse.Namespace, known: Sequence[Deal]) -> Summary:
    numbers = range(1, args.deals + 1)
    deals = {
        deal.deal: deal
        for deal in known
        if (deal.game, deal.better, deal.worse) == duel[:3]
        and deal.players == duel.players
        and deal.deal in numbers
    }
    missing = [number for number in numbers if number not in deals]
    for deal in _played(duel, missing, args.workers):
        deals[deal.deal] = deal
        if args.keep is not None:
            with args.keep.open("ab") as file:
                file.write(json.encode(deal) + b"\n")
    result = summary(duel, list(deals.values()))
    print(_line(result), flush=True)
    return result


def _played(duel: Duel, numbers: Sequence[int], workers: int) -> Iterator[Deal]:
    if workers == 1:
        yield from (play_deal(duel, number) for number in numbers)
        return
    # spawn: the same on every system.
    with get_context("spawn").Pool(workers) as pool:
        waiting = [pool.apply_async(play_deal, (duel, number)) for number in numbers]
        yield from (one.get() for one in waiting)


def _line(result: Summary) -> str:
    times = ", ".join(
        f"{level} p50 {p50:.1f} p99 {p99:.1f} ms" for level, (p50, p99) in result.ms.items()
    )
    return (
        f"{result.better} against {result.players - 1} {result.worse}: "
        f"{result.score:.1%} ± {result.within:.1%} "
        f"({result.deals} deals; {times}) aim {result.target:.0%}: "
        f"{'met' if result.met else 'MISSED'}"
    )


if __name__ == "__main__":
    sys.exit(main())
