"""Clocktowers read a second time from its rules page: slow, plain, and no code of the server's.

Works on records alone: cards are their codes, actions are the record's own objects. What it says
is compared with what the engine says; where they differ, the rules page decides.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random

from tests.oracle.judging import Json, OracleTable, Reading, is_int, need, shuffled

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


class OracleTowers:
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


def choose(table: OracleTable, rng: Random) -> Json:
    """At random, but roofs and clocks are played more often, so that there are towers to score."""
    legal = table.legal()
    eager = [a for a in legal if a["do"] == "play" and a["card"][0] in "KR"]
    return rng.choice(eager if eager and rng.random() < 0.6 else legal)


def dealt(stream: Iterator[int], seats: int) -> Json:
    """Piles and removed cards that a seed deals: floors, clocks, roofs shuffled in this order."""
    parts: dict[str, Json] = {"piles": {}, "removed": {}}
    for kind, box in BOX.items():
        cards = [card for card in box for _ in range(box[card] - seats * START.count(card))]
        pile, out = shuffled(cards, stream), REMOVED.get(kind, 0)
        parts["piles"][kind] = pile[out:]
        if out:
            parts["removed"][kind] = pile[:out]
    return parts


def check_cards(setup: Json, seats: int) -> None:
    """All 66 cards, each where it belongs."""
    for part in ("piles", "removed"):
        need(isinstance(setup.get(part), dict), "setup", part)
    for kind, box in BOX.items():
        pile, removed = setup["piles"].get(kind), setup["removed"].get(kind, [])
        need(isinstance(pile, list) and isinstance(removed, list), "setup", f"{kind} pile")
        cards = [*pile, *removed, *(card for card in START * seats if card in box)]
        need(all(isinstance(card, str) for card in cards), "setup", f"{kind} cards")
        need(Counter(cards) == Counter(box), "setup", f"{kind} cards")
        need(len(removed) == REMOVED.get(kind, 0), "setup", f"{kind} removed")


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


CLOCKTOWERS = Reading(
    game="clocktowers",
    options=OPTION_VALUES,
    seats=(2, 3, 4),
    table=OracleTowers,
    check_cards=check_cards,
    dealt=dealt,
    understood=understood,
    deal=deal,
    choose=choose,
)
