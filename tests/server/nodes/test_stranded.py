"""How often players are sent away from a node that does not reach the database, on a clock that
jumps."""

import asyncio
from types import SimpleNamespace
from typing import Any, Final

import pytest

from server.nodes.directory import LOOK_S
from server.nodes.stranded import LEASES, Stranded
from tests.stage import jumping_clock

LEASE_S: Final = 5.0
HOUR_S: Final = 3600.0


class Away:
    """A directory that reaches the database until the clock begins, and from `back_s` on."""

    def __init__(self, others: int, back_s: float) -> None:
        self.others = ["another"] * others
        self._back_s = back_s

    @property
    def away_s(self) -> float:
        now_s = asyncio.get_running_loop().time()
        return now_s if now_s < self._back_s else 0.0


def sendings(others: int = 2, back_s: float = HOUR_S) -> list[float]:
    """When players were sent away within an hour, in seconds since the database was lost."""
    sent = list[float]()

    class Noted(Stranded):
        def _send_on(self) -> None:
            sent.append(asyncio.get_running_loop().time())

    async def scene() -> None:
        directory: Any = Away(others, back_s)
        peers: Any = SimpleNamespace(admitted=set())
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(HOUR_S):
                await Noted(directory, peers, LEASE_S).run()

    jumping_clock.run(scene())
    return sent


def goes_in_no_circles(sent: list[float]) -> None:
    first, *later = sent
    assert LEASES * LEASE_S <= first <= LEASES * LEASE_S + 2 * LOOK_S
    assert len(later) >= 3
    for one, another in zip(sent, later, strict=False):
        assert another >= 2 * one


def test_each_time_they_stay_twice_as_long() -> None:
    goes_in_no_circles(sendings())


def test_ever_the_same_pause_is_caught() -> None:
    same = [LEASES * LEASE_S * number for number in range(1, 9)]
    with pytest.raises(AssertionError):
        goes_in_no_circles(same)


def test_nobody_is_sent_away_where_there_is_no_other_node() -> None:
    assert sendings(others=0) == []


def test_a_short_outage_sends_nobody_away() -> None:
    assert sendings(back_s=LEASES * LEASE_S - LOOK_S) == []
