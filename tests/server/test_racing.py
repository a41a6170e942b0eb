"""Who is measured, how often, and by what: through real sessions, on a clock that jumps."""

import asyncio
from typing import Any

import pytest

from protocol.codec import encode_frame
from protocol.from_client import CreateTable, Leave, Pong
from protocol.from_server import Ping
from server.config import Limits
from server.context import Context
from server.games.registry import GAMES
from server.session import Session
from tests.server.test_pace import Line, lists, play, swept

CLOCKTOWERS = "clocktowers"


class _Racing:
    """The rules of a game that is said to be a race."""

    races = True

    def __init__(self, rules: Any) -> None:
        self._rules = rules

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)


@pytest.fixture
def race(monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAMES[CLOCKTOWERS]
    monkeypatch.setitem(GAMES, CLOCKTOWERS, game._replace(rules=_Racing(game.rules)))


def sits_down(session: Session) -> None:
    session.data_received(encode_frame(CreateTable(id=0, game=CLOCKTOWERS, seats=2)))


def pings(line: Line) -> list[int]:
    return [message.n for message in line.heard if isinstance(message, Ping)]


def pong(session: Session, number: int) -> None:
    session.data_received(encode_frame(Pong(number)))


@pytest.mark.usefixtures("race")
def test_who_sits_at_a_race_is_pinged_every_second_and_nobody_else() -> None:
    async def scene(session: Session, line: Line, context: Context) -> None:
        await swept(session, 5)
        assert pings(line) == []
        sits_down(session)
        await swept(session, 5)
        await asyncio.sleep(0)  # written at the end of a turn
        assert pings(line) == [1, 2, 3, 4, 5]
        session.data_received(encode_frame(Leave(id=1)))
        await swept(session, 5)
        assert len(pings(line)) == 5

    play(scene)


def test_at_other_tables_it_is_as_ever() -> None:
    async def scene(session: Session, line: Line, context: Context) -> None:
        sits_down(session)
        await swept(session, 15)
        assert pings(line) == []

    play(scene)


def test_an_answer_is_timed_when_it_arrives_however_long_it_waits() -> None:
    async def scene(session: Session, line: Line, context: Context) -> None:
        session.measure()
        await asyncio.sleep(0.0605)
        # More than a burst before the pong: it is served seconds later.
        session.data_received(lists(1, 80) + encode_frame(Pong(1)))
        assert session.lag_ms() == 0
        await asyncio.sleep(10)
        assert session.lag_ms() == 30

    play(scene)


def test_the_cap_is_the_servers() -> None:
    async def scene(session: Session, line: Line, context: Context) -> None:
        session.measure()
        await asyncio.sleep(3)
        pong(session, 1)
        assert session.lag_ms() == 70

    play(scene, Limits(lag_ms=70))
