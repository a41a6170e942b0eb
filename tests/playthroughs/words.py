"""How each game's values are printed in playthroughs."""

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from tests.playthroughs.architetti_attenti import ArchitettiAttentiWords
from tests.playthroughs.clocktowers import ClocktowersWords


class Words(Protocol):
    """One game's values → one line of text each."""

    def options(self, options: Any) -> str: ...
    def action(self, action: Any) -> str: ...
    def event(self, event: Any) -> str: ...
    def field(self, name: str, value: Any) -> str: ...
    def outcome(self, outcome: Any) -> str: ...

    def spectator(self, view: Any) -> Iterator[str]:
        """The whole view on a few lines."""


WORDS: Mapping[str, Words] = {
    "clocktowers": ClocktowersWords(),
    "architetti_attenti": ArchitettiAttentiWords(),
}
