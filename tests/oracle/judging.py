"""How the second readings judge JSON, and the stream by which a proof deals."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from json import JSONEncoder
from random import Random
from typing import Any, Final, Protocol, TypeAlias, TypeVar

Json: TypeAlias = Any
Card = TypeVar("Card")


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


def shuffled(cards: Iterable[Card], stream: Iterator[int]) -> list[Card]:
    """The cards in the order that the stream gives them."""
    pile = list(cards)
    for last in range(len(pile) - 1, 0, -1):
        n = last + 1
        other = next(word for word in stream if word < 2**64 - 2**64 % n) % n
        pile[last], pile[other] = pile[other], pile[last]
    return pile


HEX: Final = set("0123456789abcdefABCDEF")


def is_hash(value: Json) -> bool:
    """Whether it is 32 bytes in hex, as a seed is, too."""
    return isinstance(value, str) and len(value) == 64 and HEX.issuperset(value)


def proven_seed(proof: Json) -> bytes:
    """The seed of a proof that holds."""
    need(isinstance(proof, dict), "setup", "proof")
    need(is_hash(proof.get("seed")) and is_hash(proof.get("sha256")), "setup", "proof")
    seed = bytes.fromhex(proof["seed"])
    need(sha256(seed).hexdigest() == proof["sha256"].lower(), "setup", "proof")
    return seed


def check_seats(seats: Sequence[Json], possible: Sequence[int]) -> None:
    need(len(seats) in possible, "setup", "how many seats")
    for seat in seats:
        need(isinstance(seat, dict) and isinstance(seat.get("name"), str), "setup", "a seat")
        need(seat.get("kind") in ("human", "bot"), "setup", "a seat")


def check_legal(
    given: Json, legal: Sequence[Json], where: str, understood: Callable[[Json], Json]
) -> None:
    """The same actions in any order, each once."""
    need(isinstance(given, list), where, "legal")
    listed = Counter(written(understood(action)) for action in given)
    need(listed == Counter(map(written, legal)), where, "legal")


class OracleTable(Protocol):
    """One match as it would lie on a real table; actions are the record's own objects."""

    turn: int

    def over(self) -> bool: ...
    def legal(self) -> list[Json]: ...
    def act(self, action: Json) -> None: ...
    def outcome(self) -> Json: ...


@dataclass(frozen=True)
class Reading:
    """A game's second reading.

    `options`: each with its values, the default first. `check_cards(setup, seats)` raises Wrong.
    `dealt(stream, seats)`: the part of a setup that a seed deals. `understood(action)`: the parts
    of an action that mean something, or None. `deal`: a setup of the oracle's own; `choose`: an
    action for a table that is not over.
    """

    game: str
    options: Mapping[str, Sequence[Json]]
    seats: Sequence[int]
    table: Callable[[dict[str, Json], int, Json], OracleTable]
    check_cards: Callable[[Json, int], None]
    dealt: Callable[[Iterator[int], int], Json]
    understood: Callable[[Json], Json]
    deal: Callable[[int, Random], Json]
    choose: Callable[[OracleTable, Random], Json]

    def record(
        self, seats: int, options: dict[str, Json], rng: Random, with_legal: bool
    ) -> dict[str, Json]:
        """A whole match with cards shuffled here; without a proof."""
        setup = self.deal(seats, rng)
        table = self.table(options, seats, setup)
        plies = []
        while not table.over():
            action = self.choose(table, rng)
            ply = {"seat": table.turn, "action": action}
            if with_legal:
                ply["legal"] = table.legal()
            plies.append(ply)
            table.act(action)
        return {
            "format": "clocktowers-record",
            "version": 1,
            "game": self.game,
            "options": options,
            "seats": [{"name": f"Seat {n}", "kind": "human"} for n in range(seats)],
            "setup": setup,
            "plies": plies,
            "outcome": table.outcome(),
        }
