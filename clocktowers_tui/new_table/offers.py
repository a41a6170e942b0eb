"""What a new table can be: the games, levels of bots and clocks to choose from."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from clocktowers_tui.config.settings import Settings
from clocktowers_tui.state.connection import Connection
from clocktowers_tui.state.store import State
from protocol.games.registry import GAMES, LEVELS
from protocol.table import Bank, Clock, PerTurn

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
