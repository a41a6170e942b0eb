"""The short way of a move gives the same bytes and the same journal as the long, or declines."""

import sys
from contextlib import suppress
from typing import Any

import pytest
from msgspec import DecodeError

from protocol.acting import _decoder
from protocol.clock import Bank, PerTurn
from protocol.framing import FrameDecoder
from protocol.from_client import Act
from server import server as server_module
from server.net.lane import lane
from server.net.pace import Pace
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


def first_frame(decoder: FrameDecoder, data: bytes) -> bytes:
    return data[4 : 4 + int.from_bytes(data[:4], "big")]


def whatever_is_left_over(payload: bytes, action: Any) -> Act | None:
    with suppress(DecodeError):
        return _decoder(action).decode(payload)
    return None


def always(*_: Any) -> bool:
    return True


FAULTS: dict[str, tuple[Any, str, Any]] = {
    "takes the first frame for everything that came": (FrameDecoder, "whole", first_frame),
    "reads over what an action has no place for": (
        sys.modules["server.net.lane"],
        "read_act",
        whatever_is_left_over,
    ),
    "lets every action pass free": (Pace, "passes", always),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_lane_with_a_fault_is_found_out(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = EVENINGS["two"]
    long = the_long_way(evening, monkeypatch)
    monkeypatch.setattr(*FAULTS[fault])
    short = spend(evening, monkeypatch)
    assert (short.kept, short.sent) != (long.kept, long.sent)
