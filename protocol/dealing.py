"""The provable shuffle, from 32 secret bytes to an order of cards; how one deal is ranked.

The stream is SHA-256(seed ‖ counter) for counter = 0, 1, 2 … as uint32 big-endian, read 8 bytes at
a time as big-endian integers. A number below n comes by rejection, so that no value is favoured.
A shuffle is Fisher-Yates from the last index down. PROTOCOL.md prints a test vector.
"""

import struct
from collections.abc import Iterator, MutableSequence, Sequence
from itertools import chain, count
from typing import Final, TypeVar

T = TypeVar("T")

SEED_BYTES: Final = 32
_WORD: Final = 1 << 64
_BLOCK: Final = struct.Struct(">4Q")


def _words(seed: bytes) -> Iterator[int]:
    """The stream: 64-bit integers, four to a block."""
    from hashlib import sha256  # loads a large library, and a client starts without a deal

    return chain.from_iterable(
        _BLOCK.unpack(sha256(seed + counter.to_bytes(4, "big")).digest()) for counter in count()
    )


class Stream:
    """Uniform integers out of one seed. A measured hot path: it is on the way to every match."""

    def __init__(self, seed: bytes) -> None:
        self._words = _words(seed)

    def below(self, n: int) -> int:
        """A uniform integer in 0..n-1, n ≥ 1."""
        return self._fit(next(self._words), n)

    def _fit(self, word: int, n: int) -> int:
        """This word, or the next that is not rejected, as an integer in 0..n-1."""
        # Rejected from the last multiple of n on; only words above _WORD - n need the division.
        while word >= _WORD - n and word >= _WORD - _WORD % n:
            word = next(self._words)
        return word % n

    def shuffle(self, cards: MutableSequence[T]) -> None:
        """Shuffle in place; a sequence of fewer than two cards uses no numbers."""
        # Not by `below`: the calls would take a quarter of the time.
        never_rejected = _WORD - len(cards)
        for size, word in zip(range(len(cards), 1, -1), self._words):  # noqa: B905, it goes on
            other = word % size if word < never_rejected else self._fit(word, size)
            cards[size - 1], cards[other] = cards[other], cards[size - 1]


def daily_seed(game: str, day: str) -> bytes:
    """Of a game's deal of the day, the same everywhere. `day`: of UTC, as 2026-11-23. PROTOCOL.md
    prints a test vector; another derivation is another number in place of the 1."""
    from hashlib import sha256

    return sha256(f"clocktowers-daily/1/{game}/{day}".encode()).digest()


def commitment(seed: bytes) -> str:
    """What the server publishes when the match starts: the seed's SHA-256 in hex."""
    from hashlib import sha256

    return sha256(seed).hexdigest()


# How tables that played one deal are ranked: as in duplicate bridge, seat by seat.


def matchpoints(
    scores: Sequence[Sequence[int]], people: Sequence[Sequence[bool]]
) -> list[list[int]]:
    """`scores` of each table, by seat; `people`: where a person sat. Each person gets 2 for each
    table where the same seat has fewer points, and 1 for each with as many; a bot gets none. The
    sum of a table says how well its people played."""
    by_seat = list(zip(*scores, strict=True))
    return [
        [
            sum(_against(mine, other) for other in by_seat[seat]) - 1 if person else 0
            for seat, (mine, person) in enumerate(zip(own, sat, strict=True))
        ]
        for own, sat in zip(scores, people, strict=True)
    ]


def _against(mine: int, other: int) -> int:
    return 2 if mine > other else int(mine == other)


# Who has a record can show it to others.


PROOF_BYTES: Final = 12


def record_proof(match: str, seed: bytes) -> bytes:
    """What opens the record of this match at its server: nobody can make it who has not been told
    the seed, as with the record."""
    from hashlib import sha256

    return sha256(f"clocktowers record {match} ".encode() + seed).digest()[:PROOF_BYTES]
