"""Which games the server has. A new game is one line here."""

from collections.abc import Mapping
from typing import Final

from server.games.architetti_attenti.game import ARCHITETTI_ATTENTI
from server.games.clocktowers.game import CLOCKTOWERS
from server.games.contract import Game
from server.games.wild_wild_pattern.game import WILD_WILD_PATTERN

GAMES: Final[Mapping[str, Game]] = {
    game.rules.id: game for game in (CLOCKTOWERS, ARCHITETTI_ATTENTI, WILD_WILD_PATTERN)
}
