"""TLS handshakes come at a pace: of each address, and of all."""

import asyncio

from server.config import Limits
from server.doors import handshakes
from server.doors.handshakes import Handshakes

LIMITS = Limits(handshakes_per_address=3, handshakes_per_address_s=0.001, handshakes_s=5)


async def begun(pace: Handshakes, callers: list[str]) -> list[str]:
    """Who of these callers may shake hands at once, in order."""
    turns = {asyncio.ensure_future(pace.turn(at)): at for at in callers}
    for _ in range(10):
        await asyncio.sleep(0)
    for turn in turns:
        turn.cancel()
    done = [at for turn, at in turns.items() if turn.done() and not turn.cancelled()]
    await asyncio.gather(*turns, return_exceptions=True)
    return done


async def test_an_address_waits_and_others_do_not() -> None:
    pace = Handshakes(LIMITS)
    assert await begun(pace, ["192.0.2.1"] * 5) == ["192.0.2.1"] * 3
    assert await begun(pace, ["192.0.2.1", "192.0.2.2"]) == ["192.0.2.2"]


async def test_many_addresses_wait_for_each_other() -> None:
    callers = [f"192.0.2.{n}" for n in range(9)]
    assert await begun(Handshakes(LIMITS), callers) == callers[:5]


async def test_this_machine_counts_for_all_only() -> None:
    assert len(await begun(Handshakes(LIMITS), ["127.0.0.1"] * 9)) == 5


async def test_who_waits_comes_in_when_it_is_their_turn() -> None:
    pace = Handshakes(Limits(handshakes_s=100))
    async with asyncio.timeout(20):
        await asyncio.gather(*(pace.turn("127.0.0.1") for _ in range(110)))


async def test_few_are_remembered() -> None:
    pace = Handshakes(Limits(handshakes_s=10**6))
    for n in range(handshakes.MOST + 10):
        await pace.turn(f"10.{n >> 16}.{n >> 8 & 255}.{n & 255}")
    assert len(pace) == handshakes.MOST
