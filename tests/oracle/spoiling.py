"""Ways to spoil a record of any game. Each changes it in place; it may still be good."""

from collections import defaultdict
from collections.abc import Iterator
from random import Random
from typing import Final, NamedTuple, Protocol

from tests.oracle.judging import Json
from tests.oracle.record_oracle import OPTIONS

ODD: Final[list[Json]] = [
    *(None, True, False, 0, 1, 2, -1, 1.0, 10**30),
    *("", "1-", "Rb", "a1", "\u00e9" * 64, [], {}, [[]]),
]


class Spoil(Protocol):
    __name__: str

    def __call__(self, record: Json, rng: Random) -> None: ...


class Spot(NamedTuple):
    """Where a value stands that is no list and no object. `name`: its field's, or its list's."""

    name: str
    holder: Json
    key: Json


def spots(value: Json, name: str = "") -> Iterator[Spot]:
    keys: list[Json] = list(value) if isinstance(value, dict) else list(range(len(value)))
    for key in keys:
        inner: str = key if isinstance(value, dict) else name
        if isinstance(value[key], dict | list):
            yield from spots(value[key], inner)
        else:
            yield Spot(inner, value, key)


def two_alike(record: Json, rng: Random) -> tuple[Spot, Spot]:
    """Two spots with the same name, which may be the same one."""
    named: dict[str, list[Spot]] = defaultdict(list)
    for spot in spots(record):
        named[spot.name].append(spot)
    several = [found for found in named.values() if len(found) > 1]
    some = rng.choice(several)
    return rng.choice(some), rng.choice(some)


def exchange(record: Json, rng: Random) -> None:
    one, other = two_alike(record, rng)
    kept = one.holder[one.key]
    one.holder[one.key] = other.holder[other.key]
    other.holder[other.key] = kept


def copy_over(record: Json, rng: Random) -> None:
    one, other = two_alike(record, rng)
    one.holder[one.key] = other.holder[other.key]


def nudge(record: Json, rng: Random) -> None:
    """A number by a little, or a time by some."""
    numbers = [spot for spot in spots(record) if type(spot.holder[spot.key]) is int]
    holder, key = rng.choice(numbers)[1:]
    holder[key] += rng.choice([-100, -10, -1, 1, 10, 100, 1000, 20_000])


def anything_anywhere(record: Json, rng: Random) -> None:
    """Replace or delete a value somewhere in the tree."""
    holder: Json = record
    while True:
        key = rng.choice(list(holder) if isinstance(holder, dict) else list(range(len(holder))))
        value = holder[key]
        if not isinstance(value, dict | list) or not value or rng.random() < 0.25:
            break
        holder = value
    if rng.random() < 0.2:
        del holder[key]
    else:
        holder[key] = rng.choice(ODD)


def unknown_fields(record: Json, rng: Random) -> None:
    """They change nothing."""
    options = record.setdefault("options", {})  # a record may leave them out
    ply = record["plies"][0]
    known = (record, record["setup"], record["outcome"], options, ply, ply["action"])
    for holder in (*known, record["seats"][0]):
        holder["unheard_of"] = rng.choice(ODD)


# The setup ----------------------------------------------------------------------------------------


def other_option(record: Json, rng: Random) -> None:
    options = OPTIONS[record["game"]]
    name = rng.choice(list(options))
    known = record.setdefault("options", {})
    known.pop(name, None)
    if rng.random() < 0.8:
        known[name] = rng.choice([*options[name], [2, 1], [1], [True, 2], "both", True])


def more_or_fewer_seats(record: Json, rng: Random) -> None:
    record["seats"] = record["seats"][:1] * rng.randrange(6)


def move_a_card(record: Json, rng: Random) -> None:
    """Out of one list of the setup into another."""
    lists = list(lists_in(record["setup"]))
    rng.choice(lists).append(rng.choice([cards for cards in lists if cards]).pop())


def lists_in(value: Json) -> Iterator[list[Json]]:
    if isinstance(value, list):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from lists_in(inner)


def other_proof(record: Json, rng: Random) -> None:
    proof = record.get("proof")
    if proof:
        name = rng.choice(["seed", "sha256"])
        was = proof[name]
        proof[name] = rng.choice([was[::-1], was.upper(), was[:-1], "", "\u00e9" * 64, None, 7])


# The plies ----------------------------------------------------------------------------------------


def drop_ply(record: Json, rng: Random) -> None:
    del record["plies"][rng.choice([-1, rng.randrange(len(record["plies"]))])]


def repeat_ply(record: Json, rng: Random) -> None:
    plies = record["plies"]
    at = rng.randrange(len(plies))
    plies.insert(rng.choice([at, len(plies)]), plies[at])


def swap_plies(record: Json, rng: Random) -> None:
    plies = record["plies"]
    at = rng.randrange(len(plies) - 1)
    plies[at], plies[at + 1] = plies[at + 1], plies[at]


def other_seat(record: Json, rng: Random) -> None:
    rng.choice(record["plies"])["seat"] = rng.choice([0, 1, 2, 3, 4, -1, True])


def other_legal(record: Json, rng: Random) -> None:
    """In any order is right; one more, one less or another is wrong."""
    listing = [ply["legal"] for ply in record["plies"] if ply.get("legal")]
    if listing:
        legal = rng.choice(listing)
        action = rng.choice(legal)
        rng.shuffle(legal)
        change = rng.choice([legal.remove, legal.append, lambda one: legal.append({**one, "n": 1})])
        change(action)


def all_later(record: Json, rng: Random) -> None:
    """From some ply on; what was about to be decided is decided meanwhile."""
    more = rng.choice([1, 30, 150, 1000, 15_000, 60_000])
    for ply in record["plies"][rng.randrange(len(record["plies"])) :]:
        if "at_ms" in ply:
            ply["at_ms"] += more


def other_line(record: Json, rng: Random) -> None:
    """A seat's line has another delay all through the match: another's shot may be the earlier."""
    seat, lag = rng.randrange(len(record["seats"])), rng.choice([0, 5, 40, 150, 400])
    for ply in record["plies"]:
        if "lags_ms" in ply:
            ply["lags_ms"][seat] = lag


# The outcome --------------------------------------------------------------------------------------


def other_winners(record: Json, rng: Random) -> None:
    seats = range(len(record["seats"]))
    record["outcome"]["winners"] = [seat for seat in seats if rng.random() < 0.5]


def other_reason(record: Json, rng: Random) -> None:
    reasons = ["points", "mouse", "cat", "shared", "alone", "wild", "money", "level", "luck"]
    record["outcome"]["decided_by"] = rng.choice(reasons)


SPOILING: Final[list[Spoil]] = [
    exchange,
    copy_over,
    nudge,
    anything_anywhere,
    unknown_fields,
    other_option,
    more_or_fewer_seats,
    move_a_card,
    other_proof,
    drop_ply,
    repeat_ply,
    swap_plies,
    other_seat,
    other_legal,
    all_later,
    other_line,
    other_winners,
    other_reason,
]
