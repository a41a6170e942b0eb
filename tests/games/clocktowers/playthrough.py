"""Clocktowers in its playthrough: how its values are printed, and what is played."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from protocol.games.clocktowers import (
    CODES,
    PILE_NAMES,
    Action,
    Choice,
    Discard,
    Event,
    Options,
    Outcome,
    Play,
    View,
)
from tests.playthroughs import Playthrough

CARD_FIELDS = {"card", "roof", "top"}
"""Fields of events that are one card."""

CARDS_FIELDS = {"hand", "discards", "removed", "piles"}
"""Fields of events and views that are several cards."""


def cards(some: bytes) -> str:
    return " ".join(CODES[card] or "--" for card in some) or "-"


def numbers(some: bytes) -> str:
    return " ".join(map(str, some))


class ClocktowersWords:
    def options(self, options: Options) -> str:
        return " ".join(
            f"{name}={_value(name, getattr(options, name))}" for name in options.__struct_fields__
        )

    def action(self, action: Action) -> str:
        if isinstance(action, Play):
            return f"plays {CODES[action.card]} on {_tower(action.tower)}"
        if isinstance(action, Discard):
            return f"discards {CODES[action.card]}"
        return f"draws {PILE_NAMES[action.pile]}"

    def event(self, event: Event) -> str:
        values = (
            f"{name}={self._event_field(name, getattr(event, name))}"
            for name in event.__struct_fields__
        )
        return " ".join((str(event.__struct_config__.tag), *values))

    def _event_field(self, name: str, value: Any) -> str:
        if isinstance(value, Options):
            return f"[{self.options(value)}]"
        if name in CARD_FIELDS:
            return CODES[value] or "--"
        return f"[{_value(name, value)}]" if isinstance(value, bytes) else str(value)

    def field(self, name: str, value: Any) -> str:
        if name == "legal":
            return ", ".join(map(_choice, value)) or "-"
        return _value(name, value)

    def outcome(self, outcome: Outcome) -> str:
        winners = ", ".join(map(str, outcome.winners))
        scores = ", ".join(map(str, outcome.scores))
        return f"scores {scores}; won by {winners} ({outcome.decided_by})"

    def spectator(self, view: View) -> Iterator[str]:
        yield (
            f"turn {view.turn} {view.phase}; piles {cards(view.piles)}, left {numbers(view.left)}; "
            f"hands {numbers(view.hands)}; thrown {numbers(view.thrown)}; "
            f"points {numbers(view.points)}; ladder {_ladder(view.ladder)}"
        )
        for seat, town in enumerate(view.towns):
            towers = zip(town.towers, town.points, strict=True)
            built = (
                f"[{cards(tower)}]{f'={points}' if points else ''}" for tower, points in towers
            )
            yield f"town {seat}: {' '.join(built) or '-'}"
        shown = {
            "seat",
            "turn",
            "phase",
            "piles",
            "left",
            "hands",
            "thrown",
            "points",
            "count_clock_mice",
        }
        for name in view.__struct_fields__:
            value = getattr(view, name)
            if name not in shown | {"ladder", "towns"} and value:
                yield f"{name} {self.field(name, value)}"


def _value(name: str, value: Any) -> str:
    if isinstance(value, bytes):
        return cards(value) if name in CARDS_FIELDS else numbers(value)
    if isinstance(value, list):
        return " / ".join(cards(one) for one in value)
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return str(value)


def _tower(tower: int | None) -> str:
    return "new" if tower is None else str(tower)


def _choice(choice: Choice) -> str:
    """`1-@new(1)`: height after; `Rb@0(2 +5 next 3)`; `-Km` is a discard, `^roof` a draw."""
    action: Struct = choice.action
    if isinstance(action, Play):
        roof = f" +{choice.points} next {choice.next_height}" if choice.points else ""
        return f"{CODES[action.card]}@{_tower(action.tower)}({choice.height}{roof})"
    if isinstance(action, Discard):
        return f"-{CODES[action.card]}"
    return f"^{PILE_NAMES[choice.action.pile]}"  # type: ignore[union-attr]


def _ladder(rows: list[bytes]) -> str:
    """The heights that fit for each colour, b g p r y."""
    return " / ".join(
        " ".join(
            colour + "".join(str(height) for height in range(8) if mask >> height & 1)
            for colour, mask in zip("bgpry", row, strict=True)
        )
        for row in rows
    )


PLAYTHROUGH = Playthrough("clocktowers", ClocktowersWords(), ["easy"] * 2, Options(), 1)
"""Easy bots both play and discard."""
