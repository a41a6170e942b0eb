"""How often a broken line is dialled again, on a clock that jumps."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import pairwise
from random import Random

import pytest

from clocktowers_tui.net.errors import Fault, LinkError, TurnedAway
from clocktowers_tui.net.link import Link
from clocktowers_tui.net.redial import EAGER_S, MOST_GAP_S, PATIENT_GAP_S, Redial
from protocol.errors import GoodbyeCode
from tests.stage import jumping_clock

LOST = LinkError(Fault.LOST)


async def worth() -> bool:
    return True


class FakeLink(Link):
    """A line that stands."""

    def __init__(self) -> None:
        self.aborted = False

    def abort(self) -> None:
        self.aborted = True


async def refused_at_once() -> Link:
    raise LinkError(Fault.CLOSED_PORT)


async def hangs() -> Link:
    """As when packets vanish: a dial gives up after ten seconds."""
    await asyncio.sleep(10)
    raise LinkError(Fault.TIMEOUT)


def attempts(
    dial: Callable[[], Awaitable[Link]], seed: int, until_s: float = 1000, addresses: int = 1
) -> list[float]:
    """When each attempt began, in seconds since the loss."""
    began: list[float] = []

    async def scene() -> None:
        loop, parted = asyncio.get_running_loop(), asyncio.Event()

        async def dialled() -> Link:
            began.append(loop.time())
            return await dial()

        loop.call_later(until_s, parted.set)
        with pytest.raises(LinkError):
            given = (dialled, lambda n: None, parted, worth, Random(seed))
            await Redial(*given, addresses=addresses).link(LOST)
        assert loop.time() < until_s + 1, "nobody wants it any more"

    jumping_clock.run(scene())
    return began


def keeps_the_pace(began: list[float]) -> None:
    """The law of the module, over 1000 s."""
    assert began[0] == 0
    assert began[-1] >= 1000 - PATIENT_GAP_S
    for one, next_ in pairwise(began):
        limit_s = MOST_GAP_S if one < EAGER_S else PATIENT_GAP_S
        assert next_ - one <= limit_s + 1e-6, f"{next_ - one} s between attempts at {one} s"
    eager = sum(at < EAGER_S for at in began)
    assert eager < 2 * EAGER_S / MOST_GAP_S + 10, "it backs off"
    assert len(began) - eager < 2 * 400 / PATIENT_GAP_S


@pytest.mark.parametrize("dial", [refused_at_once, hangs])
def test_attempts_are_so_far_apart_and_no_farther(dial: Callable[[], Awaitable[Link]]) -> None:
    keeps_the_pace(attempts(dial, 1))


def test_each_of_several_addresses_is_dialled_as_often_as_one_alone() -> None:
    one, three = attempts(refused_at_once, 1), attempts(refused_at_once, 1, addresses=3)
    assert 2.7 < len(three) / len(one) < 3.3
    assert three[2] == 0 < three[3], "those that refuse are dialled at once, but only one round"
    assert attempts(hangs, 1, addresses=3)[1] > 0, "one that hangs may still answer"


def test_two_clients_do_not_dial_at_the_same_moments() -> None:
    one, two = (attempts(refused_at_once, seed, 60) for seed in (1, 2))
    assert len(set(one) & set(two)) == 1, "but for the first one"


def test_the_first_line_that_stands_is_taken_and_no_other_is_left_open() -> None:
    made: list[FakeLink] = []

    async def scene() -> None:
        async def slow() -> Link:
            """Each takes 4 s; so several are on their way when the first one stands."""
            link = FakeLink()
            made.append(link)
            await asyncio.sleep(4 if len(made) < 3 else 4 - 1e-9)
            return link

        told: list[int] = []
        parted = asyncio.Event()
        link = await Redial(slow, told.append, parted, worth, Random(3)).link(LOST)
        assert link is made[0]
        assert told == list(range(1, len(made) + 1))
        assert len(made) > 3
        await asyncio.sleep(60)

    jumping_clock.run(scene())
    assert not made[0].aborted


def test_what_the_server_says_for_good_ends_it() -> None:
    async def scene(code: GoodbyeCode) -> list[int]:
        told: list[int] = []

        async def turned_away() -> Link:
            raise TurnedAway(code, {})

        parted = asyncio.Event()
        asyncio.get_running_loop().call_later(30, parted.set)
        with pytest.raises(LinkError):
            await Redial(turned_away, told.append, parted, worth, Random(4)).link(LOST)
        return told

    assert jumping_clock.run(scene(GoodbyeCode.PASSWORD)) == [1]
    for code in (GoodbyeCode.FULL, GoodbyeCode.TOO_MANY_TRIES):
        assert len(jumping_clock.run(scene(code))) > 10


def test_without_a_server_that_could_answer_nobody_dials() -> None:
    async def scene() -> None:
        left = 3

        async def there() -> bool:
            nonlocal left
            left -= 1
            return left > 0

        told: list[int] = []
        parted = asyncio.Event()
        redial = Redial(refused_at_once, told.append, parted, there, Random(5))
        with pytest.raises(LinkError) as error:
            await redial.link(LOST)
        assert error.value is LOST
        assert told == [1, 2]

    jumping_clock.run(scene())
