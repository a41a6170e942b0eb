"""Whose lines are measured, how often, and by what: real sessions, on a clock that jumps."""

import asyncio
from typing import Any

import pytest

from protocol.codec import encode_frame
from protocol.from_client import Act, BotSeat, CreateTable, Leave, Pong, SetBot, Start
from protocol.from_server import Done, Ping
from protocol.games.registry import GAMES as VOCABULARIES
from server.config import Limits
from server.games.registry import GAMES
from server.net.session import Session
from server.server import Server
from tests.server.net.test_pace import BURST, Line, lists, play, swept
from tests.server.recording.test_bot_matches import COUNTDOWN
from tests.stage.countdown_game import VOCABULARY, Press
from tests.stage.house import HomeBrains

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
def test_a_player_of_a_race_is_pinged_every_second_and_nobody_else() -> None:
    async def scene(session: Session, line: Line, server: Server) -> None:
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


@pytest.mark.usefixtures("race")
def test_whether_somebody_is_measured_can_be_asked_without_measuring() -> None:
    async def scene(session: Session, line: Line, server: Server) -> None:
        sits_down(session)
        table = session.at_table()
        assert table is not None and table.measures(session)
        await asyncio.sleep(0.1)
        assert pings(line) == []
        session.data_received(encode_frame(SetBot(id=1, seat=1, level="easy")))
        session.data_received(encode_frame(Start(id=2)))
        await asyncio.sleep(0.1)
        assert pings(line) == [1], "the match asks at once"

    play(scene)


def test_at_other_tables_it_is_as_ever() -> None:
    async def scene(session: Session, line: Line, server: Server) -> None:
        sits_down(session)
        await swept(session, 15)
        assert pings(line) == []

    play(scene)


def test_an_answer_is_timed_when_it_arrives_however_long_it_waits() -> None:
    async def scene(session: Session, line: Line, server: Server) -> None:
        session.measure()
        await asyncio.sleep(0.0605)
        # More than a burst before the pong: it is served seconds later.
        session.data_received(lists(1, 80) + encode_frame(Pong(1)))
        assert session.lag_ms() == 0
        await asyncio.sleep(10)
        assert session.lag_ms() == 30

    play(scene)


def test_an_answer_to_a_ping_that_was_not_sent_does_not_count() -> None:
    """The numbers of pings are easily guessed, and what comes too fast waits here."""

    async def scene(session: Session, line: Line, server: Server) -> None:
        session.data_received(lists(1, 80) + encode_frame(Pong(1)))
        await asyncio.sleep(1)
        session.measure()
        await asyncio.sleep(10)
        assert session.lag_ms() == 0

    play(scene)


def test_the_cap_is_the_servers() -> None:
    async def scene(session: Session, line: Line, server: Server) -> None:
        session.measure()
        await asyncio.sleep(3)
        pong(session, 1)
        assert session.lag_ms() == 70

    play(scene, Limits(lag_ms=70))


def test_an_action_that_knows_not_the_newest_version_is_not_held_in_a_race(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Others have acted since, and a seat is told of what concerns it and of nothing else."""
    monkeypatch.setitem(VOCABULARIES, COUNTDOWN.rules.id, VOCABULARY)
    monkeypatch.setitem(GAMES, COUNTDOWN.rules.id, COUNTDOWN)

    async def scene(session: Session, line: Line, server: Server) -> None:
        server.runner.brains = HomeBrains()
        table = CreateTable(
            id=0,
            game=COUNTDOWN.rules.id,
            seats=2,
            bots=[BotSeat(1, "numb")],
            options={"light_ms": 5000},
        )
        session.data_received(encode_frame(table) + encode_frame(Start(id=1)))
        await asyncio.sleep(6)
        at_table = session.at_table()
        assert at_table is not None and at_table.match is not None
        assert at_table.match.version == 1, "a light is on"
        for first in range(10, 10 + BURST, 8):  # everything that it may ask for at once
            session.data_received(lists(first, first + 7))
            await asyncio.sleep(0)
        assert len(line.answers()) == BURST
        press = Act(id=99, version=0, key=b"k", action=Press())
        session.data_received(encode_frame(press))
        for _ in range(10):
            await asyncio.sleep(0)  # no time goes by
        assert [m.version for m in line.heard if isinstance(m, Done) and m.id == 99] == [2]

    play(scene)
