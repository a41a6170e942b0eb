"""A bug that is met while one peer is looked after costs that peer its connection, nobody else
anything: errors are planted in one session, wherever the server touches one by itself."""

import asyncio
from random import Random
from typing import Any

import pytest
from structlog.testing import capture_logs

from protocol.codec import encode_frame
from protocol.from_client import ListTables, Ping
from protocol.from_server import Ended, Goodbye, Pong
from server.net import peers as peers_module
from server.net.addresses import Addresses
from server.net.session import Session
from server.net.spectating import Spectating
from tests.stage.house import House, Peer, eventually, house, seated_pair


def planted(*_args: Any, **_named: Any) -> None:
    raise ZeroDivisionError("a planted bug")


def session_of(at: House, name: str) -> Session:
    (session,) = (one for one in at.server.peers.admitted if one.name == name)
    return session


async def others_play_on(ann: Peer, ben: Peer) -> None:
    for result in await asyncio.gather(ann.play(Random(3)), ben.play(Random(4))):
        assert isinstance(result, Ended) and not result.aborted


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
        theirs = session_of(at, "Eve")
        with capture_logs() as logs:
            if where == "check":
                check = Session.check
                monkeypatch.setattr(
                    Session, "check", lambda s, now: (planted if s is theirs else check)(s, now)
                )
            else:
                theirs._line.transport = Failing(theirs._line.transport, where)  # type: ignore[assignment]
                theirs._line.spectating.slow = True
                eve.send(Ping())
            await eve.closed()
            await others_play_on(ann, ben)
        assert [log["name"] for log in logs if log["log_level"] == "error"] == ["Eve"]
        assert theirs not in at.server.peers.connected and not at.server.names._held["eve"]
        await (await at.peer("Eve")).close()


async def test_who_cannot_be_taken_from_a_table_is_gone_all_the_same() -> None:
    """The line, the name and the place among the connections are free, and the socket is closed."""
    async with house() as at:
        ann, eve = await at.peer("Ann"), await at.peer("Eve")
        code = await eve.create(seats=2)
        at.table(code).presence.drop = planted  # type: ignore[method-assign]
        with capture_logs() as logs:
            eve.write(encode_frame(ListTables(id=-1)))
            await eve.goodbye()
        assert [log["name"] for log in logs if log["log_level"] == "error"] == ["Eve"]
        await eventually(lambda: len(at.server.peers.connected) == 1)
        assert not at.server.names._held["eve"]
        ann.send(Ping(7))
        assert (await ann.until(Pong)).n == 7


async def test_who_cannot_be_told_that_the_server_stops_is_in_nobodys_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    goodbye, failed = Session.goodbye, list[str]()

    def fails_once(session: Session, *args: Any, **params: Any) -> None:
        if not failed:
            failed.append(session.name)
            planted()
        goodbye(session, *args, **params)

    async with house() as at:
        peers = [await at.peer(name) for name in ("Ann", "Ben", "Eve")]
        monkeypatch.setattr(Session, "goodbye", fails_once)
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
        theirs = session_of(at, "Eve")
        monkeypatch.setattr(Spectating, "drained", planted)
        if callback == "connection_made":
            monkeypatch.setattr(Addresses, "admit", planted)
            await eve.close()
            eve = await at.dial()
        else:
            theirs._line.transport = Failing(theirs._line.transport, "resume_reading")  # type: ignore[assignment]
            getattr(theirs, callback)()
        await eve.closed()
        await eventually(lambda: len(at.server.peers.connected) == 1)
        ann.send(Ping(7))
        assert (await ann.until(Pong)).n == 7
