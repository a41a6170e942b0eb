"""All sessions of a server: thousands are swept, and nobody else waits for that."""

import asyncio
from collections import Counter
from typing import Any

import pytest

from server.config import Limits
from server.net import peers as peers_module
from server.net.peers import Peers


class Swept:
    """A session that notes in which turn of the loop it is looked at."""

    turn = 0

    def __init__(self, seen: list[int]) -> None:
        self._seen = seen

    def check(self, now_s: float) -> None:
        self._seen.append(Swept.turn)


async def most_in_one_turn(sessions: int) -> int:
    """How many of so many sessions are looked at between two turns of everybody else."""
    seen: list[int] = []
    peers: Peers[Any] = Peers(Limits())
    peers.admitted.update(Swept(seen) for _ in range(sessions))
    sweeping = asyncio.create_task(peers.sweep())
    while len(seen) < sessions:
        Swept.turn += 1
        await asyncio.sleep(0)
    sweeping.cancel()
    return max(Counter(seen).values())


async def test_thousands_who_are_let_go_keep_nobody_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(peers_module, "SWEEP_S", 0.001)
    assert await most_in_one_turn(1000) == peers_module.SWEPT_A_TURN
    monkeypatch.setattr(peers_module, "SWEPT_A_TURN", 10**6)
    assert await most_in_one_turn(1000) == 1000
