"""What a server keeps of a client's identity, and that nobody else ever sees any of it."""

import base64
from hashlib import sha256
from random import Random

import pytest
import structlog
from msgspec import Struct, msgpack

from protocol.codec import encode
from protocol.errors import GoodbyeCode
from protocol.framing import frame
from protocol.from_client import IDENTITY_BYTES, Join, Kick, Leave, ListTables, Say, Watch
from protocol.from_server import AtTable, Notice
from protocol.version import MAGIC
from server.logs.marks import identity_mark
from server.net.session import Session
from tests.stage.house import READY, START, House, Peer, house
from tests.stage.own_log import own_log

ANNS = bytes(range(100, 100 + IDENTITY_BYTES))
BENS = bytes(range(140, 140 + IDENTITY_BYTES))


def traces_of(identity: bytes) -> list[bytes]:
    """All by which somebody could recognise it."""
    both = (identity, sha256(identity).digest())
    return [
        trace
        for one in both
        for trace in (one, one[:8], one.hex()[:16].encode(), base64.b64encode(one)[:12])
    ]


def told_to(*peers: Peer) -> bytes:
    return b"".join(encode(message) for peer in peers for message in peer.seen)


async def evening(at: House) -> tuple[Peer, Peer, Peer]:
    """A table with a watcher, a chat, a match, a broken wire, a kick and a dropped line."""
    ann = await at.peer("Ann", identity=ANNS)
    ben = await at.peer("Ben", identity=BENS)
    cia = await at.peer("Cia")
    code = await ann.create(seats=2)
    await cia.request(ListTables(id=0))
    await ben.done(Join(id=0, table=code))
    await cia.done(Watch(id=0, table=code))
    await ben.done(Say(id=0, text="hello"))
    await ben.done(READY)
    await ann.done(START)
    await ann.play(Random(1), ply=0)
    await ann.refused(Join(id=0, table=code))
    await ann.done(Kick(id=0, name="Ben"))
    await ann.done(Leave(id=0))
    for peer in (ann, ben, cia):
        peer.write(frame(b"\x80"))
        await peer.goodbye()
    return ann, ben, cia


async def test_nobody_is_told_of_it_and_no_log_has_it() -> None:
    with own_log("debug") as log:
        async with house() as at:
            heard = told_to(*await evening(at))
        logged = log.told()
    told = heard + logged.encode()
    assert b"Ben" in heard and "broken wire" in logged
    for event in ("came", "gone", "table made", "kicked from a table", "match begins", "asked"):
        assert f'"event": "{event}"' in logged
    assert identity_mark(sha256(ANNS).digest()) in logged
    assert "hello" not in logged.replace('"what": "hello"', ""), "what is said stays at the table"
    for identity in (ANNS, BENS):
        assert not [trace for trace in traces_of(identity) if trace in told]


@pytest.mark.parametrize("leak", ["message", "log"])
async def test_a_leak_would_be_found(monkeypatch: pytest.MonkeyPatch, leak: str) -> None:
    """A control: the same evening on servers that tell."""
    send = Session.send

    def tells(session: Session, message: Struct) -> None:
        if isinstance(message, AtTable) and leak == "message":
            send(session, Notice("joined", {"name": session.identity.hex()}))
        elif isinstance(message, AtTable):
            structlog.get_logger().info("sent", to=session.identity.hex())
        send(session, message)

    monkeypatch.setattr(Session, "send", tells)
    with own_log("debug") as log:
        async with house() as at:
            heard = told_to(*await evening(at))
        told = heard + log.told().encode()
    assert [trace for trace in traces_of(ANNS) if trace in told]


async def test_the_server_keeps_a_hash_of_it() -> None:
    async with house() as at:
        ann, cia = await at.peer("Ann", identity=ANNS), await at.peer("Cia")
        kept = {session.name: session.identity for session in at.server.peers.admitted}
        assert kept == {"Ann": sha256(ANNS).digest(), "Cia": b""}
        for peer in (ann, cia):  # who has none is served as everybody is
            await peer.create()


@pytest.mark.parametrize("wrong", [b"", bytes(31), bytes(33), "x" * 32, 7])
async def test_one_of_another_length_or_kind_is_malformed(wrong: object) -> None:
    async with house() as at:
        peer = await at.dial()
        hello = {"type": "hello", "magic": MAGIC, "versions": [1], "name": "Eve"}
        peer.write(frame(msgpack.encode({**hello, "identity": wrong})))
        assert (await peer.goodbye()).code == GoodbyeCode.MALFORMED
