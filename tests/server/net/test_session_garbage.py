"""A real conversation, broken off at every byte and followed by garbage: it costs the one who sends
it, and nobody else anything."""

import asyncio
from random import Random

import pytest
from structlog.testing import capture_logs

from protocol.codec import encode_frame
from protocol.errors import GoodbyeCode
from protocol.from_client import (
    Act,
    BotSeat,
    Bye,
    CreateTable,
    Hello,
    Leave,
    ListTables,
    Ping,
    Start,
    TakeBack,
)
from protocol.from_server import Ended, Goodbye
from protocol.version import MAGIC
from server.net import session
from tests.stage.house import CLOSING, House, eventually, house, seated_pair

HELLO = Hello(magic=MAGIC, versions=[1], name="Eve")
CONVERSATION = b"".join(
    encode_frame(message)
    for message in (
        HELLO,
        ListTables(id=1),
        CreateTable(id=2, game="clocktowers", seats=2, bots=[BotSeat(1, "random")]),
        Start(id=3),
        Act(id=4, version=0, key=b"k", action=["draw", 0]),
        TakeBack(id=5, version=0, key=b"l"),
        Ping(6),
        Leave(id=7),
        Bye(),
    )
)
GARBAGE_BYTES = 24
EXPECTED = {
    None,  # what has come may begin a frame that goes on
    GoodbyeCode.NOT_HELLO,
    GoodbyeCode.BAD_NAME,
    GoodbyeCode.VERSION,
    GoodbyeCode.FRAME_TOO_LONG,
    GoodbyeCode.MALFORMED,
    GoodbyeCode.UNKNOWN_TYPE,
    GoodbyeCode.NOT_ALLOWED,
}


async def broken_off(at: House, length: int, rng: Random) -> str | None:
    """The code of the goodbye that was said to it; None: the line was closed without one."""
    peer = await at.dial()
    peer.worded(HELLO)  # so that it understands what is said after a hello
    peer.write(CONVERSATION[:length] + rng.randbytes(GARBAGE_BYTES))
    peer.end()
    await peer.closed()
    peer.abort()
    words = [message.code for message in peer.seen if isinstance(message, Goodbye)]
    return words[-1] if words else None


async def all_broken_off(at: House, step: int = 1) -> set[str | None]:
    rng = Random(13)
    codes: set[str | None] = set()
    # The first byte says which door a caller wants; behind this one a hello is expected.
    for length in range(1, len(CONVERSATION) + 1, step):
        codes.add(await broken_off(at, length, rng))
    return codes


async def test_garbage_after_every_byte_of_a_conversation_harms_nobody() -> None:
    async with house(limits=CLOSING) as at:
        ann, ben, code = await seated_pair(at)
        playing = [asyncio.create_task(one.play(Random(3))) for one in (ann, ben)]
        with capture_logs() as logs:
            codes = await all_broken_off(at)
        assert codes <= EXPECTED
        assert len(codes) >= 4
        assert not [log for log in logs if log["log_level"] == "error"]
        for result in await asyncio.gather(*playing):
            assert isinstance(result, Ended)
        await eventually(lambda: set(at.server.lobby.tables) == {code})
        await eventually(lambda: len(at.server.peers.connected) == 2)
        assert sorted(at.server.names._held) == ["ann", "ben"]
        for peer in (ann, ben):
            await peer.close()


async def test_a_server_that_takes_garbage_for_a_bug_of_its_own_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Unheard(Exception):
        pass

    monkeypatch.setattr(session, "RemoteProtocolError", Unheard)
    async with house() as at:
        with capture_logs() as logs:
            await all_broken_off(at, step=40)
        assert [log for log in logs if log["log_level"] == "error"]
