"""The deal of the day: one for each game and day of UTC, the same for everybody, without a network.

The day is that of UTC, so that everybody who speaks of today's deal at one moment speaks of the
same cards, and no journey gives or takes a day. A race is played at the pace of practice: the cards
then follow from what is done alone, not from who sees them sooner.
"""

import time
from datetime import date, timedelta
from typing import Final

from clocktowers_tui.net.wishes import Solo
from clocktowers_tui.new_table.offers import PRACTICE
from protocol.dealing import commitment, daily_seed
from protocol.from_client import BotSeat, CreateTable
from protocol.games.registry import GAMES

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
