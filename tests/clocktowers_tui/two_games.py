"""Both games for tests of what chooses one: the second with a plain face where it has none yet."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

from clocktowers_tui.games.face import Board, Face, OptionField
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.look import Look
from protocol.games.architetti_attenti import PRESETS, Blocks, Buy, End, Parks, Rails
from protocol.games.registry import GAMES

OTHER: Final = "architetti_attenti"
_VALUES: Final[Mapping[str, Iterable[StrEnum]]] = {
    "blocks": Blocks,
    "parks": Parks,
    "rails": Rails,
    "end": End,
}


class _PlainBoard(Board):
    """Says that it is there; Enter buys the first tile."""

    can_focus = True

    def show(
        self, view: Any, names: Sequence[str], *, waiting: bool, log: Sequence[str] = ()
    ) -> None:
        self.refresh()

    def render(self) -> str:
        return "the plain board"

    def key_enter(self) -> None:
        self.post_message(self.Chosen(Buy(1)))

    def restyle(self, look: Look) -> None: ...

    def actions_now(self) -> Sequence[tuple[Sequence[Any], str]]:
        return ()

    def explain(self) -> Sequence[str]:
        return ()

    def step_back(self) -> bool:
        return False


class PlainFace:
    """As much of a face as a table of the game needs."""

    game = OTHER

    def board(self, look: Look, layout: str = "") -> Board:
        return _PlainBoard()

    def option_fields(self, seats: int | None = None) -> Sequence[OptionField]:
        return [
            OptionField(name, f"The {name}", [(value.value, value.value) for value in values])
            for name, values in _VALUES.items()
        ]

    def presets(self) -> Sequence[tuple[str, str]]:
        return [(name, name.capitalize()) for name in PRESETS]

    def options_in_words(self, options: Any) -> str:
        return f"blocks {options['blocks']}"

    def swatch(self, look: Look) -> Sequence[Any]:
        return ()

    def is_my_turn(self, view: Any) -> bool:
        return view.turn is not None and view.turn == view.seat

    def expected(self, view: Any, names: Sequence[str]) -> str:
        return "Buy a tile" if self.is_my_turn(view) else "Others do"

    def turn(self, view: Any) -> int:
        return 1

    def phrase(self, event: Any, names: Sequence[str], you: int | None) -> str:
        return ""

    def nonsense(self, seats: int | None, events: Sequence[Any], view: Any, outcome: Any) -> str:
        return ""

    def answers_to(self) -> Sequence[Any]:
        return ()

    def actions(self) -> Sequence[Any]:
        return ()

    def rules(self) -> str:
        return "# The other rules"

    def notation(self, look: Look) -> Sequence[str]:
        return ()


def both() -> Mapping[str, Face]:
    """A face for each game of the protocol."""
    plain: Any = PlainFace()
    return {game: FACES.get(game, plain) for game in GAMES}
