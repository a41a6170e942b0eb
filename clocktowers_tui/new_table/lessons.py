"""The table on which a game's lesson is played, and the one to play at after it."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from clocktowers_tui.config.settings import Settings, knowing
from clocktowers_tui.games.registry import LESSONS
from clocktowers_tui.net.wishes import Solo
from protocol.from_client import BotSeat, CreateTable
from protocol.table import Pace

if TYPE_CHECKING:  # read with the first lesson
    from clocktowers_tui.games.lesson import Lesson


def lesson_of(game: str) -> Solo:
    """The wish for it. Its sentences tell what the bots have done, and what to do."""
    lesson = LESSONS[game]
    table = CreateTable(
        id=0,
        game=game,
        seats=len(lesson.bots) + 1,
        preset=lesson.preset,
        options=dict(lesson.options),
        bots=[BotSeat(seat, level) for seat, level in enumerate(lesson.bots, 1)],
        seed=lesson.seed,
        pace=Pace.AT_ONCE,
        hints=False,
    )
    return Solo(table, lesson=True)


def begun(settings: Settings) -> list[str]:
    """The games whose lesson the player has begun, and left before its end."""
    return [game for game in LESSONS if settings.lessons.get(game)]


def taught(settings: Settings, lesson: "Lesson") -> Settings:
    """After the lesson: it can begin again."""
    game = lesson.game
    known = knowing(settings, game)
    return replace(known, game=game, lessons={**settings.lessons, game: 0})


def practised(settings: Settings, table: CreateTable) -> tuple[CreateTable, Settings]:
    """A table to practise at alone: the first one of a game has the deal that its lesson names."""
    lesson = LESSONS[table.game]
    if table.game in settings.practised or lesson.practice is None:
        return table, settings
    from clocktowers_tui.games.lesson import seed_of

    known = [*settings.practised, table.game]
    return replace(table, seed=seed_of(lesson.practice)), replace(settings, practised=known)
