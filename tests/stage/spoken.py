"""The games' chapters of PROTOCOL.md, and the words of each."""

from types import ModuleType
from typing import NamedTuple

from protocol.games import architetti_attenti as aa, clocktowers as ct, wild_wild_pattern as wwp
from protocol.games.registry import GAMES, Vocabulary
from tests.stage.document import Example, chapters

CHAPTERS = chapters()


class Spoken(NamedTuple):
    """A game's chapter and the module of its words."""

    id: str
    chapter: str
    words: ModuleType

    @property
    def text(self) -> str:
        return CHAPTERS[self.chapter]

    @property
    def vocabulary(self) -> Vocabulary:
        return GAMES[self.id]


SPOKEN = [
    Spoken("clocktowers", "Clocktowers", ct),
    Spoken("architetti_attenti", "Architetti Attenti", aa),
    Spoken("wild_wild_pattern", "Wild Wild Pattern", wwp),
]


def vocabulary_of(example: Example) -> Vocabulary:
    """Examples outside the games' own chapters are of Clocktowers."""
    own = [game.vocabulary for game in SPOKEN if game.chapter == example.chapter]
    return own[0] if own else GAMES["clocktowers"]
