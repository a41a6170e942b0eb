"""Ways to spoil a record. Each changes a copy in place; whether it is still good, others judge."""

from random import Random
from typing import Final, Protocol

from tests.oracle.clocktowers_oracle import BOX, OPTION_VALUES, Json

ODD: Final[list[Json]] = [None, True, False, 0, 1, 2, -1, 1.0, 10**30, "", "1-", "Rb", [], {}, [[]]]


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


def other_card(record: Json, rng: Random) -> None:
    ply = rng.choice([ply for ply in record["plies"] if "card" in ply["action"]])
    ply["action"]["card"] = rng.choice([card for box in BOX.values() for card in box])


def other_tower(record: Json, rng: Random) -> None:
    plays = [ply for ply in record["plies"] if ply["action"]["do"] == "play"]
    if plays:
        rng.choice(plays)["action"]["tower"] = rng.choice([None, 0, 1, 2, 3, 40, True, -1])


def other_pile(record: Json, rng: Random) -> None:
    ply = rng.choice([ply for ply in record["plies"] if ply["action"]["do"] == "draw"])
    ply["action"]["pile"] = rng.choice(list(BOX))


def other_do(record: Json, rng: Random) -> None:
    ply = rng.choice(record["plies"])
    ply["action"]["do"] = rng.choice(["play", "discard", "draw", "pass"])


def other_seat(record: Json, rng: Random) -> None:
    rng.choice(record["plies"])["seat"] = rng.choice([0, 1, 2, 3, 4, -1, True])


def other_score(record: Json, rng: Random) -> None:
    scores = record["outcome"]["scores"]
    scores[rng.randrange(len(scores))] += rng.choice([-1, 0, 1, 0.0])


def other_winners(record: Json, rng: Random) -> None:
    seats = range(len(record["seats"]))
    record["outcome"]["winners"] = [seat for seat in seats if rng.random() < 0.5]


def other_reason(record: Json, rng: Random) -> None:
    record["outcome"]["decided_by"] = rng.choice(["points", "mouse", "cat", "shared", "luck"])


def other_option(record: Json, rng: Random) -> None:
    name = rng.choice(list(OPTION_VALUES))
    record["options"][name] = rng.choice([*OPTION_VALUES[name], [2, 1], [1], [True, 2], "both"])


def drop_option(record: Json, rng: Random) -> None:
    record["options"].pop(rng.choice(list(OPTION_VALUES)), None)


def other_first_seat(record: Json, rng: Random) -> None:
    record["setup"]["first_seat"] = rng.choice([0, 1, 2, 3, 4, -1, False])


def swap_in_pile(record: Json, rng: Random) -> None:
    pile = record["setup"]["piles"][rng.choice(list(BOX))]
    a, b = rng.randrange(len(pile)), rng.randrange(len(pile))
    pile[a], pile[b] = pile[b], pile[a]


def swap_with_removed(record: Json, rng: Random) -> None:
    setup, kind = record["setup"], rng.choice(["floor", "roof"])
    pile, removed = setup["piles"][kind], setup["removed"][kind]
    pile[-1], removed[0] = removed[0], pile[-1]


def double_card(record: Json, rng: Random) -> None:
    pile = record["setup"]["piles"][rng.choice(list(BOX))]
    pile[rng.randrange(len(pile))] = rng.choice(pile)


def move_between_piles(record: Json, rng: Random) -> None:
    piles = record["setup"]["piles"]
    piles[rng.choice(list(BOX))].append(piles[rng.choice(list(BOX))].pop())


def remove_a_clock(record: Json, rng: Random) -> None:
    record["setup"]["removed"]["clock"] = rng.choice([[], ["K-"], [record["setup"]["piles"]], 0])


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
    spots = (record, record["setup"], record["outcome"], record["options"], record["plies"][0])
    for spot in (
        *spots,
        record["plies"][0]["action"],
        record["seats"][0],
        record["setup"]["piles"],
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
    other_card,
    other_tower,
    other_pile,
    other_do,
    other_seat,
    other_score,
    other_winners,
    other_reason,
    other_option,
    drop_option,
    other_first_seat,
    swap_in_pile,
    swap_with_removed,
    double_card,
    move_between_piles,
    remove_a_clock,
    more_or_fewer_seats,
    other_legal,
    shuffle_legal,
    unknown_fields,
    other_proof,
    anything_anywhere,
]
