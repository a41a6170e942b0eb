"""The cards of Wild Wild Pattern read a second time, from the rules page alone: the Bank, the
patterns, and where each card lies and can go.

Cards and features are words: `star-yellow` is a card, its features are `star`, `yellow` and `coin`.
A declaration is (direction, anchor, partner). Nothing here is fast, and nothing is the game's code.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Final, NamedTuple, TypeAlias

from tests.oracle.judging import Json, numbers, shuffled

# rules: Cards. M = coin, P = bullets.
_TABLE: Final = """
    object    red azure yellow grey white
    pistol    M   P     M      M    P
    loot      P   M     P      P    M
    star      M   P     M      M    P
    bottle    P   M     P      P    M
    horseshoe M   P     M      M    P
    dynamite  P   M     P      P    M
    barrel    M   P     M      M    P
    wanted    P   M     P      P    M
"""
_HEAD, *_ROWS = [line.split() for line in _TABLE.strip().splitlines()]

COLOURS: Final = _HEAD[1:]
OBJECTS: Final = [row[0] for row in _ROWS]
SUITS: Final = ["coin", "bullets"]
SUIT: Final = {
    f"{row[0]}-{colour}": "coin" if letter == "M" else "bullets"
    for row in _ROWS
    for colour, letter in zip(COLOURS, row[1:], strict=True)
}
"""Card → its suit; the cards stand object by object, in each colour by colour."""

CHALLENGES: Final = [
    "1-card",
    "piano-player",
    "hands-up",
    "trade",
    "1-dollar",
    "50-cents",
    "10-cents",
]
PAYS: Final = {"1-dollar": 100, "50-cents": 50, "10-cents": 10}
TARGETS: Final = OBJECTS[:7]

Declared: TypeAlias = tuple[str, str, str]


def features(card: str) -> set[str]:
    """The object, the colour and the suit of a Pattern card."""
    return {*card.split("-"), SUIT[card]}


# Patterns ----------------------------------------------------------------------------------------


def is_declaration(declared: Declared) -> bool:
    """An object, paired with a colour or a suit."""
    _direction, anchor, partner = declared
    return (anchor in OBJECTS) + (partner in OBJECTS) == 1


def next_to(wheel: Sequence[str], direction: str) -> list[tuple[int, int]]:
    """Every place with the one before it, or after it."""
    clockwise = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 0)]
    if direction == "after":
        return clockwise
    return [(later, sooner) for sooner, later in clockwise]


class FoundPattern(NamedTuple):
    """A pattern on the Wheel: how often its anchor occurs, and the places in its pairs."""

    anchors: int
    places: set[int]

    @property
    def is_wild(self) -> bool:
        return len(self.places) == 8


NOTHING: Final = FoundPattern(0, set())


def found(wheel: Sequence[str], declared: Declared) -> FoundPattern:
    """rules: Pattern. Nothing unless it is there at least twice, and always."""
    direction, anchor, partner = declared
    pairs = [
        (here, there)
        for here, there in next_to(wheel, direction)
        if anchor in features(wheel[here])
    ]
    never_otherwise = all(partner in features(wheel[there]) for _here, there in pairs)
    if len(pairs) < 2 or not never_otherwise:
        return NOTHING
    return FoundPattern(len(pairs), {place for pair in pairs for place in pair})


def made(
    wheel: Sequence[str], place: int, covered: str, declared: Declared, in_pair: str
) -> FoundPattern:
    """What a play has made that led to this Wheel; `in_pair` is the option."""
    before = list(wheel)
    before[place] = covered
    now = found(wheel, declared)
    if found(before, declared) != NOTHING:
        return NOTHING
    if in_pair == "required" and place not in now.places:
        return NOTHING
    return now


# The Bank ----------------------------------------------------------------------------------------


class Paid(NamedTuple):
    """`lines`: those that are met, from top to bottom."""

    lines: list[str]
    cents: int
    wild: bool


def bank(cards: Sequence[str], target: str, five_colours: str) -> Paid:
    """rules: Bank. `five_colours` is the option, `win` or `pay`."""
    if len(cards) > 5:
        return Paid([], 0, False)
    shown = [word for card in cards for word in features(card)]

    def some(words: Sequence[str], exactly: int) -> bool:
        """Whether the cards show one of these words exactly so often."""
        return any(shown.count(word) == exactly for word in words)

    all_objects, all_colours = (len({*words} & {*shown}) for words in (OBJECTS, COLOURS))
    wins = some(OBJECTS, 5) or (all_colours == 5 and five_colours == "win")
    sheet = [
        ("one_of_a_suit", 10, some(SUITS, 1)),
        ("five_of_a_suit", 50, some(SUITS, 5)),
        ("two_colour", 10, some(COLOURS, 2)),
        ("three_colour", 50, some(COLOURS, 3)),
        ("four_colour", 100, some(COLOURS, 4)),
        ("five_colour", 150, some(COLOURS, 5)),
        ("two_object", 10, some(OBJECTS, 2)),
        ("three_object", 50, some(OBJECTS, 3)),
        ("four_object", 100, some(OBJECTS, 4)),
        ("five_objects", 20, all_objects == 5),
        ("one_target", 10, some([target], 1)),
        ("two_targets", 30, some([target], 2)),
        ("three_targets", 60, some([target], 3)),
        ("four_targets", 100, some([target], 4)),
        ("five_colours", 100, all_colours == 5 and five_colours == "pay"),
        ("wild", 0, wins),
    ]
    met = [(name, cents) for name, cents, is_met in sheet if is_met]
    return Paid([name for name, _ in met], sum(cents for _, cents in met), wins)


# On the table ------------------------------------------------------------------------------------

PACK: Final = [*SUIT, *CHALLENGES]
"""All cards, in the order in which they are shuffled."""

GAP: Final = ""


def laid_out(cards: list[str]) -> tuple[list[str], list[str], list[str]]:
    """rules: Setting up a round. The Wheel, the deck, and what left the game."""
    wheel, deck, gone = cards[:8], cards[8:], []
    for place in range(8):
        while wheel[place] in CHALLENGES:
            gone.append(wheel[place])
            wheel[place] = deck.pop(0)
    return wheel, deck, gone


class Cards:
    """`out`: out of the game. By seat: `won` Pattern cards, `held` Challenge cards, `target`."""

    def __init__(self, seats: int, seed: bytes) -> None:
        self.all = list(range(seats))
        self.playing = list(self.all)
        self.seed = seed
        self.shuffles = 0

    def lay_out(self) -> None:
        """rules: Setting up a round."""
        self.next_stream()
        dealt = self.shuffle(TARGETS)
        self.target = dict(zip(self.playing, dealt, strict=False))
        self.wheel, self.deck, self.out = laid_out(self.shuffle(PACK))
        self.won: dict[int, list[str]] = {seat: [] for seat in self.all}
        self.held: dict[int, list[str]] = {seat: [] for seat in self.all}

    def shuffle(self, cards: Sequence[str]) -> list[str]:
        return shuffled(cards, self.stream)

    def next_stream(self) -> None:
        """Shuffles are counted through the match; each has a stream of its own."""
        number = self.shuffles.to_bytes(4, "big")
        self.stream = numbers(
            sha256(self.seed + b"/" + number).digest() if self.shuffles else self.seed
        )
        self.shuffles += 1

    def shuffle_again(self) -> None:
        self.next_stream()
        loose = [card for card in self.wheel if card != GAP] + self.deck + self.out
        self.wheel, self.deck, self.out = laid_out(self.shuffle(sorted(loose, key=PACK.index)))

    def fill(self) -> None:
        while GAP in self.wheel:
            if not self.deck:
                self.shuffle_again()
                return
            card = self.deck.pop(0)
            if card in CHALLENGES:
                self.out.append(card)
            else:
                self.wheel[self.wheel.index(GAP)] = card

    def counter_clockwise(self, seat: int) -> list[int]:
        """The others in the game, from that seat's right-hand neighbour on."""
        turned = self.all[seat + 1 :] + self.all[: seat + 1]
        return [other for other in reversed(turned) if other in self.playing and other != seat]

    def places_to_lay(self, card: str) -> list[int]:
        """rules: A turn, 6."""
        gaps = [place for place in range(8) if self.wheel[place] == GAP]
        colour = card.split("-")[1]
        same = [place for place in range(8) if self.wheel[place].endswith(f"-{colour}")]
        return gaps or same or list(range(8))

    def lift(self, place: int) -> str:
        """A card of the Wheel, which leaves a gap."""
        card, self.wheel[place] = self.wheel[place], GAP
        return card

    def remove(self, card: str) -> int | None:
        """Take a card away from where it lies; whose it was, or None for the Wheel's."""
        if card in self.wheel:
            self.wheel[self.wheel.index(card)] = GAP
            return None
        for seat in self.playing:
            for pile in (self.won[seat], self.held[seat]):
                if card in pile:
                    pile.remove(card)
                    return seat
        raise AssertionError(card)

    def give(self, seat: int, card: str) -> None:
        (self.held if card in CHALLENGES else self.won)[seat].append(card)

    def uses(self, seat: int) -> list[Json]:
        """rules: A turn, 5. Every way to use a Challenge card."""
        others = [other for other in self.playing if other != seat]
        theirs = [card for other in others for card in self.won[other] + self.held[other]]
        on_wheel = [card for card in self.wheel if card != GAP]
        found: list[Json] = []
        for challenge in self.held[seat]:
            mine = [card for card in self.won[seat] + self.held[seat] if card != challenge]
            use = {"do": "use", "challenge": challenge}
            if challenge in PAYS:
                found.append(use)
            elif challenge == "trade":
                found += [{**use, "wanted": one, "given": own} for one in theirs for own in mine]
            elif challenge == "1-card":
                found += [{**use, "wanted": one} for one in on_wheel + theirs]
            else:
                suit = "bullets" if challenge == "piano-player" else "coin"
                patterns = [card for other in others for card in self.won[other]]
                found += [{**use, "wanted": one} for one in patterns if suit in features(one)]
        return found

    def use(self, seat: int, action: Json) -> None:
        """What becomes of the cards; money is the Bank's."""
        challenge = action["challenge"]
        self.held[seat].remove(challenge)
        self.out.append(challenge)
        if "wanted" not in action:
            return
        victim = self.remove(action["wanted"])
        if challenge in ("1-card", "trade"):
            self.give(seat, action["wanted"])
        else:
            self.out.append(action["wanted"])
        if challenge == "trade":
            self.remove(action["given"])
            assert victim is not None
            self.give(victim, action["given"])
