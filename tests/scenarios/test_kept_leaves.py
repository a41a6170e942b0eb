"""A player who left or was kicked is gone also when the server is killed at the very answer."""

import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

import pytest
from msgspec import structs

from protocol.from_client import Join, Kick, Leave, Resume
from protocol.from_server import Done, Refused, SeatToken, Started, Update
from protocol.refusal import RefusalCode
from tests.stage.house import READY, START, Peer
from tests.stage.processes import Process, started
from tests.stage.siege import PATIENT
from tests.stage.slow_disk import SLOW

SERVE = ("serve", "--host", "127.0.0.1", "--port", "0")
BEN = b"b" * 32


async def seated(server: Process) -> tuple[Peer, Peer, str]:
    """Two people at a table whose host may begin."""
    ann, ben = await server.peer("Ann"), await server.peer("Ben", identity=BEN)
    code = await ann.create(seats=2, options={"first_seat": 0})
    await ben.done(Join(id=0, table=code))
    await ben.done(READY)
    return ann, ben, code


async def leaves(_ann: Peer, ben: Peer) -> None:
    await ben.done(Leave(id=0))


async def is_kicked(ann: Peer, _ben: Peer) -> None:
    await ann.done(Kick(id=0, name="Ben"))


async def is_kicked_while_gone(ann: Peer, ben: Peer) -> None:
    ben.abort()
    await ann.answered()
    await ann.done(Kick(id=0, name="Ben"))


@pytest.mark.parametrize("goes", [leaves, is_kicked, is_kicked_while_gone])
async def test_in_a_match(tmp_path: Path, goes: Callable[[Peer, Peer], Awaitable[None]]) -> None:
    async with started(tmp_path, *SERVE, env=PATIENT, program=SLOW) as server:
        await server.listens()
        ann, ben, code = await seated(server)
        await ann.done(START)
        token = await ben.until(SeatToken)
        await ben.until(Update)
        await ann.play(Random(1), 1)
        await goes(ann, ben)
        server.signal(signal.SIGKILL)
        await server.ends()
    async with started(tmp_path, *SERVE, env=PATIENT) as server:
        await server.listens()
        again = await server.peer("Ben", identity=BEN)
        refused = await again.refused(Resume(id=0, match=token.match, token=token.token))
        assert refused.code == RefusalCode.BAD_TOKEN
        refused = await again.refused(Join(id=0, table=code, seat=1))
        assert refused.code == RefusalCode.MATCH_RUNNING


async def test_between_the_start_and_its_started(tmp_path: Path) -> None:
    """The answer comes when the journal has the match and the leave; nothing of the match is sent
    to the player who left, and the seat is nobody's."""
    async with started(tmp_path, *SERVE, env=PATIENT, program=SLOW) as server:
        await server.listens()
        ann, ben, code = await seated(server)
        ann.send(structs.replace(START, id=90))
        await ann.answered()
        await ben.done(Leave(id=0))
        assert isinstance(await ann.answer(90), Done)
        assert any(isinstance(message, SeatToken) for message in ann.seen)
        await ben.answered()
        assert not any(isinstance(message, Started | SeatToken) for message in ben.seen)
        server.signal(signal.SIGKILL)
        await server.ends()
    async with started(tmp_path, *SERVE, env=PATIENT) as server:
        await server.listens()
        again = await server.peer("Ben", identity=BEN)
        answer = await again.request(Join(id=0, table=code, seat=1))
        assert isinstance(answer, Refused) or not (isinstance(answer, Done) and answer.name)
