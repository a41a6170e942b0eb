"""A match that this player has finished, and the screens that show it again."""

import zlib
from typing import Any

from clocktowers_tui.deeds.replay import Replay
from clocktowers_tui.history import matches, review
from clocktowers_tui.history.record import Replayed
from clocktowers_tui.net.records import Projector
from clocktowers_tui.screens.history import HistoryScreen
from clocktowers_tui.screens.replay import ReplayScreen
from server.games.registry import GAMES
from server.recording.bot_matches import Series, play
from server.recording.records import line
from tests.stage.pilot import Playing, press, sees
from tests.stage.reviewed import planted

PLY = 20


def record(
    names: tuple[str, str], match: str = "m1", game: str = "clocktowers", level: str = "random"
) -> bytes:
    """As a server writes it."""
    words = GAMES[game]
    options = words.notation.options_from_record({})
    made = play(Series(words, options, (level, level), 7), 0)
    seats = [{**seat, "name": name} for seat, name in zip(made["seats"], names, strict=True)]
    return line({**made, "id": match, "seats": seats})


def keep(names: tuple[str, str] = ("Ann", "Bo")) -> bytes:
    """With a review: a mistake is behind PLY, and one before it."""
    line = record(names)
    matches.keep("m1", zlib.compress(line), 0, 1000)
    review.keep("m1", *planted(line, 0, {2: 170, 20: 80}))
    return line.strip()


async def listed(player: Playing, names: tuple[str, str] = ("Ann", "Bo")) -> None:
    """In the list, with one match."""
    keep(names)
    player[0].push_screen(HistoryScreen(player[0]))
    await sees(player, names[1])


async def see(player: Playing, line: bytes, me: int | None, **where: Any) -> None:
    replay = Replay(player[0], await Projector.start(line), Replayed(line, me, **where))
    player[0].push_screen(ReplayScreen(player[0], replay))


async def replayed(player: Playing, names: tuple[str, str] = ("Ann", "Bo")) -> None:
    """In the middle of it."""
    await see(player, record(names).strip(), 0, ply=PLY)
    await sees(player, f" {PLY} ")


async def reviewed(player: Playing, names: tuple[str, str] = ("Ann", "Bo")) -> None:
    """The same, with its review."""
    await see(player, keep(names), 0, ply=PLY, match="m1")
    await sees(player, f" {PLY} ")
    await press(player, "v")
    await player[0].workers.wait_for_complete()
    await press(player, "escape")
