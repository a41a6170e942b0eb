"""The shuffles of Wild Wild Pattern: from a seed to each round's cards, the same on both sides.

The order, by which a proof deals the same cards again:
- Shuffles are counted through the match, from 0. The stream of shuffle 0 comes out of the seed,
  that of shuffle n > 0 out of SHA-256(seed ‖ "/" ‖ n as uint32, big-endian).
- A round takes one shuffle: its stream shuffles the Targets in the order of `TARGETS`, of which the
  seats still in the game get the first ones, ascending, and then all 47 cards in byte order.
- A reshuffle within a round takes one shuffle: its stream shuffles the cards, in byte order.
- The Wheel is laid from the top, places 0 to 7; then each place with a Challenge card, ascending,
  is given the next card until it has no Challenge card. The rest is the deck, top first.
"""

import hashlib
from typing import NamedTuple

from protocol.dealing import Stream
from protocol.games.wild_wild_pattern.cards import CARDS, TARGETS, Object, is_pattern
from protocol.games.wild_wild_pattern.pattern import PLACES


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
