"""Wild Wild Pattern in its playthrough: how its values are printed, and what is played.

A card is its object's letters, its colour's and its suit: `star-y$` is the yellow star, a coin, and
`loot-y*` the yellow loot, bullets. `....` is a gap.
"""

from collections.abc import Iterator
from typing import Any, Final

from msgspec.structs import asdict

from protocol.games.wild_wild_pattern import (
    Action,
    Declare,
    Event,
    Lag,
    Options,
    Outcome,
    Use,
    View,
    Visit,
)
from protocol.games.wild_wild_pattern.cards import (
    FIRST_COLOUR,
    FIRST_SUIT,
    Challenge,
    Colour,
    Object,
    Suit,
    colour_of,
    is_pattern,
    object_of,
    suit_of,
)
from protocol.games.wild_wild_pattern.pattern import Pattern
from tests.playthroughs import Playthrough

ONE_CARD: Final = {"card", "covered", "challenge", "wanted", "given", "clicked"}
SHOWN: Final = {"seat", "phase", "round", "turn", "wheel", "options"}
"""Fields of a view that stand in its first line, or never change."""


class WildWildPatternWords:
    def options(self, options: Options) -> str:
        return " ".join(f"{name}={value}" for name, value in asdict(options).items())

    def action(self, action: Action) -> str:
        match action:
            case Declare(pattern):
                return f"declares {_pattern(pattern)}"
            case Use():
                return f"uses {_fields(self, asdict(action))}"
        return f"{type(action).__name__.lower()} {_fields(self, asdict(action))}".strip()

    def event(self, event: Event) -> str:
        return f"{event.__struct_config__.tag} {_fields(self, asdict(event))}".strip()

    def field(self, name: str, value: Any) -> str:
        if isinstance(value, Options):
            return f"[{self.options(value)}]"
        if isinstance(value, Outcome):
            return f"[{self.outcome(value)}]"
        if isinstance(value, Pattern):
            return f"[{_pattern(value)}]"
        if name in ("bank", "visits"):
            return " / ".join(map(_visit, value)) or "-"
        if name in ("won", "challenges"):
            return " / ".join(_cards(cards) or "-" for cards in value)
        if name == "targets":
            return " ".join(Object(target).name.lower() for target in value)
        if isinstance(value, bytes):
            return f"[{_cards(value)}]"
        if isinstance(value, list):
            return " ".join(str(int(each)) for each in value)
        return _card(value) if name in ONE_CARD and value is not None else str(value)

    def outcome(self, outcome: Outcome) -> str:
        winners = ", ".join(map(str, outcome.winners))
        scores = ", ".join(map(str, outcome.scores))
        return f"cents {scores}; won by {winners} ({outcome.decided_by})"

    def spectator(self, view: View) -> Iterator[str]:
        yield f"round {view.round} turn {view.turn} {view.phase}; wheel {_cards(view.wheel)}"
        rest = []
        for name in view.__struct_fields__:
            value = getattr(view, name)
            if name not in SHOWN and value != _default(name):
                rest.append(f"{name} {self.field(name, value)}")
        yield "; ".join(rest)


def _default(name: str) -> Any:
    """Of a field of the view; those without one have None, which none of them holds."""
    fields, defaults = View.__struct_fields__, View.__struct_defaults__
    return dict(zip(reversed(fields), reversed(defaults), strict=False)).get(name)


def _fields(words: WildWildPatternWords, values: dict[str, Any]) -> str:
    return " ".join(f"{name}={words.field(name, value)}" for name, value in values.items())


def _card(card: int) -> str:
    if not card:
        return "...."
    if not is_pattern(card):
        return Challenge(card).name.lower()
    sign = "$" if suit_of(card) is Suit.COIN else "*"
    return f"{object_of(card).name[:4]}-{colour_of(card).name[0]}{sign}".lower()


def _cards(cards: bytes) -> str:
    return " ".join(map(_card, cards))


def _pattern(pattern: Pattern) -> str:
    return f"{pattern.direction} {_feature(pattern.anchor)} {_feature(pattern.partner)}"


def _feature(feature: int) -> str:
    if feature >= FIRST_SUIT:
        return Suit(feature - FIRST_SUIT).name.lower()
    is_colour = feature >= FIRST_COLOUR
    kind = Colour(feature - FIRST_COLOUR) if is_colour else Object(feature)
    return kind.name.lower()


def _visit(visit: Visit) -> str:
    target = Object(visit.target).name.lower()
    out = " out" if visit.eliminated else ""
    return (
        f"{visit.seat}: {_cards(visit.cards)} ({target}) paid {visit.paid} has {visit.money}{out}"
    )


PLAYTHROUGH = Playthrough(
    "wild_wild_pattern", WildWildPatternWords(), ["easy", "normal"], Options(lag=Lag.OFF), 32
)
