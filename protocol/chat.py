"""A table's chat: how long a line may be, and the phrases that clients word themselves."""

from enum import StrEnum
from typing import Final

MAX_CHAT_CHARACTERS: Final = 500
"""For a line, after cleaning: 2 kB at most."""

MAX_RAW_CHARACTERS: Final = 4 * MAX_CHAT_CHARACTERS
"""Before cleaning: a longer line is not worth the work of looking through it."""

HISTORY_LINES: Final = 50
HISTORY_BYTES: Final = 16 * 1024
"""What a newcomer is told at most; a quarter of a frame."""


class Phrase(StrEnum):
    """Lines so common that each takes one key; a phrase travels as a code, in no language."""

    HELLO = "hello"
    GOOD_LUCK = "good_luck"
    NICE_MOVE = "nice_move"
    THANKS = "thanks"
    SORRY = "sorry"
    ONE_MOMENT = "one_moment"
    BACK = "back"
    HURRY_UP = "hurry_up"
    GOOD_GAME = "good_game"
    BYE = "bye"
