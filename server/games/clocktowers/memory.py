"""Open memory: which hands fit what everybody saw (rules: What is hidden).

A seat's start hand, draws and plays are public; of its discards only the number is. `Hands` holds
every hand that fits, each with a possible list of discards. So the marks on the table and a bot
that imagines the other hands use the same calculation.
Law: nothing here is changed in place.
"""

from collections.abc import Iterable
from typing import TypeAlias

from protocol.games.clocktowers import START_HAND

Hands: TypeAlias = dict[bytes, bytes]
"""A possible hand, cards ascending → discards (oldest first) after which it is the hand."""


def begin() -> Hands:
    """Everybody starts with the start hand."""
    return {START_HAND: b""}


def after_draw(hands: Hands, card: int) -> Hands:
    """Add the card to every hand."""
    return {bytes(sorted((*hand, card))): gone for hand, gone in hands.items()}


def after_play(hands: Hands, card: int) -> Hands:
    """Keep the hands that held the card, without it."""
    return {_less(hand, card): gone for hand, gone in hands.items() if card in hand}


def after_discard(hands: Hands) -> Hands:
    """Every card of every hand may be the discarded one."""
    fits: Hands = {}
    for hand, gone in hands.items():
        for card in dict.fromkeys(hand):
            fits.setdefault(_less(hand, card), gone + bytes((card,)))
    return fits


def certain(hands: Iterable[bytes]) -> bytes:
    """The cards that all hands have in common, ascending, each as often as all have it."""
    common: list[int] | None = None
    for hand in hands:
        common = list(hand) if common is None else _common(common, hand)
        if not common:
            break
    return bytes(common or ())


def _less(hand: bytes, card: int) -> bytes:
    return hand.replace(bytes((card,)), b"", 1)


def _common(cards: list[int], hand: bytes) -> list[int]:
    rest = list(hand)
    kept = []
    for card in cards:
        if card in rest:
            rest.remove(card)
            kept.append(card)
    return kept
