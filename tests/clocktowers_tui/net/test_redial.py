"""How often a broken line is dialled again, on a clock that jumps."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import pairwise
from random import Random

from clocktowers_tui.net.errors import Fault, LinkError, TurnedAway
from clocktowers_tui.net.lasting_link import EAGER_S, MOST_GAP_S, PATIENT_GAP_S, lines
from clocktowers_tui.net.link import Link
from protocol.errors import GoodbyeCode
from tests.stage import jumping_clock


async def refused_at_once() -> Link:
    raise LinkError(Fault.CLOSED_PORT)


async def hangs() -> Link:
    """As when packets vanish: a dial gives up after eight seconds."""
    await asyncio.sleep(8)
    raise LinkError(Fault.TIMEOUT)


def attempts(
    dial: Callable[[], Awaitable[Link]], seed: int, until_s: float = 1000, addresses: int = 1
) -> list[float]:
    """When each attempt began, in seconds since the loss."""
    began: list[float] = []

    async def scene() -> None:
        loop = asyncio.get_running_loop()

        async def dialled() -> Link:
            began.append(loop.time())
            return await dial()

        async def wanted() -> bool:
            return loop.time() < until_s

        async for _link in lines(
            dialled, lambda n: None, wanted, Random(seed), addresses=addresses
        ):
            raise AssertionError

    jumping_clock.run(scene())
    return began


def test_attempts_are_so_far_apart_and_no_farther() -> None:
    """The law of the module, over 1000 s."""
    began = attempts(refused_at_once, 1)
    assert began[0] == 0
    assert began[-1] >= 1000 - PATIENT_GAP_S
    for one, next_ in pairwise(began):
        limit_s = MOST_GAP_S if one < EAGER_S else PATIENT_GAP_S
        assert next_ - one <= limit_s + 1e-6, f"{next_ - one} s between attempts at {one} s"
    eager = sum(at < EAGER_S for at in began)
    assert eager < 2 * EAGER_S / MOST_GAP_S + 10, "it backs off"
    assert len(began) - eager < 2 * 400 / PATIENT_GAP_S


def test_each_of_several_addresses_is_dialled_as_often_as_one_alone() -> None:
    one, three = attempts(refused_at_once, 1), attempts(refused_at_once, 1, addresses=3)
    assert 2.7 < len(three) / len(one) < 3.3
    assert three[2] == 0 < three[3], "those that refuse are dialled at once, but only one round"
    for addresses in (1, 2):
        began = attempts(hangs, 1, 60, addresses)
        gaps = [after - before for before, after in pairwise(began)]
        assert gaps[:4] == [[3, 6, 8, 8], [3, 3, 6, 6]][addresses - 1], "each round is more patient"


def test_two_clients_do_not_dial_at_the_same_moments() -> None:
    one, two = (attempts(refused_at_once, seed, 60) for seed in (1, 2))
    assert len(set(one) & set(two)) == 1, "but for the first one"


def test_what_the_server_says_for_good_ends_it() -> None:
    async def scene(code: GoodbyeCode) -> list[int]:
        told: list[int] = []

        async def turned_away() -> Link:
            raise TurnedAway(code, {})

        async def wanted() -> bool:
            return len(told) < 20

        with suppress(TurnedAway):
            async for _link in lines(turned_away, told.append, wanted, Random(4)):
                raise AssertionError
        return told

    assert jumping_clock.run(scene(GoodbyeCode.PASSWORD)) == [1]
    for code in (GoodbyeCode.FULL, GoodbyeCode.TOO_MANY_TRIES):
        assert len(jumping_clock.run(scene(code))) == 20
