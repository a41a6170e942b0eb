"""The options of Wild Wild Pattern, the numbers of its rules, and the shuffles from a seed.

Times are match times in milliseconds, money is in cents.
"""

import hashlib
from enum import StrEnum
from typing import Annotated, Any, Final, NamedTuple

from msgspec import Meta, Struct

from protocol.dealing import Stream
from protocol.games import Switch
from protocol.games.wild_wild_pattern.cards import CARDS, PLACES, TARGETS, Object, is_pattern

LEVELS: Final = ("random", "learner", "easy", "normal", "hard")
"""Of bots, weakest first."""

SHOOTS_IN_S: Final = {
    "random": (2, 40),
    "learner": (12, 32),
    "easy": (12, 36),
    "normal": (10, 28),
    "hard": (7, 20),
}
"""How soon a bot of this level shoots, where it sees a pattern: at least, and at most."""

SEATS: Final = (1, 2, 3, 4)
"""A single seat only for practice."""

READY_MS: Final = 20_000
"""After this time every seat counts as ready (rules: A turn, 1)."""

REPLACED_MS: Final = 1_000
"""A Challenge card seen in the hand is replaced after this time (rules: A turn, 1)."""

CHOICE_MS: Final = 15_000
"""For a declaration and for every other choice (rules: A turn, 2)."""

SONG_MS: Final = 10_000
"""How long the others may try with a clicked card (rules: A turn, 4)."""

ROUND_ENDS_AT: Final = 5
"""Pattern cards that end the round."""

SALOON_CENTS: Final = 300
"""Above this the richest wins in the Saloon."""

MAX_ROUNDS: Final = 20
"""In the Saloon; then the richest wins (rules: Modes)."""

MAX_IDLE_TURNS: Final = 10
"""This many turns in a row in which nobody shot or clicked end the round. The project's own rule:
with it the clock alone brings a match to its end."""

MAX_LEVEL_ROUNDS: Final = 3
"""After this many level rounds in a row the remaining seats share the win (Vivo o Morto!)."""


class Mode(StrEnum):
    SALOON = "saloon"
    VIVO = "vivo"


class PlayedInPair(StrEnum):
    REQUIRED = "required"
    FREE = "free"


class FiveColours(StrEnum):
    WIN = "win"
    PAY = "pay"


MIN_RACE_LIMIT_S: Final = 30
"""The shortest limit; 0 means no limit."""

MAX_RACE_LIMIT_S: Final = 300

BOT_FIRST: Final = 3
"""In practice bots wait for people to go first, but in each turn that this divides."""
MAX_PRACTISING: Final = 2
"""Practice is for a single player, alone or against a bot."""


class Options(Struct, frozen=True, kw_only=True):
    """`race_limit_s` 0 is no limit. `practice` is no rule of the game, and for one seat or two: no
    time limits, a seat may pass in a race, and a bot lets the other seat go first. `choice_limit`
    off: only a race, a declaration and a Click! have a time limit."""

    mode: Mode = Mode.SALOON
    played_in_pair: PlayedInPair = PlayedInPair.REQUIRED
    five_colours: FiveColours = FiveColours.WIN
    race_limit_s: Annotated[int, Meta(ge=0, le=MAX_RACE_LIMIT_S)] = 60
    lag: Switch = Switch.ON
    practice: Switch = Switch.OFF
    choice_limit: Switch = Switch.ON

    @property
    def practises(self) -> bool:
        return self.practice is Switch.ON

    @property
    def in_pair(self) -> bool:
        """Whether the card that was shot has to be in one of the pairs."""
        return self.played_in_pair is PlayedInPair.REQUIRED

    @property
    def five_colours_win(self) -> bool:
        return self.five_colours is FiveColours.WIN


PRESETS: Final[dict[str, dict[str, Any]]] = {
    "standard": {"mode": "saloon", "practice": "off"},
    "vivo": {"mode": "vivo", "practice": "off"},
    "practice": {"mode": "saloon", "practice": "on"},
}


# The shuffles of Wild Wild Pattern: from a seed to each round's cards, the same on both sides.
#
# The order, by which a proof deals the same cards again:
# - Shuffles are counted through the match, from 0. The stream of shuffle 0 comes out of the seed,
#   that of shuffle n > 0 out of SHA-256(seed ‖ "/" ‖ n as uint32, big-endian).
# - A round takes one shuffle: its stream shuffles the Targets in the order of `TARGETS`, of which
#   the seats still in the game get the first ones, ascending, and then all 47 cards in byte
#   order.
# - A reshuffle within a round takes one shuffle: its stream shuffles the cards, in byte order.
# - The Wheel is laid from the top, places 0 to 7; then each place with a Challenge card,
#   ascending, is given the next card until it has no Challenge card. The rest is the deck, top
#   first.


class Wheel(NamedTuple):
    """`cards`: places 0-7. `gone`: Challenge cards that lay there and left the game."""

    cards: bytes
    deck: bytes
    gone: bytes


class RoundDeal(NamedTuple):
    """`targets`: all seven, shuffled."""

    targets: tuple[Object, ...]
    wheel: Wheel


def stream(seed: bytes, shuffle: int) -> Stream:
    """The numbers of the n-th shuffle of a match."""
    if shuffle == 0:
        return Stream(seed)
    return Stream(hashlib.sha256(seed + b"/" + shuffle.to_bytes(4, "big")).digest())


def round_deal(seed: bytes, shuffle: int) -> RoundDeal:
    """The cards of a round, which begins with this shuffle."""
    numbers = stream(seed, shuffle)
    targets, cards = list(TARGETS), bytearray(CARDS)
    numbers.shuffle(targets)
    numbers.shuffle(cards)
    return RoundDeal(tuple(targets), laid(bytes(cards)))


def reshuffled(seed: bytes, shuffle: int, cards: bytes) -> Wheel:
    """A new Wheel and deck within a round, out of these cards in any order."""
    mixed = bytearray(sorted(cards))
    stream(seed, shuffle).shuffle(mixed)
    return laid(bytes(mixed))


def laid(cards: bytes) -> Wheel:
    """A Wheel from the top of these cards; among them at least eight Pattern cards."""
    wheel, used, gone = bytearray(cards[:PLACES]), PLACES, bytearray()
    for place in range(PLACES):
        while not is_pattern(wheel[place]):
            gone.append(wheel[place])
            wheel[place] = cards[used]
            used += 1
    return Wheel(bytes(wheel), cards[used:], bytes(gone))
