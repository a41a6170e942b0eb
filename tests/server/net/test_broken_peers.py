"""A peer that breaks the wire, and a bug of ours that is met while one peer is looked after:
either costs that peer its connection, and nobody else anything."""

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from msgspec import msgpack
from structlog.testing import capture_logs

from protocol import from_client as client
from protocol.codec import encode_frame, frame
from protocol.errors import GoodbyeCode
from protocol.from_server import Ended, Goodbye, ServerPong
from protocol.ids import MAGIC
from server.net import peers as peers_module
from server.net.callers import Addresses
from server.net.session import Session
from server.net.spectating import Unshown
from server.tables.presence import Presence
from tests.stage.house import CLOSING, House, eventually, house, seated_pair

# Who breaks the wire -----------------------------------------------------------------------------

HELLO = client.Hello(magic=MAGIC, versions=[1], name="Eve")


def of_type(name: str, /, **fields: Any) -> bytes:
    return frame(msgpack.encode({"type": name, **fields}))


BEFORE_HELLO = [
    ("TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", GoodbyeCode.FRAME_TOO_LONG),
    ("garbage", frame(b"\xc1\xc1\xc1"), GoodbyeCode.MALFORMED),
    ("no magic", of_type("hello", versions=[1], name="x"), GoodbyeCode.MALFORMED),
    ("an unknown type", of_type("dance"), GoodbyeCode.UNKNOWN_TYPE),
    ("a server's word", of_type("welcome", version=1, name="x"), GoodbyeCode.UNKNOWN_TYPE),
]
AFTER_HELLO = [
    ("a second hello", encode_frame(HELLO), GoodbyeCode.NOT_ALLOWED),
    ("an unknown type", of_type("dance", id=1), GoodbyeCode.UNKNOWN_TYPE),
    ("an unknown field", of_type("list", id=1, colour="red"), GoodbyeCode.MALFORMED),
    ("a page out of reach", of_type("list", id=1, page=10_001), GoodbyeCode.MALFORMED),
    ("garbage", frame(bytes(range(256))), GoodbyeCode.MALFORMED),
    (
        "a long option",
        of_type("create", id=1, game="clocktowers", seats=2, options={"x": [0] * 3000}),
        GoodbyeCode.MALFORMED,
    ),
]


def named(cases: list[tuple[str, bytes, GoodbyeCode]]) -> Callable[[Any], Any]:
    return pytest.mark.parametrize(
        ("sent", "code"), [case[1:] for case in cases], ids=[case[0] for case in cases]
    )


@named(BEFORE_HELLO)
async def test_who_breaks_the_wire_before_hello_is_told_how(sent: bytes, code: GoodbyeCode) -> None:
    async with house() as at:
        peer = await at.dial()
        peer.write(sent)
        assert (await peer.goodbye()).code == code
        await eventually(lambda: not at.server.peers.connected)


@named(AFTER_HELLO)
async def test_who_breaks_the_wire_after_hello_is_told_how(sent: bytes, code: GoodbyeCode) -> None:
    async with house() as at:
        peer = await at.peer("Eve")
        code_there = await peer.create()
        peer.write(sent)
        assert (await peer.goodbye()).code == code
        await eventually(lambda: not at.server.peers.connected)
        assert code_there not in at.server.lobby.tables
        assert not at.server.names._uses


async def test_nothing_after_a_broken_frame_is_served() -> None:
    async with house() as at:
        peer = await at.peer("Eve")
        create = of_type("create", id=1, game="clocktowers", seats=2)
        peer.write(of_type("dance") + create)
        assert (await peer.goodbye()).code == GoodbyeCode.UNKNOWN_TYPE
        assert not at.server.lobby.tables


# Garbage -----------------------------------------------------------------------------------------

