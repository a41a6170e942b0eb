"""A match begins: everybody's token is out before the answer to `start` and before any history."""

import asyncio
from contextlib import suppress

import pytest

from protocol.games.clocktowers import Options
from protocol.ids import Seat
from server.matches.latecomers import Latecomers
from server.matches.match import Match
from server.matches.match_time import MatchTime
from server.matches.parts import parts_of
from server.matches.replay import new_header
from tests.stage.match_stage import RULES, SEED, Attending, Box, FlakyJournal, until


async def told(journal: FlakyJournal) -> list[str]:
    """What two players, a bot and a watcher are sent, in order, with the answer to `start`."""
    heard: list[str] = []
    header = new_header("clocktowers", RULES, options=Options(), seats=3, seed=SEED, match="m1")
    time = MatchTime(asyncio.get_running_loop().time)
    match = Match(
        parts_of(header, RULES, journal=journal, attendant=Attending(), table="ABCD", time=time)
    )
    match.when_begun(lambda: heard.append("answer"))
    for seat, came_with in enumerate((b"", None, b"")):
        match.attach(Seat(seat), Box(heard.append), came_with=came_with)
    match.attach(None, Box(heard.append))
    task = asyncio.create_task(match.run())
    await until(lambda: heard.count("send Update") == 4)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    return heard


ORDER = [
    *["send Started", "send SeatToken", "send Started", "send Started", "send SeatToken"],
    *["send Started", "answer"],
    *["send History", "send Update"] * 4,
]


async def test_all_tokens_then_the_answer_then_the_histories() -> None:
    assert await told(FlakyJournal()) == ORDER


async def test_the_disk_is_asked_once() -> None:
    """Nothing waits between the tokens and the views: there is no history to load."""
    assert await told(FlakyJournal(load=10**9)) == ORDER


async def test_a_match_that_shows_the_cards_first_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Latecomers, "announce", Latecomers.show)
    monkeypatch.setattr(Latecomers, "show", lambda self, newcomers: None)
    assert await told(FlakyJournal()) != ORDER
