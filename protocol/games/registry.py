"""Which games there are, and the types that the open fields of the envelope have in each."""

from collections import UserDict
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:  # read with the first game
    from protocol.games.moves import Moves


class Vocabulary(NamedTuple):
    """One game's types: what `options`, `action`, `event`, `view` and `outcome` decode to (Any, for
    a union is not a `type`); its table of `moves`; the `levels` of its bots, weakest first;
    what each of its `presets` sets, the default first; and a view as its player `holds` it, after
    these events."""

    id: str
    seats: tuple[int, ...]
    options: Any
    action: Any
    event: Any
    view: Any
    outcome: Any
    moves: "Moves"
    levels: tuple[str, ...] = ("random", "easy", "normal", "hard", "expert")
    presets: Mapping[str, Mapping[str, Any]] = {"standard": {}}
    holds: Callable[[Any, Sequence[Any]], Any] = lambda view, _events: view


LEVELS: Final = ("random", "learner", "easy", "normal", "hard", "expert")
"""Of bots, of all games, weakest first."""

_IDS: Final = ("clocktowers", "architetti_attenti", "wild_wild_pattern")
"""A game's words are the package of that name beside this file."""
_MAY_SAY: Final = ("levels", "presets", "holds")


class _Vocabularies(UserDict[str, Any]):
    """Imports a game's words when they are first asked for: starting the client needs none."""

    def __getitem__(self, game: str) -> Vocabulary:
        found: Vocabulary | None = self.data[game]
        if found is None:
            found = self.data[game] = _vocabulary(game)
        return found


def _vocabulary(game: str) -> Vocabulary:
    words = import_module(f"{__package__}.{game}")
    more = {name: getattr(words, name.upper()) for name in _MAY_SAY if hasattr(words, name.upper())}
    return Vocabulary(
        id=game,
        seats=words.SEATS,
        options=words.Options,
        action=words.Action,
        event=words.Event,
        view=words.View,
        outcome=words.Outcome,
        moves=words.MOVES,
        **more,
    )


GAMES: Final[Mapping[str, Vocabulary]] = _Vocabularies(dict.fromkeys(_IDS))
