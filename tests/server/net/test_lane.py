"""The short way of a move gives the same bytes and the same journal as the long, or declines."""

from typing import Any

import pytest

from protocol.clock import Bank, PerTurn
from server import server as server_module
from server.net.lane import lane
from tests.stage.both_ways import Evening, Told, spend

EVENINGS = {
    "two": Evening("clocktowers"),
    "on a slow disk": Evening("clocktowers", slow=True, seed=1),
    "three and a clock": Evening("clocktowers", 3, clock=PerTurn(10), seed=2),
    "four, open memory": Evening("clocktowers", 4, {"open_memory": "on"}, seed=3),
    "banks on a slow disk": Evening("clocktowers", clock=Bank(60, 2), slow=True, seed=4),
    "against bots": Evening("clocktowers", 3, bots=2, seed=5),
    "tiles": Evening("architetti_attenti", seed=6),
    "tiles and a clock": Evening("architetti_attenti", 3, clock=PerTurn(10), slow=True, seed=7),
    "a race": Evening("wild_wild_pattern", seed=8),
    "a race on a slow disk": Evening("wild_wild_pattern", 3, slow=True, seed=9),
}


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each portion of bytes went the short way."""
    went: list[bool] = []

    def counted(*how: Any) -> bool:
        went.append(lane(*how))
        return went[-1]

    monkeypatch.setattr(server_module, "lane", counted)
    return went


def the_long_way(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> Told:
    with monkeypatch.context() as patch:
        patch.setattr(server_module, "lane", lambda *_: False)
        return spend(evening, monkeypatch)


@pytest.mark.parametrize("name", EVENINGS)
def test_both_ways_give_the_same(
    name: str, monkeypatch: pytest.MonkeyPatch, taken: list[bool]
) -> None:
    short, long = spend(EVENINGS[name], monkeypatch), the_long_way(EVENINGS[name], monkeypatch)
    assert short.kept == long.kept
    assert short.sent == long.sent
    assert short.actions > 20
    assert 10 < sum(taken) < len(taken)
