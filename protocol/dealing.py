"""The provable shuffle: from 32 secret bytes to an order of cards, the same in every language.

The stream is SHA-256(seed ‖ counter) for counter = 0, 1, 2 … as uint32 big-endian, read 8 bytes at
a time as big-endian integers. A number below n comes by rejection, so that no value is favoured.
A shuffle is Fisher-Yates from the last index down. PROTOCOL.md prints a test vector.
"""

import hashlib
import struct
from collections.abc import Iterator, MutableSequence
from typing import Final, TypeVar

T = TypeVar("T")

SEED_BYTES: Final = 32
_WORD: Final = 1 << 64
_BLOCK: Final = struct.Struct(">4Q")


def _words(seed: bytes) -> Iterator[int]:
    """The stream: 64-bit integers, four to a block."""
    counter = 0
    while True:
        yield from _BLOCK.unpack(hashlib.sha256(seed + counter.to_bytes(4, "big")).digest())
        counter += 1


class Stream:
    """Uniform integers out of one seed. A measured hot path: it is on the way to every match."""

    def __init__(self, seed: bytes) -> None:
        self._next_word = _words(seed).__next__

    def below(self, n: int) -> int:
        """A uniform integer in 0..n-1, n ≥ 1."""
        word = self._next_word()
        # Rejected from the last multiple of n on; only words above _WORD - n need the division.
        while word >= _WORD - n and word >= _WORD - _WORD % n:
            word = self._next_word()
        return word % n

    def shuffle(self, cards: MutableSequence[T]) -> None:
        """Shuffle in place; a sequence of fewer than two cards uses no numbers."""
        for last in range(len(cards) - 1, 0, -1):
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]


def commitment(seed: bytes) -> str:
    """What the server publishes when the match starts: the seed's SHA-256 in hex."""
    return hashlib.sha256(seed).hexdigest()
