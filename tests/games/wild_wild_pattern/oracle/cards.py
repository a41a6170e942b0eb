"""The cards of Wild Wild Pattern on a table: where each lies, and where it can go.

Read a second time from the rules page; no code of the server's. Cards are their names.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from tests.games.wild_wild_pattern.oracle.oracle import CHALLENGES, PAYS, SUIT, TARGETS, features
from tests.oracle.judging import Json, numbers, shuffled

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
