"""Clocktowers in notation: an action ↔ the words of its line (protocol/NOTATION.md)."""

from collections.abc import Sequence

from protocol.games.clocktowers import CODES, PILE_NAMES, Action, Discard, Play
from server.games.contract import Json, RecordError
from server.games.reading import counted_word, no_move


def written(action: Action) -> str:
    """Towers are counted from 1, as on the screen."""
    if isinstance(action, Play):
        tower = "new" if action.tower is None else action.tower + 1
        return f"play {CODES[action.card]} {tower}"
    if isinstance(action, Discard):
        return f"discard {CODES[action.card]}"
    return f"draw {PILE_NAMES[action.pile]}"


def read(words: Sequence[str]) -> Json:
    """The action as a record has it; nobody has looked whether there is such a card or pile."""
    match words:
        case ["play", card, "new"]:
            return {"do": "play", "card": card, "tower": None}
        case ["play", card, tower]:
            return {"do": "play", "card": card, "tower": counted_word(tower, "tower") - 1}
        case ["discard", card]:
            return {"do": "discard", "card": card}
        case ["draw", pile]:
            return {"do": "draw", "pile": pile}
        case _:
            raise RecordError(no_move("play CARD TOWER", "discard CARD", "draw PILE"))
