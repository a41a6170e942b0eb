"""`python -m bench.attacks`: every attack on a server with its limits, while matches go on, and on
a server without the limit in question."""

import argparse
import asyncio
import sys
from collections.abc import Sequence

from bench.attacks.attacks import Attack, attacks
from bench.attacks.honest import p99
from bench.attacks.plan import Kind
from bench.attacks.trial import bare, serving, trial

HEAD = (
    f"{'':10}{'p99 quiet':>10}{'p99':>9}{'bot quiet':>10}{'bot':>7}{'acts':>6}"
    f"{'lost':>5}{'refused':>8}{'unanswered':>11}"
    "   what the attack got: with the limit, at most, without"
)


async def line(attack: Attack, quiet_s: float) -> tuple[str, bool]:
    """Its line of the table, and whether everything is as it should be."""
    async with serving(attack.limits, attack.settings) as server:
        fared, seen = await trial(attack.plan, server, seconds=attack.seconds, quiet_s=quiet_s)
    got, allowed = attack.got(seen), attack.allowed(seen)
    good = fared.whole and fared.in_time and got <= allowed
    without = "-"
    if attack.off is not None:
        async with serving(attack.off, attack.settings) as server:
            seen_off = await bare(attack.plan, server, seconds=attack.seconds)
        without = f"{attack.got(seen_off):.1f}"
        good = good and attack.got(seen_off) > attack.allowed(seen_off)
    quiet, tally = fared.quiet, fared.attacked
    text = (
        f"{attack.plan.kind:10}{quiet.p99_s() * 1000:7.1f} ms{tally.p99_s() * 1000:6.1f} ms"
        f"{p99(quiet.bots_s):8.1f} s{p99(tally.bots_s):5.1f} s"
        f"{tally.sent:6}{fared.lost:5}{tally.refused:8}{tally.unanswered:11}"
        f"   {got:.1f}, {allowed:.1f}, {without} {attack.gain.unit}"
    )
    return (text if good else f"{text}   <- NOT BORNE"), good


def main(argv: Sequence[str] | None = None) -> int:
    """0: the server bore every attack and every control was found out; 1: not."""
    parser = argparse.ArgumentParser(prog="python -m bench.attacks", description=__doc__)
    parser.add_argument("--only", choices=[*Kind], help="one attack")
    parser.add_argument("--size", type=float, default=1.0, help="share of the lines of each")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long each goes on")
    args = parser.parse_args(argv)
    chosen = [
        attack
        for attack in attacks(size=args.size, seconds=args.seconds)
        if args.only in (None, attack.plan.kind)
    ]
    for attack in chosen:
        plan = attack.plan
        print(f"{plan.kind:10}{plan.connections} lines, {plan.rate_s:g} a second")
    print(f"\n{HEAD}")
    bad = 0
    for attack in chosen:
        text, good = asyncio.run(line(attack, args.seconds))
        print(text, flush=True)
        bad += not good
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
