"""How the second readings judge JSON, and the stream by which a proof deals."""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import count
from json import JSONEncoder
from typing import Any, Final, TypeAlias

Json: TypeAlias = Any


class Wrong(Exception):
    """A record's first fault: `setup`, `ply K` or `outcome`, and why."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: {why}")
        self.where = where


def need(good: bool, where: str, why: str) -> None:
    if not good:
        raise Wrong(where, why)


def is_int(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def same(left: Json, right: Json) -> bool:
    """Equal as JSON: true is not 1, and 1.0 is not 1. Objects on the right may hold more."""
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return all(name in right and same(left[name], right[name]) for name in left)
    return type(left) is type(right) and bool(left == right)


_WRITER: Final = JSONEncoder(sort_keys=True)
"""Made once: an action is written a million times."""


def written(action: Json) -> str:
    """The same text for equal actions."""
    return _WRITER.encode(action)


def numbers(seed: bytes) -> Iterator[int]:
    """The commitment's stream: SHA-256(seed, uint32 counter), 8 bytes at a time, big-endian."""
    for counter in count():
        block = sha256(seed + counter.to_bytes(4, "big")).digest()
        for start in range(0, 32, 8):
            yield int.from_bytes(block[start : start + 8], "big")


def shuffled(cards: Iterable[str], stream: Iterator[int]) -> list[str]:
    """The cards in the order that the stream gives them."""
    pile = list(cards)
    for last in range(len(pile) - 1, 0, -1):
        n = last + 1
        other = next(word for word in stream if word < 2**64 - 2**64 % n) % n
        pile[last], pile[other] = pile[other], pile[last]
    return pile
