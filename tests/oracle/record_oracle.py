"""What the oracle says of a whole record: is it one, and where does it first go wrong?"""

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import count

from tests.oracle.clocktowers_oracle import BOX, OPTION_VALUES, REMOVED, START, Json, Table


class Wrong(Exception):
    """A record's first fault: `setup`, `ply K` or `outcome`, and why."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: {why}")
        self.where = where


def is_int(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def same(left: Json, right: Json) -> bool:
    """Equal as JSON: true is not 1, and 1.0 is not 1."""
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return type(left) is type(right) and bool(left == right)


def need(good: bool, where: str, why: str) -> None:
    if not good:
        raise Wrong(where, why)


def is_record(value: Json) -> bool:
    """Whether the envelope has the right shape; what is inside may still be wrong."""
    if not isinstance(value, dict) or not is_int(value.get("version")):
        return False
    kinds = {"options": dict, "seats": list, "setup": dict, "plies": list, "outcome": dict}
    parts = {"options": {}, **value}
    named = (value.get("format"), value["version"], value.get("game"))
    return named == ("clocktowers-record", 1, "clocktowers") and all(
        isinstance(parts.get(name), kind) for name, kind in kinds.items()
    )


def numbers(seed: bytes) -> Iterator[int]:
    """The commitment's stream: SHA-256(seed, uint32 counter), 8 bytes at a time, big-endian."""
    for counter in count():
        block = sha256(seed + counter.to_bytes(4, "big")).digest()
        for start in range(0, 32, 8):
            yield int.from_bytes(block[start : start + 8], "big")


def dealt(seed: bytes, seats: int) -> Json:
    """Piles and removed cards that a seed deals: floors, clocks, roofs shuffled in this order."""
    stream = numbers(seed)
    deal: dict[str, Json] = {"piles": {}, "removed": {}}
    for kind, box in BOX.items():
        pile = [card for card in box for _ in range(box[card] - seats * START.count(card))]
        for last in range(len(pile) - 1, 0, -1):
            n = last + 1
            other = next(word for word in stream if word < 2**64 - 2**64 % n) % n
            pile[last], pile[other] = pile[other], pile[last]
        out = REMOVED.get(kind, 0)
        deal["piles"][kind] = pile[out:]
        if out:
            deal["removed"][kind] = pile[:out]
    return deal


def check_proof(proof: Json, setup: Json, seats: int) -> None:
    need(isinstance(proof, dict), "setup", "proof")
    halves = [proof.get("seed"), proof.get("sha256")]
    need(all(isinstance(half, str) and len(half) == 64 for half in halves), "setup", "proof")
    digits = set("0123456789abcdefABCDEF")
    need(all(digits.issuperset(half) for half in halves), "setup", "proof")
    seed = bytes.fromhex(proof["seed"])
    need(sha256(seed).hexdigest() == proof["sha256"].lower(), "setup", "proof")
    deal = dealt(seed, seats)
    for part, kinds in deal.items():
        for kind, cards in kinds.items():
            need(setup[part][kind] == cards, "setup", "the proof deals other cards")


def check_setup(record: Json) -> None:
    """Options known, seats 2-4, all 66 cards there and each where it belongs."""
    for name, values in OPTION_VALUES.items():
        if name in record.get("options", {}):
            given = record["options"][name]
            need(any(same(given, value) for value in values), "setup", f"option {name}")
    seats, setup = len(record["seats"]), record["setup"]
    need(2 <= seats <= 4, "setup", "how many seats")
    for seat in record["seats"]:
        need(isinstance(seat, dict) and isinstance(seat.get("name"), str), "setup", "a seat")
        need(seat.get("kind") in ("human", "bot"), "setup", "a seat")
    need(is_int(setup.get("first_seat")), "setup", "first seat")
    need(0 <= setup["first_seat"] < seats, "setup", "first seat")
    for part in ("piles", "removed"):
        need(isinstance(setup.get(part), dict), "setup", part)
    for kind, box in BOX.items():
        pile, removed = setup["piles"].get(kind), setup["removed"].get(kind, [])
        need(isinstance(pile, list) and isinstance(removed, list), "setup", f"{kind} pile")
        cards = [*pile, *removed, *(card for card in START * seats if card in box)]
        need(all(isinstance(card, str) for card in cards), "setup", f"{kind} cards")
        need(Counter(cards) == Counter(box), "setup", f"{kind} cards")
        need(len(removed) == REMOVED.get(kind, 0), "setup", f"{kind} removed")
    if "proof" in record:
        check_proof(record["proof"], setup, seats)


def understood(action: Json) -> Json:
    """The parts of an action that mean something, or None when it is none."""
    if not isinstance(action, dict):
        return None
    parts = {"play": ("card", "tower"), "discard": ("card",), "draw": ("pile",)}
    do = action.get("do")
    if not isinstance(do, str) or do not in parts or not all(p in action for p in parts[do]):
        return None
    kept = {part: action[part] for part in ("do", *parts[do])}
    strings = [kept[part] for part in kept if part != "tower"]
    tower = kept.get("tower")
    good = all(isinstance(s, str) for s in strings) and (tower is None or is_int(tower))
    return kept if good else None


def check_legal(given: Json, legal: list[Json], where: str) -> None:
    need(isinstance(given, list) and len(given) == len(legal), where, "legal")
    listed = [understood(action) for action in given]
    need(all(action in listed for action in legal), where, "legal")


def check_plies(record: Json) -> Table:
    table = Table(record.get("options", {}), len(record["seats"]), record["setup"])
    for number, ply in enumerate(record["plies"]):
        where = f"ply {number}"
        need(isinstance(ply, dict), where, "not an object")
        need(not table.over(), where, "after the end")
        need(is_int(ply.get("seat")) and ply["seat"] == table.turn, where, "whose turn")
        legal = table.legal()
        if "legal" in ply:
            check_legal(ply["legal"], legal, where)
        action = understood(ply.get("action"))
        need(action in legal, where, "not legal")
        table.act(action)
    return table


def first_fault(record: Json) -> str | None:
    """`setup`, `ply K`, `outcome`, or None for a good record."""
    try:
        check_setup(record)
        table = check_plies(record)
        need(table.over(), "outcome", "not over")
        for name, value in table.outcome().items():
            need(same(record["outcome"].get(name), value), "outcome", name)
    except Wrong as wrong:
        return wrong.where
    return None
