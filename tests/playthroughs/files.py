"""Which playthroughs there are: each game names its own; `tests/games/NAME/playthroughs` has both
the plan and the texts."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from server.games.registry import GAMES
from tests.playthroughs.script import Playthrough

_GAMES = Path(__file__).parents[1] / "games"


def _of(game: str) -> Mapping[str, Playthrough]:
    """Each under its game's id and what is played in it."""
    words = import_module(f"tests.games.{game}.playthroughs.words")
    found: Mapping[str, Playthrough] = words.PLAYTHROUGHS
    return {f"{game}/{what}": playthrough for what, playthrough in found.items()}


PLAYTHROUGHS = {name: each for game in GAMES for name, each in _of(game).items()}


def path(name: str) -> Path:
    """Where the text of `GAME/WHAT` is kept."""
    game, what = name.split("/")
    return _GAMES / game / "playthroughs" / f"{what}.txt"


def kept() -> set[str]:
    """The names of all texts that are kept."""
    found = _GAMES.glob("*/playthroughs/*.txt")
    return {f"{file.parents[1].name}/{file.stem}" for file in found}
