"""Whole matches in plain mode, through a pipe, over a real server."""

import asyncio
from random import Random

import pytest

from clocktowers_tui.text import i18n
from protocol.from_client import Join
from protocol.from_server import Ended
from protocol.games.registry import GAMES
from tests.stage.house import READY, house
from tests.stage.typist import typing, visit

LANGUAGES = ("en", "it", "ru", "nl")
TABLES = {"wild_wild_pattern": ("--seats 1 --preset practice", "hard")}
"""A race's bots take their time, and a player who misses every pattern plays twenty rounds."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", list(GAMES))
async def test_a_whole_match(game: str, language: str) -> None:
    i18n.speak(language)
    async with house() as at, typing(visit(at)) as typist:
        flags, level = TABLES.get(game, ("--seats 2 --bots 1 --level random", "random"))
        typist.type(f"new {game} {flags}", "start")
        await typist.plays_to_the_end(Random(7), level)
        await typist.types("result", "Ann")
        assert typist.client.state.match is not None and typist.client.state.match.over
        assert not typist.client.undone


@pytest.mark.parametrize("game", ["clocktowers", "architetti_attenti"])
async def test_against_another_client(game: str) -> None:
    async with house() as at, typing(visit(at)) as typist:
        await typist.types(f"new {game}", "Table ")
        assert typist.client.state.table is not None
        code = typist.client.state.table.info.table
        ben = await at.peer("Ben")
        ben.game = game
        await ben.done(Join(id=0, table=code))
        await typist.hears("Ben, not ready")
        await ben.done(READY)
        await typist.hears("Ben, ready")
        typist.type("start")

        ended, _ = await asyncio.gather(ben.play(Random(1)), typist.plays_to_the_end(Random(2)))
        assert isinstance(ended, Ended)
        assert any(line.startswith("Ben ") for line in typist.lines)
