"""A real server is killed or stopped in the middle of matches and started again: all is as it
was."""

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from protocol.from_client import Resume
from protocol.from_server import Ended, History, Notice, NoticeCode, SeatToken, Update
from server.games.registry import GAMES
from tests.stage.house import House, Peer, begin, read_view
from tests.stage.processes import Process, started


class Fortress:
    """A server that is started again and again: same folder, same port."""

    def __init__(self, home: Path, port: int) -> None:
        self._home = home
        self._port = port

    @contextlib.asynccontextmanager
    async def stands(self, *args: str) -> AsyncIterator[Process]:
        here = ("serve", "--host", "127.0.0.1", "--port", str(self._port), "--bot-pace-s", "0")
        async with started(self._home, *here, *args) as server:
            await server.listens()
            yield server


async def falls(server: Process, number: signal.Signals) -> None:
    server.signal(number)
    assert await server.ends() == (0 if number is signal.SIGTERM else -number)


def token_of(peer: Peer) -> SeatToken:
    return [message for message in peer.seen if isinstance(message, SeatToken)][-1]


def newest(peer: Peer) -> Update:
    return [message for message in peer.seen if isinstance(message, Update)][-1]


def events(peer: Peer) -> list[Any]:
    return [e for m in peer.seen if isinstance(m, History | Update) for e in m.events]


async def back(server: Process | House, peer: Peer, version: int | None = None) -> Peer:
    """A new connection that has the peer's seat again."""
    again, token = await server.peer("Somebody"), token_of(peer)
    done = await again.done(Resume(id=0, match=token.match, token=token.token, version=version))
    again.name, again.game = done.name, peer.game
    return again


async def pair(server: Process, game: str = "clocktowers") -> tuple[Peer, Peer]:
    """Two at a table; the match has begun."""
    ann, ben = await server.peer("Ann"), await server.peer("Ben")
    ann.game = ben.game = game
    await begin(ann, ben)
    return ann, ben


TURNS = [name for name, game in GAMES.items() if not game.rules.races]


@pytest.mark.parametrize(
    ("number", "game"),
    [
        *((signal.SIGKILL, game) for game in TURNS),
        (signal.SIGTERM, TURNS[0]),
        *(pytest.param(signal.SIGTERM, game, marks=pytest.mark.soak) for game in TURNS[1:]),
    ],
)
async def test_in_the_middle_of_a_match(
    tmp_path: Path, port: int, number: signal.Signals, game: str
) -> None:
    """The same hands at the same version, told nothing twice; and on to the end. Nine plies are
    four turns and a half, so the tile that was bought is still to be placed."""
    fortress = Fortress(tmp_path, port)
    async with fortress.stands() as server:
        ann, ben = await pair(server, game)
        await asyncio.gather(ann.play(Random(1), 9), ben.play(Random(2), 9))
        assert read_view(newest(ann), game).phase in ("draw", "place")
        await falls(server, number)
        for peer in (ann, ben):
            await peer.closed()
    async with fortress.stands() as server:
        ann2, ben2 = await back(server, ann), await back(server, ben, newest(ben).version)
        assert (ann2.name, ben2.name) == ("Ann", "Ben")
        for before, after in ((ann, ann2), (ben, ben2)):
            update = await after.until(Update)
            after.pending.appendleft(update)
            assert (update.version, update.view) == (newest(before).version, newest(before).view)
            codes = [notice.code for notice in after.seen if isinstance(notice, Notice)]
            assert codes == [NoticeCode.SERVER_CAME_BACK]
        assert events(ann2) == events(ann) and events(ben2) == []
        ends = await asyncio.gather(ann2.play(Random(3)), ben2.play(Random(4)))
        assert all(isinstance(end, Ended) and not end.aborted for end in ends)
        for peer in (ann2, ben2):
            await peer.close()
        await falls(server, signal.SIGTERM)
        assert '"level": "error"' not in await server.errors()
