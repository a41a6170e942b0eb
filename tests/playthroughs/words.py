"""How each game's values are printed in playthroughs."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any, Protocol


class Words(Protocol):
    """One game's values → one line of text each."""

    def options(self, options: Any) -> str: ...
    def action(self, action: Any) -> str: ...
    def event(self, event: Any) -> str: ...
    def field(self, name: str, value: Any) -> str: ...
    def outcome(self, outcome: Any) -> str: ...

    def spectator(self, view: Any) -> Iterator[str]:
        """The whole view on a few lines."""


def words_of(game: str) -> Words:
    words: Words = import_module(f"tests.games.{game}.playthroughs.words").WORDS
    return words
