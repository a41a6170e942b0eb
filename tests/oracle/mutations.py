"""Ways to spoil a record of any game; each game adds its own in `tests/games/NAME/oracle`.

Each changes a copy in place; the callers judge whether it is still good.
"""

from random import Random
from typing import Final, Protocol

from tests.oracle.judging import Json
from tests.oracle.record_oracle import READINGS

ODD: Final[list[Json]] = [
    None,
    True,
    False,
    0,
    1,
    2,
    -1,
    1.0,
    10**30,
    "",
    "1-",
    "Rb",
    "a1",
    [],
    {},
    [[]],
]


class Mutation(Protocol):
    __name__: str

    def __call__(self, record: Json, rng: Random) -> None: ...


def drop_ply(record: Json, rng: Random) -> None:
    del record["plies"][rng.randrange(len(record["plies"]))]


def drop_last_ply(record: Json, rng: Random) -> None:
    del record["plies"][-1]


def repeat_ply(record: Json, rng: Random) -> None:
    at = rng.randrange(len(record["plies"]))
    record["plies"].insert(at, record["plies"][at])


def add_ply(record: Json, rng: Random) -> None:
    record["plies"].append(rng.choice(record["plies"]))


def swap_plies(record: Json, rng: Random) -> None:
    plies = record["plies"]
    at = rng.randrange(len(plies) - 1)
    plies[at], plies[at + 1] = plies[at + 1], plies[at]


def other_seat(record: Json, rng: Random) -> None:
    rng.choice(record["plies"])["seat"] = rng.choice([0, 1, 2, 3, 4, -1, True])


def other_score(record: Json, rng: Random) -> None:
    scores = record["outcome"]["scores"]
    scores[rng.randrange(len(scores))] += rng.choice([-1, 0, 1, 0.0])


def other_winners(record: Json, rng: Random) -> None:
    seats = range(len(record["seats"]))
    record["outcome"]["winners"] = [seat for seat in seats if rng.random() < 0.5]


def other_reason(record: Json, rng: Random) -> None:
    record["outcome"]["decided_by"] = rng.choice(
        ["points", "mouse", "cat", "shared", "alone", "luck"]
    )


def other_option(record: Json, rng: Random) -> None:
    name, values = rng.choice(list(READINGS[record["game"]].options.items()))
    record.setdefault("options", {})[name] = rng.choice([*values, [2, 1], [1], [True, 2], "both"])


def drop_option(record: Json, rng: Random) -> None:
    record.get("options", {}).pop(rng.choice(list(READINGS[record["game"]].options)), None)


def other_first_seat(record: Json, rng: Random) -> None:
    record["setup"]["first_seat"] = rng.choice([0, 1, 2, 3, 4, -1, False])


def more_or_fewer_seats(record: Json, rng: Random) -> None:
    record["seats"] = record["seats"][:1] * rng.randrange(6)


def other_legal(record: Json, rng: Random) -> None:
    listing = [ply["legal"] for ply in record["plies"] if ply.get("legal")]
    if listing:
        legal = rng.choice(listing)
        action = rng.choice(legal)
        change = rng.choice([legal.remove, legal.append, lambda one: legal.append({**one, "n": 1})])
        change(action)


def shuffle_legal(record: Json, rng: Random) -> None:
    for ply in record["plies"]:
        rng.shuffle(ply.get("legal", []))


def unknown_fields(record: Json, rng: Random) -> None:
    options = record.setdefault("options", {})  # a record may leave them out
    spots = (record, record["setup"], record["outcome"], options, record["plies"][0])
    for spot in (
        *spots,
        record["plies"][0]["action"],
        record["seats"][0],
        record["setup"].get("piles", record["outcome"]),
    ):
        spot["unheard_of"] = rng.choice(ODD)


def other_proof(record: Json, rng: Random) -> None:
    proof = record.get("proof")
    if proof:
        name = rng.choice(["seed", "sha256"])
        changes = (proof[name][::-1], proof[name].upper(), proof[name][:-1], "", "é" * 64, None, 7)
        proof[name] = rng.choice(changes)


def anything_anywhere(record: Json, rng: Random) -> None:
    """Replace or delete a value somewhere in the tree."""
    spot: Json = record
    while True:
        keys = list(spot) if isinstance(spot, dict) else list(range(len(spot)))
        key = rng.choice(keys)
        if not isinstance(spot[key], dict | list) or not spot[key] or rng.random() < 0.25:
            break
        spot = spot[key]
    if rng.random() < 0.2:
        del spot[key]
    else:
        spot[key] = rng.choice(ODD)


MUTATIONS: Final[list[Mutation]] = [
    drop_ply,
    drop_last_ply,
    repeat_ply,
    add_ply,
    swap_plies,
    other_seat,
    other_score,
    other_winners,
    other_reason,
    other_option,
    drop_option,
    other_first_seat,
    more_or_fewer_seats,
    other_legal,
    shuffle_legal,
    unknown_fields,
    other_proof,
    anything_anywhere,
]
