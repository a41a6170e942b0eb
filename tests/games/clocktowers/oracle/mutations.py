"""Ways to spoil a record of Clocktowers: its cards and towers."""

from random import Random
from typing import Final

from tests.games.clocktowers.oracle.oracle import BOX
from tests.oracle.judging import Json
from tests.oracle.mutations import Mutation


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


MUTATIONS: Final[list[Mutation]] = [
    other_card,
    other_tower,
    other_pile,
    other_do,
    swap_in_pile,
    swap_with_removed,
    double_card,
    move_between_piles,
    remove_a_clock,
]
