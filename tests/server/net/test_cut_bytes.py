"""However bytes are cut on their way in, the server serves the same at the same time and says the
same: to a peer who asks for much at once, for long things, and for nonsense in the end."""

import asyncio
from random import Random
from typing import Any

import msgspec
import pytest

from protocol.codec import encode_frame
from protocol.from_client import Act, ListTables, Pong, Ready, Say
from tests.server.net.test_pace import SlowTransport, one_session
from tests.stage import jumping_clock

MESSAGES = 80
"""More than may be asked for at once."""


class Clocked(SlowTransport):
    """`told`: what is said to the peer, and when."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[tuple[float, bytes]] = []

    def write(self, data: Any) -> None:
        self.told.append((asyncio.get_running_loop().time(), bytes(data)))


def asked(rng: Random) -> bytes:
    """So many messages, and a last one that breaks the wire."""
    kinds = (
        lambda number: ListTables(id=number),
        lambda number: Ready(id=number),
        lambda number: Say(id=number, text="ж" * rng.randrange(1, 700)),
        lambda number: Act(id=number, version=0, key=rng.randbytes(8), action=("draw", 0)),
        lambda number: Pong(n=number),
    )
    wishes: list[msgspec.Struct] = [rng.choice(kinds)(number) for number in range(MESSAGES)]
    return b"".join(map(encode_frame, wishes)) + b"\0\0\0\1\xc1"


async def told(data: bytes, cuts: list[int]) -> list[tuple[float, bytes]]:
    """Cut there, in one turn of the loop."""
    async with one_session() as on:
        on.session.transport = line = Clocked()
        began_s = on.session.loop.time()
        for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True):
            on.session.data_received(data[start:end])
        await asyncio.sleep(60)
        at: dict[float, bytes] = {}
        for time_s, said in line.told:
            when = round(time_s - began_s, 6)
            at[when] = at.get(when, b"") + said
        return [*at.items()]


@pytest.mark.parametrize("seed", range(6))
def test_how_bytes_are_cut_makes_no_difference(seed: int) -> None:
    rng = Random(seed)
    data = asked(rng)
    whole = jumping_clock.run(told(data, []))
    assert len(whole) > 20, "most of it had to wait"
    assert b"goodbye" in whole[-1][1]
    for pieces in (1, 9, 300):
        cuts = sorted(rng.randrange(len(data)) for _ in range(pieces))
        assert jumping_clock.run(told(data, cuts)) == whole
