"""Every attack, short: no match beside it loses an action or waits for one, and it gets no more
than it is allowed; with the limit against it switched off it does. And what is found out about
matches that do notice.

`python -m bench.attacks` has the numbers.
"""

import socket
from functools import partial

import pytest

from bench.attacks.__main__ import Attack, attacks, control
from bench.attacks.plan import Kind
from bench.attacks.trial import Fared, Play, Tally, trial
from bench.processes import Served, serving
from tests.stage.processes import needs_proc

# What is found out about matches that do notice ---------------------------------------------------


def answered(after_s: list[float], worked_s: list[float] | None = None) -> Tally:
    """The loop worked all the time, unless something else is said."""
    tally = Tally(sent=len(after_s))
    for times_s in zip(after_s, worked_s or after_s, strict=True):
        tally.answered(*times_s)
    return tally


fared = partial(
    Fared, quiet=answered([0.001]), action_s=0.0001, each_s=0.0, lost=0, failures=list[str]()
)


def test_a_hundredth_that_is_slow_is_found_out() -> None:
    quick, slow = [0.001] * 98, [0.051] * 2
    assert not fared(attacked=answered(quick + slow)).in_time
    assert fared(attacked=answered(quick * 3 + slow)).in_time
    assert fared(attacked=answered(quick + slow), quiet=answered([0.018])).in_time
    assert not fared(attacked=answered(quick), each_s=0.0051).in_time


def test_other_work_on_the_machine_is_no_attack() -> None:
    late = [5.0] * 100
    assert fared(attacked=answered(late, worked_s=[0.001] * 100)).in_time
    assert fared(attacked=answered([0.001] * 100, worked_s=late)).in_time


def test_every_action_that_did_not_come_to_its_end_is_found_out() -> None:
    good = answered([0.001] * 2)
    assert fared(attacked=good).whole
    assert not fared(attacked=Tally()).whole
    assert not fared(attacked=Tally(sent=2, held_s=[0.001])).whole
    assert not fared(attacked=Tally(sent=2, refused=1, held_s=[0.001])).whole
    assert not fared(attacked=good, lost=1).whole
    assert not fared(attacked=good, failures=["the server closed a line"]).whole


async def test_an_action_that_only_its_own_player_saw_is_lost() -> None:
    play, tally = Play(Served(0, 0)), Tally(kept={("m", 1)})
    for _update in range(2):
        play.seen["m", 1].add("Ann")
        assert play.lost(tally) == 1
    play.seen["m", 1].add("Ben")
    assert play.lost(tally) == 0


QUIET_S = 0.6
LONG_S = 5.0
AT_DOORS = (Kind.REKEYING, Kind.UPGRADES)
NO_CONTROL = (Kind.GARBAGE, Kind.HELLOS, *AT_DOORS)
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


async def bear(attack: Attack, quiet_s: float) -> None:
    """Once: what happened is never forgiven, and time is measured against the quiet time before,
    by what the server's loop worked, so that other work on the machine is no attack."""
    async with serving(attack.limits, attack.settings) as server:
        fared, seen = await trial(attack.plan, server, seconds=attack.seconds, quiet_s=quiet_s)
    assert fared.whole, f"{fared.lost} lost, {fared.attacked}, {fared.failures}"
    got = attack.gain.of(seen)
    assert got <= attack.allowed(seen), f"it got {got} {attack.gain.unit}, {seen}"
    assert seen.report.opened >= attack.plan.connections * 0.9, f"hardly an attack: {seen}"
    assert fared.in_time, (
        f"held up for {fared.attacked.held_up_s():.3f} s, at most {fared.limit_s:.3f} s; "
        f"each cost the server {fared.each_s:.4f} s, at most {fared.each_limit_s:.4f} s"
    )


@pytest.mark.parametrize("kind", Kind)
async def test_the_matches_beside_it_do_not_notice(kind: Kind) -> None:
    await bear(short(kind), QUIET_S)


@pytest.mark.soak
@pytest.mark.parametrize("kind", [kind for kind in Kind if kind not in NO_CONTROL])
async def test_without_its_limit_it_gets_more_than_it_may(kind: Kind) -> None:
    attack = short(kind)
    assert attack.off is not None
    seen = await control(attack, attack.off)
    assert attack.gain.of(seen) > attack.allowed(seen), seen


@pytest.mark.soak
@pytest.mark.parametrize("kind", Kind)
async def test_nor_do_they_for_longer_and_in_full_strength(kind: Kind) -> None:
    await bear(_possible(kind, attacks(seconds=LONG_S)), LONG_S)
