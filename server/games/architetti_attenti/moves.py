"""Architetti Attenti in notation: an action ↔ the words of its line (protocol/NOTATION.md)."""

from collections.abc import Sequence

from protocol.games.architetti_attenti import Action, Buy
from protocol.games.architetti_attenti.board import cell_name
from server.games.contract import Json, RecordError
from server.games.reading import counted_word, no_move


def written(action: Action) -> str:
    if isinstance(action, Buy):
        return f"buy {action.position}"
    return f"place {cell_name(action.first)} {cell_name(action.second)}"


def read(words: Sequence[str]) -> Json:
    """The action as a record has it; nobody has looked whether there are such cells."""
    match words:
        case ["buy", position]:
            return {"do": "buy", "position": counted_word(position, "position")}
        case ["place", first, second]:
            return {"do": "place", "cells": [first, second]}
        case _:
            raise RecordError(no_move("buy POSITION", "place CELL CELL"))
