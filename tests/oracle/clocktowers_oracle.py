"""Clocktowers read a second time from its rules page: slow, plain, and no code of the server's.

Works on records alone: cards are their codes, actions are the record's own objects. What it says
is compared with what the engine says; where they differ, the rules page decides.
"""

from collections import Counter
from random import Random
from typing import Any

Json = Any

# rules: Cards. Kind → copies of each code in the box, 66 in all.
BOX = {
    "floor": {"1-": 5, "1c": 5, "1m": 4, "2-": 5, "2c": 5, "2m": 4},
    "clock": {"K-": 9, "Km": 9},
    "roof": {"Rb": 4, "Rg": 4, "Rp": 4, "Rr": 4, "Ry": 4},
}
START = ["1c", "1m", "Km"]
REMOVED = {"floor": 5, "roof": 3}
OPTION_VALUES: dict[str, list[Json]] = {
    "first_heights": [[1, 2], [2]],
    "turn_order": ["play-draw", "draw-play"],
    "ladder": ["shared", "own"],
    "clock_mice": ["count", "ignore"],
}


def storeys(card: str) -> int:
    return int(card[0]) if card[0] in "12" else 0


def height(tower: list[str]) -> int:
    return sum(storeys(card) for card in tower)


def is_floor(card: str) -> bool:
    return card[0] in "12"


def only_floors(tower: list[str]) -> bool:
    return all(is_floor(card) for card in tower)


def complete(tower: list[str]) -> bool:
    return tower[-1][0] == "R"


class Table:
    """One match as it would lie on a real table."""

    def __init__(self, options: dict[str, Json], seats: int, setup: Json) -> None:
        defaults = {name: values[0] for name, values in OPTION_VALUES.items()}
        self.options = {**defaults, **options}
        self.seats = seats
        self.turn: int = setup["first_seat"]
        self.piles = {kind: list(setup["piles"][kind]) for kind in BOX}
        self.hands = [list(START) for _ in range(seats)]
        self.towers: list[list[list[str]]] = [[] for _ in range(seats)]
        self.completed: list[tuple[int, str, int]] = []  # seat, roof, height; oldest first
        self.drawing = self.draws_first() and self.cards_in_piles()

    def draws_first(self) -> bool:
        return bool(self.options["turn_order"] == "draw-play")

    def cards_in_piles(self) -> bool:
        return any(self.piles.values())

    def over(self) -> bool:
        return not self.cards_in_piles() and not any(self.hands)

    def heights_that_fit(self, roof: str) -> list[int]:
        """rules: The ladder of heights."""
        shared = self.options["ladder"] == "shared"
        before = [h for seat, r, h in self.completed if r == roof and (shared or seat == self.turn)]
        return [before[-1] + 1] if before else list(self.options["first_heights"])

    def places(self, card: str) -> list[int | None]:
        """Where the seat to act may play this card. rules: A turn."""
        towers = list(enumerate(self.towers[self.turn]))
        if is_floor(card):
            return [None, *(n for n, tower in towers if only_floors(tower))]
        if card[0] == "K":
            return [n for n, tower in towers if only_floors(tower)]
        fits = self.heights_that_fit(card)
        return [n for n, tower in towers if tower[-1][0] == "K" and height(tower) in fits]

    def legal(self) -> list[Json]:
        if self.over():
            return []
        if self.drawing:
            return [{"do": "draw", "pile": kind} for kind in BOX if self.piles[kind]]
        actions: list[Json] = []
        for card in sorted(set(self.hands[self.turn])):
            actions.append({"do": "discard", "card": card})
            actions += [{"do": "play", "card": card, "tower": place} for place in self.places(card)]
        return actions

    def act(self, action: Json) -> None:
        """Do an action that is legal."""
        hand = self.hands[self.turn]
        if action["do"] == "draw":
            hand.append(self.piles[action["pile"]].pop(0))
        else:
            hand.remove(action["card"])
        if action["do"] == "play":
            self.build(action["card"], action["tower"])
        self.go_on(action["do"] == "draw")

    def build(self, card: str, place: int | None) -> None:
        towers = self.towers[self.turn]
        if place is None:
            towers.append([card])
            return
        towers[place].append(card)
        if complete(towers[place]):
            self.completed.append((self.turn, card, height(towers[place])))

    def go_on(self, drew: bool) -> None:
        """A turn is one play or discard and, while there are cards, one draw."""
        if drew and self.draws_first():
            self.drawing = False
        elif not drew and not self.draws_first() and self.cards_in_piles():
            self.drawing = True
        else:
            self.turn = (self.turn + 1) % self.seats
            self.drawing = self.draws_first() and self.cards_in_piles()

    def points(self, tower: list[str]) -> int:
        """rules: Score."""
        if not complete(tower):
            return 0
        ignored = self.options["clock_mice"] == "ignore"
        counted = [card for card in tower if is_floor(card) or (card == "Km" and not ignored)]
        cats = any(card[1] == "c" for card in counted)
        mice = any(card[1] == "m" for card in counted)
        if cats and mice:
            return 3
        if cats:
            return 4
        return 2 if mice else 5

    def on_top(self, seat: int, animal: str) -> bool:
        """Whether a complete tower of the seat's has the animal on its topmost floor card."""
        tops = []
        for tower in self.towers[seat]:
            if complete(tower):
                tops.append([card for card in tower if is_floor(card)][-1])
        return any(top[1] == animal for top in tops)

    def outcome(self) -> Json:
        """rules: Score, Ties."""
        scores = [sum(map(self.points, towers)) for towers in self.towers]
        tied = [seat for seat in range(self.seats) if scores[seat] == max(scores)]
        decided_by = "points" if len(tied) == 1 else "shared"
        for animal, name in (("m", "mouse"), ("c", "cat")):
            having = [seat for seat in tied if self.on_top(seat, animal)]
            if len(tied) > 1 and having:
                tied = having
                decided_by = name if len(tied) == 1 else "shared"
        return {"scores": scores, "winners": tied, "decided_by": decided_by}


# Matches of its own ------------------------------------------------------------------------------


def deal(seats: int, rng: Random) -> Json:
    setup: dict[str, Json] = {"first_seat": rng.randrange(seats), "piles": {}, "removed": {}}
    for kind, box in BOX.items():
        left = Counter(box) - Counter(START * seats)
        pile = sorted(left.elements())
        rng.shuffle(pile)
        out = REMOVED.get(kind, 0)
        setup["piles"][kind] = pile[out:]
        if out:
            setup["removed"][kind] = pile[:out]
    return setup


def choose(table: Table, rng: Random) -> Json:
    """At random, but roofs and clocks are played more often, so that there are towers to score."""
    legal = table.legal()
    eager = [a for a in legal if a["do"] == "play" and a["card"][0] in "KR"]
    return rng.choice(eager if eager and rng.random() < 0.6 else legal)


def random_record(seats: int, options: dict[str, Json], rng: Random, with_legal: bool) -> Json:
    """A whole match with cards shuffled here; without a proof."""
    setup = deal(seats, rng)
    table = Table(options, seats, setup)
    plies = []
    while not table.over():
        action = choose(table, rng)
        ply = {"seat": table.turn, "action": action}
        if with_legal:
            ply["legal"] = table.legal()
        plies.append(ply)
        table.act(action)
    return {
        "format": "clocktowers-record",
        "version": 1,
        "game": "clocktowers",
        "options": options,
        "seats": [{"name": f"Seat {n}", "kind": "human"} for n in range(seats)],
        "setup": setup,
        "plies": plies,
        "outcome": table.outcome(),
    }
