"""What a new table can be: the games, levels of bots and clocks to choose from."""

import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from clocktowers_tui.config.settings import Settings, knowing
from clocktowers_tui.games.registry import LESSONS
from clocktowers_tui.net.wishes import Solo
from clocktowers_tui.state.store import State
from clocktowers_tui.state.table import Connection
from protocol.dealing import commitment, daily_seed
from protocol.from_client import BotSeat, CreateTable
from protocol.games.registry import GAMES, LEVELS
from protocol.table import Bank, Clock, Pace, PerTurn

if TYPE_CHECKING:
    from clocktowers_tui.games.lesson import Lesson


FIRST_GAME: Final = next(iter(GAMES))
"""What is played when the player has never chosen a game."""

PRACTICE: Final = "practice"
"""The preset of the games that can be practised alone and without hurry."""

NO_CLOCK: Final = ""
CLOCKS: Final[Mapping[str, Clock | None]] = {
    NO_CLOCK: None,
    "30": PerTurn(30),
    "60": PerTurn(60),
    "120": PerTurn(120),
    "5+10": Bank(300, 10),
    "10+15": Bank(600, 15),
    "20+30": Bank(1200, 30),
}
"""By the name that a draft keeps."""


def games_at(connection: Connection | None, known: Iterable[str]) -> Sequence[str]:
    """The `known` games that this server plays; a server that names none may play all."""
    there = connection.games if connection is not None else ()
    return [game for game in known if not there or game in there]


def levels_at(connection: Connection | None) -> Sequence[str]:
    """The levels of this server's bots; a server that names none has ours."""
    return (connection.levels if connection is not None else ()) or LEVELS


def levels_of(game: str, levels: Iterable[str]) -> Sequence[str]:
    """Those of these levels that bots of this game have; a level that no game here knows is one of
    a newer server, which refuses it where it has none."""
    known = {level for vocabulary in GAMES.values() for level in vocabulary.levels}
    own = GAMES[game].levels if game in GAMES else known
    return [level for level in levels if level in own or level not in known]


def last_game(settings: Settings, games: Sequence[str]) -> str:
    """The game that the player chose last, if it is among these, or the first of them."""
    return settings.game if settings.game in games else games[0]


def game_here(state: State, settings: Settings, games: Sequence[str]) -> str:
    """The game of the table where the player is; elsewhere the one they chose last."""
    return state.table.info.game if state.table is not None else last_game(settings, games)


# The tables of the deal of the day, and of a lesson.
#
# The deal of the day: one for each game and day of UTC, the same for everybody, without a network.
# The day is that of UTC, so that everybody who speaks of today's deal at one moment speaks of the
# same cards, and no journey gives or takes a day. A race is played at the pace of practice: the
# cards then follow from what is done alone, not from who sees them sooner.


LEVEL: Final = "hard"

_OLDEST_DAYS: Final = 400
"""How long a match that was begun may wait and still count."""


def today() -> str:
    """The day of UTC, as 2026-11-23."""
    return time.strftime("%Y-%m-%d", time.gmtime())


def deal_of(game: str, day: str) -> Solo:
    """The wish for it. Without hints, which would be the bot's own moves."""
    presets = GAMES[game].presets
    table = CreateTable(
        id=0,
        game=game,
        seats=2,
        preset=PRACTICE if PRACTICE in presets else next(iter(presets)),
        bots=[BotSeat(1, LEVEL)],
        seed=daily_seed(game, day),
        hints=False,
    )
    return Solo(table)


def day_of(game: str, sha256: str, newest: str) -> str:
    """The day whose deal has this commitment, `newest` or before; "" if it is none."""
    for back in range(_OLDEST_DAYS):
        day = days_before(newest, back)
        if commitment(daily_seed(game, day)) == sha256:
            return day
    return ""


def days_before(day: str, count: int) -> str:
    """So many days before this one."""
    return str(date.fromisoformat(day) - timedelta(days=count))


# The table on which a game's lesson is played, and the one to play at after it.


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


def begun_lessons(settings: Settings) -> list[str]:
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
