"""`python -m bench.attacks`: every attack on a server with its limits, while matches go on, and on
a server without the limit in question.

The list says how strong each is, what the server allows it, and which limit stands against it. Its
control, the same attack without that limit, must be found to get more than the server allows, or
the measurement would measure nothing. Printed is what each gets, and for how long at most the
server's loop holds up 99 of 100 answers to players, before it and beside it.
"""

import argparse
import asyncio
import sys
from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from bench.attacks.plan import AttackPlan, Kind
from bench.attacks.trial import PASSWORD, SAMPLE_S, Seen, attacking, trial
from bench.processes import serving
from bench.shown import row, verdict
from protocol.errors import GoodbyeCode
from server.config import Limits
from server.net.listener import connections_allowed
from tests.stage.house import PATIENCE_S

SLACK_BYTES: Final = 128 * 1024
"""A reader's page on its way, and what Python does not give back."""
LINE_KB: Final = 8
"""What a closed connection may leave behind: nothing, but a process gets memory by the page."""
SPARE_FILES: Final = 200
ELSEWHERE: Final = "127.0.0.2"
COUNTS: Final[Mapping[str, object]] = {"loopback_counts": "true"}
"""For attacks from there: an address of the machine itself usually does not count."""


class Gain(NamedTuple):
    """What an attack may get out of a server."""

    unit: str
    of: Callable[[Seen], float]


MEMORY: Final = Gain("MB more memory", lambda seen: seen.grown_bytes / 1e6)
LEFT: Final = Gain("kB left by a line", lambda s: s.grown_bytes / max(1, s.report.opened) / 1e3)
HELD: Final = Gain("lines held", lambda seen: seen.held)
PAGES: Final = Gain("pages served", lambda seen: seen.report.answers)
ASKED: Final = Gain("wishes said", lambda seen: seen.report.asked)
TRIED: Final = Gain("passwords tried", lambda s: s.report.goodbyes.get(GoodbyeCode.PASSWORD, 0))
SERVED: Final = Gain("lines answered", lambda seen: seen.report.served)


class Attack(Struct, frozen=True):
    """`gain`: what it is after; of that it may get `base`, and `each_s` more in a second. It goes
    on for `seconds`, `longer_s` more than others. `limits`: of the server, beside the defaults;
    `settings`: its other variables; `off`: the limits for the control."""

    plan: AttackPlan
    gain: Gain
    base: float = inf
    each_s: float = 0.0
    longer_s: float = 0.0
    limits: Mapping[str, object] = {}
    settings: Mapping[str, str] = {}
    off: Mapping[str, object] | None = None
    seconds: float = 0.0

    def allowed(self, seen: Seen) -> float:
        return self.base + self.each_s * seen.on_s


