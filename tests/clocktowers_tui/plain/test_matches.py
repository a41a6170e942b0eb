"""Whole matches in plain mode, through a pipe, over a real server."""

import asyncio
from collections.abc import Iterable, Sequence
from random import Random

import pytest

from clocktowers_tui.games.registry import FACES
from clocktowers_tui.games.spoken import sentence
from clocktowers_tui.phrases.log import log_by_turns
from clocktowers_tui.phrases.names import names_of
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
        match = typist.client.state.match
        assert match is not None and match.over and not typist.client.undone
        shown = log_by_turns(match, FACES[game], names_of(match), typist.client.state.seat)
        assert len(shown) > 20 and not unsaid(typist.lines, filter(None, shown))


def unsaid(lines: Sequence[str], shown: Iterable[str]) -> list[str]:
    """Lines of the screen's log that were not said, in this order."""
    heard = iter(lines)
    return [one for one in shown if sentence(one) not in heard]


def test_a_line_of_the_log_that_is_not_said_would_be_found() -> None:
    assert not unsaid(["You draw a clock.", "Ben passes."], ["You draw a clock", "Ben passes"])
    assert unsaid(["You draw a clock."], ["You draw clock"]) == ["You draw clock"]


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


async def test_what_is_typed_before_the_board_is_there_is_meant_for_the_match() -> None:
    """For somebody who comes back to a seat the table is told first, the board a moment later."""
    async with house() as at:
        async with typing(visit(at)) as typist:
            await typist.types("new clocktowers --seats 2 --bots 1", "Table ")
            assert typist.client.state.table is not None
            table = typist.client.state.table.info.table
            typist.type("start", "quit")
            await typist.ends()
        async with typing(visit(at, table)) as typist:
            typist.type("floors", "quit")
            await typist.ends()
            assert "There is no command" not in typist.heard
            assert "You cannot draw yet: " in typist.heard
