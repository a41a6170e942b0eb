"""Every attack, short: no match beside it loses an action or waits for one, and it gets no more
than it is allowed; with the limit against it switched off it does.

`python -m bench.attacks` has the numbers.
"""

import socket
import sys

import pytest

from bench.attacks.attacks import Attack, attacks
from bench.attacks.honest import p99
from bench.attacks.plan import Kind
from bench.attacks.trial import EACH_S, bare, serving, trial
from tests.stage.processes import needs_proc

QUIET_S = 0.6
LONG_S = 5.0
TRIES = 4
LONGER = (1, 4, 16)
"""Times as long: on a busy machine an attack takes its time to grow."""
ELSEWHERE = (
    *(Kind.TABLES, Kind.FILLING, Kind.BOTS, Kind.ARRAYS, Kind.MARKS),
    *(Kind.NEWS, Kind.WATCHERS, Kind.NAMESAKES, Kind.SEATED),
)
"""In short tried by tests of the part itself, which have the control."""
AT_DOORS = (Kind.REKEYING, Kind.UPGRADES)
NO_CONTROL = (Kind.GARBAGE, Kind.HELLOS, *AT_DOORS, *ELSEWHERE)
"""No setting keeps a broken wire open, or remembers a peer that has gone; what callers cost before
they have said anything is for the processor's time to tell."""

pytestmark = needs_proc


def short(kind: Kind) -> Attack:
    """As quick as in full, with fewer lines; of what may hold no line at all, half as many do."""
    size = 0.1 if kind in (Kind.SILENT, Kind.TRICKLE) else 0.2
    return _possible(kind, attacks(size=size, slow_s=0.2, seconds=0.8))


def _possible(kind: Kind, all_of_them: list[Attack]) -> Attack:
    (attack,) = (one for one in all_of_them if one.plan.kind is kind)
    with socket.socket() as sock:
        try:
            sock.bind((attack.plan.source, 0))
        except OSError:
            pytest.skip(f"this machine has no {attack.plan.source}")
    return attack


async def borne(attack: Attack, quiet_s: float) -> list[str]:
    """What is wrong, in words; nothing, as a rule."""
    with serving(attack.limits, settings=attack.settings) as server:
        fared, seen = await trial(attack.plan, server, seconds=attack.seconds, quiet_s=quiet_s)
    wrong = []
    if not fared.whole:
        wrong.append(f"{fared.lost} lost, {fared.attacked}, {fared.failures}")
    if not fared.in_time:
        wrong.append(
            f"held up for {fared.attacked.held_up_s():.3f} s, at most {fared.limit_s:.3f} s; "
            f"bots {p99(fared.attacked.bots_s):.3f} s, at most {fared.bots_limit_s:.3f} s; "
            f"each cost the server {fared.each_s:.4f} s, at most {EACH_S} s"
        )
    if attack.got(seen) > attack.allowed(seen):
        wrong.append(f"it got {attack.got(seen)} {attack.unit}, {seen}")
    if seen.report.opened < attack.plan.connections * 0.9:
        wrong.append(f"hardly an attack: {seen}")
    return wrong


async def bear(attack: Attack, quiet_s: float) -> None:
    """Other work on the machine is no attack: what looks bad is done once more, which is said."""
    for _ in range(TRIES):
        if not (wrong := await borne(attack, quiet_s)):
            return
        print(f"{attack.plan.kind}: {wrong}", file=sys.stderr)
    raise AssertionError(wrong)


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind not in ELSEWHERE])
async def test_the_matches_beside_it_do_not_notice(kind: Kind) -> None:
    await bear(short(kind), QUIET_S)


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind not in NO_CONTROL])
async def test_without_its_limit_it_gets_more_than_it_may(kind: Kind) -> None:
    attack = short(kind)
    assert attack.off is not None
    for times in LONGER:
        with serving(attack.off, settings=attack.settings) as server:
            seen = await bare(attack.plan, server, seconds=times * attack.seconds)
        if attack.got(seen) > attack.allowed(seen):
            return
    raise AssertionError(seen)


async def test_a_server_that_takes_long_over_each_is_found_out() -> None:
    """By its processor time, also where other work lets few connections come; none is too slow for
    it, whose hello would cost nothing."""
    attack = short(Kind.HELLOS)
    limits = {**attack.limits, "hello_s": 600}
    with serving(limits, program=("tests.stage.changed_server", "slow")) as server:
        fared, seen = await trial(attack.plan, server, seconds=attack.seconds, quiet_s=QUIET_S)
    assert fared.each_s > EACH_S and not fared.in_time, seen


@pytest.mark.soak
@pytest.mark.parametrize("kind", Kind)
async def test_nor_do_they_for_longer_and_in_full_strength(kind: Kind) -> None:
    await bear(_possible(kind, attacks(seconds=LONG_S)), LONG_S)
