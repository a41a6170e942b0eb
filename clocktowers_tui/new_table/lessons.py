"""The table on which a game's lesson is played."""

from clocktowers_tui.games.registry import LESSONS
from clocktowers_tui.net.wishes import Solo
from protocol.from_client import BotSeat, CreateTable
from protocol.pace import Pace


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