def attacks(*, size: float = 1.0, slow_s: float = 5.0, seconds: float = 5.0) -> list[Attack]:
    """All attacks. `size`: the share of the full number of connections; `slow_s`: how slow a peer
    may be before the server lets go; `seconds`: how long attacks go on that need no longer than
    that."""

    def lines(full: int) -> int:
        return max(1, round(full * size))

    def whole(one: Attack) -> Attack:
        counts = COUNTS if one.plan.source == ELSEWHERE else {}
        off = None if one.off is None else {**counts, **one.off}
        limits = {**counts, **one.limits}
        return replace(one, limits=limits, off=off, seconds=seconds + one.longer_s)

    # The server looks at all peers once a second.
    slow = slow_s + 1.5 - seconds
    silent = min(lines(5000), connections_allowed() - SPARE_FILES)
    arriving = {"arriving": silent}
    may = Limits()
    readers_mb = lines(200) * (may.outbox_bytes + SLACK_BYTES) / 1e6
    return [*map(whole, (
        Attack(AttackPlan(Kind.READERS, lines(200), 1000, asks=may.commands_burst - 2), MEMORY,
               base=readers_mb, off={"outbox_bytes": 1 << 30}),
        Attack(AttackPlan(Kind.COMMANDS, lines(20), 1000, asks=100), PAGES,
               base=lines(20) * may.commands_burst, each_s=lines(20) * may.commands_s,
               off={"commands_s": 1e6, "commands_burst": 10**6}),
        Attack(AttackPlan(Kind.SILENT, silent, 2000), HELD, longer_s=silent / 2000 + slow, base=0,
               limits={"hello_s": slow_s, **arriving}, off={"hello_s": 1e6, **arriving}),
        Attack(AttackPlan(Kind.TRICKLE, lines(200), 1000), HELD, longer_s=slow, base=0,
               limits={"frame_s": slow_s}, off={"frame_s": 1e6}),
        Attack(AttackPlan(Kind.CROWD, 40, 1000, source=ELSEWHERE), HELD, base=may.per_address,
               off={"per_address": 10**6}),
        Attack(AttackPlan(Kind.PASSWORDS, 20, 200, source=ELSEWHERE), TRIED,
               base=may.tries_burst + 1, each_s=may.tries_s, off={"tries_burst": 10**6},
               settings={"CLOCKTOWERS_PASSWORD": PASSWORD}),
        Attack(AttackPlan(Kind.HANDSHAKES, 20, 400, source=ELSEWHERE), SERVED,
               base=may.handshakes_per_address + 1, each_s=may.handshakes_per_address_s,
               off={"handshakes_per_address": 10**6}),
        Attack(AttackPlan(Kind.REKEYING, 4, 100, asks=100), ASKED),
        Attack(AttackPlan(Kind.UPGRADES, 20, 100, source=ELSEWHERE), SERVED,
               settings={"CLOCKTOWERS_DOORS": "plain,web"}),
        Attack(AttackPlan(Kind.GARBAGE, 50, 200), LEFT, base=LINE_KB),
        Attack(AttackPlan(Kind.HELLOS, 50, 200), LEFT, base=LINE_KB),
    ))]  # fmt: skip


_HEAD: Final = row(
    "attack: what it is after", "got", "at most", "without limit", "held up, ms", "borne"
)


async def control(attack: Attack, off: Mapping[str, object]) -> Seen:
    """Alone, for its time and until it has got more than it may, or for a minute."""
    async with serving(off, attack.settings) as server, attacking(attack.plan, server) as so_far:
        await asyncio.sleep(attack.seconds)
        while attack.gain.of(seen := await so_far()) <= attack.allowed(seen):
            if seen.on_s > PATIENCE_S:
                break
            await asyncio.sleep(SAMPLE_S)
        return seen


async def line(attack: Attack, quiet_s: float) -> tuple[str, bool]:
    """Its line of the table, and whether everything is as it should be."""
    async with serving(attack.limits, attack.settings) as server:
        fared, seen = await trial(attack.plan, server, seconds=attack.seconds, quiet_s=quiet_s)
    got, allowed, without = attack.gain.of(seen), attack.allowed(seen), inf
    good = fared.whole and fared.in_time and got <= allowed
    if attack.off is not None:
        seen_off = await control(attack, attack.off)
        without = attack.gain.of(seen_off)
        good = good and without > attack.allowed(seen_off)
    held = f"{fared.quiet.held_up_s() * 1000:.1f}, {fared.attacked.held_up_s() * 1000:.1f}"
    figures = (f"{one:.1f}" for one in (got, allowed, without))
    text = row(f"{attack.plan.kind}: {attack.gain.unit}", *figures, held, verdict(met=good))
    return (text if good else f"{text}\n{fared}\n{seen}"), good


def main(argv: Sequence[str] | None = None) -> int:
    """0: the server bore every attack and every control was found out; 1: not."""
    parser = argparse.ArgumentParser(prog="python -m bench.attacks", description=__doc__)
    parser.add_argument("--only", choices=[*Kind], help="one attack")
    parser.add_argument("--size", type=float, default=1.0, help="share of the lines of each")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long each goes on")
    args = parser.parse_args(argv)
    print(_HEAD)
    bad = 0
    for attack in attacks(size=args.size, seconds=args.seconds):
        if args.only in (None, attack.plan.kind):
            text, good = asyncio.run(line(attack, args.seconds))
            print(text, flush=True)
            bad += not good
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
