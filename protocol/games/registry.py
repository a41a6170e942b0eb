"""Which games there are, and the types that the open fields of the envelope have in each."""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from protocol.games import architetti_attenti, clocktowers, wild_wild_pattern


class Vocabulary(Struct, frozen=True):
    """One game's types: what `options`, `action`, `events`, `view` and `outcome` decode to.

    The four type fields are Any because unions are not `type` objects.
    """

    id: str
    seats: tuple[int, ...]
    options: Any
    presets: Mapping[str, Mapping[str, Any]]
    action: Any
    event: Any
    view: Any
    outcome: Any


GAMES: Final[Mapping[str, Vocabulary]] = {
    "clocktowers": Vocabulary(
        id="clocktowers",
        seats=(2, 3, 4),
        options=clocktowers.Options,
        presets=clocktowers.PRESETS,
        action=clocktowers.Action,
        event=clocktowers.Event,
        view=clocktowers.View,
        outcome=clocktowers.Outcome,
    ),
    "architetti_attenti": Vocabulary(
        id="architetti_attenti",
        seats=(1, 2, 3, 4),
        options=architetti_attenti.Options,
        presets=architetti_attenti.PRESETS,
        action=architetti_attenti.Action,
        event=architetti_attenti.Event,
        view=architetti_attenti.View,
        outcome=architetti_attenti.Outcome,
    ),
    "wild_wild_pattern": Vocabulary(
        id="wild_wild_pattern",
        seats=(1, 2, 3, 4),
        options=wild_wild_pattern.Options,
        presets=wild_wild_pattern.PRESETS,
        action=wild_wild_pattern.Action,
        event=wild_wild_pattern.Event,
        view=wild_wild_pattern.View,
        outcome=wild_wild_pattern.Outcome,
    ),
}
