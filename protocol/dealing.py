"""The provable shuffle: from 32 secret bytes to an order of cards, the same in every language.

The stream is SHA-256(seed ‖ counter) for counter = 0, 1, 2 … as uint32 big-endian, read 8 bytes at
a time as big-endian integers. A number below n comes by rejection, so that no value is favoured.
A shuffle is Fisher-Yates from the last index down. PROTOCOL.md prints a test vector.
"""

import hashlib
from collections.abc import MutableSequence
from typing import Final, TypeVar

T = TypeVar("T")

SEED_BYTES: Final = 32
_WORD: Final = 1 << 64


class Stream:
    """Uniform integers out of one seed."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._counter = 0
        self._words: list[int] = []

    def _word(self) -> int:
        if not self._words:
            block = hashlib.sha256(self._seed + self._counter.to_bytes(4, "big")).digest()
            self._counter += 1
            self._words = [int.from_bytes(block[i : i + 8], "big") for i in (24, 16, 8, 0)]
        return self._words.pop()

    def below(self, n: int) -> int:
        """A uniform integer in 0..n-1, n ≥ 1."""
        usable = _WORD - _WORD % n
        while (word := self._word()) >= usable:
            pass
        return word % n

    def shuffle(self, cards: MutableSequence[T]) -> None:
        """Shuffle in place; a sequence of fewer than two cards uses no numbers."""
        for last in range(len(cards) - 1, 0, -1):
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]


def commitment(seed: bytes) -> str:
    """What is published when the match starts: the seed's SHA-256 in hex."""
    return hashlib.sha256(seed).hexdigest()
