"""Wild Wild Pattern in notation: an action ↔ the words of its line (protocol/NOTATION.md)."""

from collections.abc import Sequence
from typing import Final, assert_never

from protocol.games.wild_wild_pattern import (
    Action,
    Click,
    Declare,
    Lay,
    Pass,
    Ready,
    Shoot,
    Take,
    Use,
)
from protocol.games.wild_wild_pattern.pattern import PLACES
from server.games.contract import Json, RecordError
from server.games.reading import counted_word, no_move
from server.games.wild_wild_pattern.names import CARD_NAMES, FEATURE_NAMES

_NO_CARD: Final = "-"
"""Holds the place of a card that is not there, before one that is."""


def written(action: Action) -> str:
    """Places are counted from 1, as on the screen."""
    match action:
        case Ready() | Click() | Pass():
            return type(action).__name__.lower()
        case Shoot(place, clicked=True):
            return f"shoot {place + 1} clicked"
        case Shoot(place) | Take(place) | Lay(place):
            return f"{type(action).__name__.lower()} {place + 1}"
        case Declare(pattern):
            anchor, partner = FEATURE_NAMES[pattern.anchor], FEATURE_NAMES[pattern.partner]
            return f"declare {partner} {pattern.direction} {anchor}"
        case Use(challenge, wanted, given):
            cards = [CARD_NAMES[card or 0] or _NO_CARD for card in (challenge, wanted, given)]
            while cards[-1] == _NO_CARD:
                cards.pop()
            return " ".join(["use", *cards])
        case _:
            assert_never(action)


def read(words: Sequence[str]) -> Json:
    """The action as a record has it; nobody has looked whether there are such cards."""
    match words:
        case ["ready" | "click" | "pass" as does]:
            return {"do": does}
        case ["shoot" | "take" | "lay" as does, place]:
            return {"do": does, "place": _place(place)}
        case ["shoot", place, "clicked"]:
            return {"do": "shoot", "place": _place(place), "clicked": True}
        case ["declare", partner, direction, anchor]:
            return {"do": "declare", "direction": direction, "anchor": anchor, "partner": partner}
        case ["use", challenge, *cards] if len(cards) <= len(_CARDS):
            named = zip(_CARDS, cards, strict=False)
            used = {name: card for name, card in named if card != _NO_CARD}
            return {"do": "use", "challenge": challenge, **used}
        case _:
            raise RecordError(no_move(*_MOVES))


def _place(word: str) -> int:
    return counted_word(word, "place", PLACES) - 1


_CARDS: Final = ("wanted", "given")
_MOVES: Final = (
    "ready",
    "shoot PLACE",
    "shoot PLACE clicked",
    "click",
    "declare FEATURE before FEATURE",
    "declare FEATURE after FEATURE",
    "take PLACE",
    "use CHALLENGE",
    "use CHALLENGE WANTED",
    "use CHALLENGE WANTED GIVEN",
    "lay PLACE",
    "pass",
)
