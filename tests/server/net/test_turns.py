"""However much is asked at once, a match goes on in between: told by counting, not by the clock."""

import asyncio
import time
from collections.abc import Callable

import pytest

from server.net import turns as turns_module
from server.net.turns import Turns

WISHES = 300
STEPS_OF_A_MOVE = 5


def take_a_tenth_of_the_share() -> None:
    until_s = time.perf_counter() + 0.0001
    while time.perf_counter() < until_s:
        pass


class Peer:
    """Asks for much; each wish takes a tenth of a turn's share."""

    def __init__(self, turns: Turns, wishes: int, served: list["Peer"]) -> None:
        self._turns = turns
        self._wishes = wishes
        self._served = served

    def serve(self) -> None:
        while self._wishes:
            if self._turns.spent():
                self._turns.later(self.serve)
                return
            take_a_tenth_of_the_share()
            self._wishes -= 1
            self._served.append(self)


async def served_during_a_move(served: list[Peer], *peers: Peer) -> int:
    """How many wishes are served from a move's arrival to its end, some turns later."""
    done = asyncio.get_running_loop().create_future()

    def step(left: int) -> None:
        if left:
            asyncio.get_running_loop().call_soon(step, left - 1)
        else:
            done.set_result(len(served))

    for peer in peers:
        peer.serve()
    step(STEPS_OF_A_MOVE)
    return int(await done)


async def all_of(served: list[Peer], count: int) -> None:
    while len(served) < count:  # noqa: ASYNC110  (turns of the loop are what is waited for)
        await asyncio.sleep(0)


async def test_a_move_waits_for_its_share_of_the_wishes_only() -> None:
    turns, served = Turns(), list[Peer]()
    peers = [Peer(turns, WISHES // 3, served) for _ in range(3)]
    assert await served_during_a_move(served, *peers) <= 10 * (STEPS_OF_A_MOVE + 2)
    await all_of(served, WISHES)


async def test_a_server_that_serves_all_that_comes_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turns_module, "SHARE_S", 1e9)
    turns, served = Turns(), list[Peer]()
    assert await served_during_a_move(served, Peer(turns, WISHES, served)) == WISHES


async def test_who_waits_comes_before_who_comes_later_and_in_order() -> None:
    turns, order = Turns(), list[str]()

    def wish(name: str) -> Callable[[], None]:
        def serve() -> None:
            if turns.spent():
                turns.later(serve)
            else:
                order.append(name)

        return serve

    while not turns.spent():
        pass
    for name in ("first", "second", "third"):
        wish(name)()
    assert order == []
    asyncio.get_running_loop().call_soon(wish("late"))
    while len(order) < 4:  # noqa: ASYNC110  (as above)
        await asyncio.sleep(0)
    assert order == ["first", "second", "third", "late"]