CONVERSATION = b"".join(
    encode_frame(message)
    for message in (
        HELLO,
        client.ListTables(id=1),
        client.CreateTable(id=2, game="clocktowers", seats=2, bots=[client.BotSeat(1, "random")]),
        client.Start(id=3),
        client.Act(id=4, version=0, key=b"k", action=["draw", 0]),
        client.TakeBack(id=5, version=0, key=b"l"),
        client.Ping(6),
        client.Leave(id=7),
        client.Bye(),
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


async def test_garbage_after_every_byte_of_a_conversation_harms_nobody() -> None:
    async with house(limits=CLOSING) as at:
        ann, ben, code = await seated_pair(at)
        playing = [asyncio.create_task(one.play(Random(3))) for one in (ann, ben)]
        rng, codes = Random(1), set[str | None]()
        with capture_logs() as logs:
            # The first byte says which door a caller wants; behind this one a hello is expected.
            for length in range(1, len(CONVERSATION) + 1):
                codes.add(await broken_off(at, length, rng))
        assert codes <= EXPECTED
        assert len(codes) >= 4
        assert not [log for log in logs if log["log_level"] == "error"]
        for result in await asyncio.gather(*playing):
            assert isinstance(result, Ended)
        await eventually(lambda: set(at.server.lobby.tables) == {code})
        await eventually(lambda: len(at.server.peers.connected) == 2)
        assert sorted(at.server.names._uses) == ["ann", "ben"]


# Bugs of ours ------------------------------------------------------------------------------------


def planted(*_args: Any, **_named: Any) -> None:
    raise ZeroDivisionError("a planted bug")


class Failing:
    """A transport of which one method fails."""

    def __init__(self, transport: Any, method: str) -> None:
        self._transport = transport
        self._method = method

    def __getattr__(self, name: str) -> Any:
        return planted if name == self._method else getattr(self._transport, name)


@pytest.mark.parametrize("where", ["check", "write", "get_write_buffer_size"])
async def test_the_peer_goes_and_the_others_play_on(
    monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    monkeypatch.setattr(peers_module, "SWEEP_S", 0.01)
    async with house() as at:
        ann, ben, _code = await seated_pair(at)
        eve = await at.peer("Eve")
        theirs = at.session("Eve")
        with capture_logs() as logs:
            if where == "check":
                check = Session.check
                monkeypatch.setattr(
                    Session, "check", lambda s, now: (planted if s is theirs else check)(s, now)
                )
            else:
                theirs.transport = Failing(theirs.transport, where)  # type: ignore[assignment]
                theirs.slow = True
                eve.send(client.Ping())
            await eve.closed()
            for result in await asyncio.gather(ann.play(Random(3)), ben.play(Random(4))):
                assert isinstance(result, Ended) and not result.aborted
        assert [log["name"] for log in logs if log["log_level"] == "error"] == ["Eve"]
        assert theirs not in at.server.peers.connected and not at.server.names._uses["eve"]
        await (await at.peer("Eve")).close()


async def test_who_cannot_be_taken_from_a_table_is_gone_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The line, the name and the place among the connections are free, and the socket is closed."""
    async with house() as at:
        ann, eve = await at.peer("Ann"), await at.peer("Eve")
        await eve.create(seats=2)
        monkeypatch.setattr(Presence, "await_anybody", planted)
        with capture_logs() as logs:
            eve.write(encode_frame(client.ListTables(id=-1)))
            await eve.goodbye()
        assert [log["name"] for log in logs if log["log_level"] == "error"] == ["Eve"]
        await eventually(lambda: len(at.server.peers.connected) == 1)
        assert not at.server.names._uses["eve"]
        ann.send(client.Ping(7))
        assert (await ann.until(ServerPong)).n == 7


async def test_who_cannot_be_told_that_the_server_stops_is_in_nobodys_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    part, failed = Session.part, list[str]()

    def fails_once(session: Session) -> None:
        if not failed:
            failed.append(session.name)
            planted()
        part(session)

    async with house() as at:
        peers = [await at.peer(name) for name in ("Ann", "Ben", "Eve")]
        monkeypatch.setattr(Session, "part", fails_once)
    assert failed
    for peer in peers:
        await peer.closed()
        told = any(isinstance(message, Goodbye) for message in peer.seen)
        assert told == (peer.name not in failed)


@pytest.mark.parametrize("callback", ["connection_made", "resume_writing", "_serve_rest"])
async def test_a_bug_in_a_callback_of_the_loop_closes_the_connection_at_once(
    monkeypatch: pytest.MonkeyPatch, callback: str
) -> None:
    """The loop itself would only log it and leave the connection half alive."""
    async with house() as at:
        ann, eve = await at.peer("Ann"), await at.peer("Eve")
        theirs = at.session("Eve")
        monkeypatch.setattr(Unshown, "take", planted)
        theirs._unshown = Unshown()
        if callback == "connection_made":
            monkeypatch.setattr(Addresses, "admit", planted)
            await eve.close()
            eve = await at.dial()
            eve.say_hello("Eve")  # its first byte chooses the door
        else:
            theirs.transport = Failing(theirs.transport, "resume_reading")  # type: ignore[assignment]
            getattr(theirs, callback)()
        await eve.closed()
        await eventually(lambda: len(at.server.peers.connected) == 1)
        ann.send(client.Ping(7))
        assert (await ann.until(ServerPong)).n == 7
