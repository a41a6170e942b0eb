"""Boards written as the rules pages write them: a table of words, column letters at its head."""

from collections.abc import Sequence
from typing import Final

from protocol.games.architetti_attenti import Kind
from protocol.games.architetti_attenti.board import MEADOW, cell_named

_WORDS: Final = {
    "en": "house park school bakery bookshop florist toy_shop track station",
    "it": "casa parco scuola forno libreria fioraio giochi binario stazione",
    "nl": "huis park school bakker boekwinkel bloemist speelgoedwinkel spoor station",
    "ru": "дом парк школа булочная книжный цветочный магазин_игрушек рельсы станция",
}

WORDS: Final = {
    code: tuple(word.replace("_", " ") for word in words.split()) for code, words in _WORDS.items()
}
"""Language → what the pages call the kinds, from `Kind.HOUSE` on."""

FREE: Final = "-"


def kind_called(word: str, code: str) -> Kind:
    """What a word on a page stands for."""
    return Kind(1 + WORDS[code].index(word)) if word != FREE else Kind.FREE


def cells_of(table: Sequence[Sequence[str]]) -> dict[int, str]:
    """Cell → what stands there in a table with column letters above and row numbers at the left."""
    head, *rows = table
    found: dict[int, str] = {}
    for row, *words in rows:
        for column, word in zip(head[1:], words, strict=True):
            cell = cell_named(column + row)
            assert cell is not None, column + row
            found[cell] = word
    return found


def town(table: Sequence[Sequence[str]], code: str = "en") -> bytes:
    """The board that a table of words shows; what it does not show is free."""
    board = bytearray(MEADOW)
    for cell, word in cells_of(table).items():
        board[cell] = kind_called(word, code)
    return bytes(board)
