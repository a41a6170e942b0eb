"""Runs in the tree that `test_tutorial.py` builds, where Pig is a game like the others: two people
play it through a real server, one at a screen and one in plain mode, see it again and have it
reviewed; and it is drawn at two sizes and said in four languages."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from clocktowers_tui.games.registry import FACES, SPOKEN, title_of
from clocktowers_tui.text import i18n
from protocol.games.registry import GAMES as WORDS
from server.games.registry import GAMES
from server.recording.bot_matches import Series, play
from server.recording.check import check
from server.recording.notation import NotationReader, write
from server.recording.records import of_fields
from tests.stage.client_fixtures import home, loud_boards, settling, styles
from tests.stage.house import house
from tests.stage.pilot import Playing, playing, press, sees
from tests.stage.typist import Typist, typing, visit

__all__ = ["home", "loud_boards", "settling", "styles"]
GAME = "pig"


async def test_tutorial_is_played_by_one_of_each_face(home: Path) -> None:
    async with house() as at, typing(visit(at)) as typist:
        await typist.types(f"new {GAME} --seats 2 --hints --option first_seat=0", "Table ")
        assert typist.client.state.table is not None
        code = typist.client.state.table.info.table
        async with playing(visit(at, code), "Ben", shows="Ann") as screen:
            await press(screen, "r")
            await typist.hears("Ben, ready")
            typist.type("start")
            await typist.hears("Your turn: draw.")
            await typist.types("keep", "Draw a card first.")
            await typist.types("hint", "cards are pigs")
            await press(screen, "d", shows="It is not your turn yet.")
            typist.client.undone = False
            await asyncio.gather(
                typist.plays_to_the_end(Random(7), "normal"), plays_to_the_end(screen)
            )
            await typist.types("result", "Ann")
            assert "points" in typist.heard
            await sees(screen, "Ann")
            await press(screen, "v", shows="Review")
            typist.type("review")
            await looked_at(typist)
        await typist.types("leave", "tables lists the tables")
        await typist.types("leave", "You are at the menu")
        await typist.types("matches", "1: ")
        await typist.types("replay 1", "Replay: ")
        await typist.types("next", "move 1 of")
        await typist.types("look", "In the pile: ")
        typist.type("quit")  # at the end of what is typed it would wait for the review
        await typist.ends()


async def looked_at(typist: Typist) -> None:
    """Wait for a first finding, however long it takes: the client ends a review that is silent."""
    found = typist.client.reviews.found
    while not any(one.findings for one in found.values()) and "Match of " not in typist.heard:
        assert "ended by itself" not in typist.heard
        await asyncio.sleep(0.01)


async def plays_to_the_end(screen: Playing) -> None:
    """By the keys of what a bot would do."""
    rng, bot, keys = Random(3), GAMES[GAME].bots["normal"], {"draw": "d", "keep": "s"}
    while (match := screen[0].state.match) is not None and not match.over:
        if FACES[GAME].is_my_turn(match.view) and match.pending is None:
            await press(screen, keys[SPOKEN[GAME].typed(match.view, bot(match.view, [], rng))])
        await screen[1].pause(0.01)


@pytest.mark.parametrize(("size", "drawn"), [((60, 20), False), ((100, 30), True)])
async def test_tutorial_is_drawn_at_two_sizes(size: tuple[int, int], drawn: bool) -> None:
    async with house() as at, typing(visit(at)) as typist:
        await typist.types(f"new {GAME} --seats 2 --option first_seat=0", "Table ")
        assert typist.client.state.table is not None
        code = typist.client.state.table.info.table
        async with playing(visit(at, code), "Ben", size=size, shows="Ann") as screen:
            await press(screen, "r")
            await typist.hears("Ben, ready")
            typist.type("start", "draw")
            await sees(screen, "In the pile: 35", "Ann drew")
            await sees(screen, "╭────────╮" if drawn else "Cards")


def test_tutorial_has_records_that_verify() -> None:
    game = GAMES[GAME]
    fields = play(Series(game, WORDS[GAME].options(), ["hard", "normal", "easy"], 5), 0)
    record = of_fields(fields, GAMES)
    check(record)
    reading = NotationReader(GAMES)
    for number, said in enumerate(write(record).splitlines(), 1):
        reading.take(number, said.encode())
    assert reading.finish().record.fields == record.fields


@pytest.mark.parametrize(("code", "title"), [("it", "Maiale"), ("ru", "Свинья"), ("nl", "Varken")])
def test_tutorial_speaks(code: str, title: str) -> None:
    english = FACES[GAME].about()
    i18n.speak(code)
    assert title_of(GAME) == title
    assert FACES[GAME].about() != english
    assert FACES[GAME].rules().startswith(f"# {title}")
