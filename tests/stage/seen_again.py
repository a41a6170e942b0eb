"""A match that this player has finished, and the screens that show it again."""

import zlib

from clocktowers_tui.history import matches
from clocktowers_tui.net.replaying import Projector
from clocktowers_tui.screens.history import HistoryScreen
from clocktowers_tui.screens.replay import ReplayScreen
from server.games.registry import GAMES
from server.recording.bot_matches import Series, play
from server.recording.records import line
from tests.stage.pilot import Playing, sees

PLY = 20


def record(names: tuple[str, str], match: str = "m1", game: str = "clocktowers") -> bytes:
    """As a server writes it."""
    words = GAMES[game]
    options = words.notation.options_from_record({})
    made = play(Series(words, options, ("random", "random"), 7), 0)
    seats = [{**seat, "name": name} for seat, name in zip(made["seats"], names, strict=True)]
    return line({**made, "id": match, "seats": seats})


async def listed(player: Playing, names: tuple[str, str] = ("Ann", "Bo")) -> None:
    """In the list, with one match."""
    matches.keep("m1", zlib.compress(record(names)), 0, 1000)
    player[0].push_screen(HistoryScreen(player[0]))
    await sees(player, names[1])


async def replayed(player: Playing, names: tuple[str, str] = ("Ann", "Bo")) -> None:
    """In the middle of it."""
    projector = await Projector.start(record(names).strip())
    player[0].push_screen(ReplayScreen(player[0], projector, 0, PLY))
    await sees(player, f" {PLY} ")
