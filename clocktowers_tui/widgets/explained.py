"""What a widget says of itself when a player asks for help on it."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable


@runtime_checkable
class Explained(Protocol):
    def explain(self) -> Sequence[str]:
        """Sentences: what it is, and how it is used now."""
