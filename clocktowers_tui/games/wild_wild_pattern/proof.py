"""Shuffles again from the seed shown at the end, and compares that with what was seen of the match.

Law: only a contradiction counts against the seed. What was not seen leaves the question open, so a
gap in the events accuses nobody.
"""

from collections.abc import Iterator, Sequence

from protocol.games.wild_wild_pattern import (
    SEATS,
    Banked,
    Event,
    Found,
    Reshuffled,
    RoundBegan,
    Used,
    View,
    Won,
)
from protocol.games.wild_wild_pattern.cards import CARDS, Challenge
from protocol.games.wild_wild_pattern.options import RoundDeal, Wheel, reshuffled, round_deal

_LEAVES = (Challenge.PIANO_PLAYER, Challenge.HANDS_UP)
"""What they are used on leaves the game."""


def same_deal(events: Sequence[Event], view: View, seed: bytes) -> bool | None:
    """See `Face.same_deal`: each round's Targets and Wheel, and the new Wheels within a round, as
    the shuffles of that seed give them one after the other."""
    if len(view.won) not in SEATS:
        return False
    openings = [event.round for event in events if isinstance(event, RoundBegan)]
    if openings != list(range(1, len(openings) + 1)):
        return None
    if not all(_agree(events, len(view.won), seed)):
        return False
    return True if openings and len(openings) == view.round else None


def _agree(events: Sequence[Event], seats: int, seed: bytes) -> Iterator[bool]:
    """For each shuffle, whether it is the seed's."""
    held: set[int] = set()
    standing, shuffle = list(range(seats)), 0
    for event in events:
        if isinstance(event, RoundBegan):
            yield _is_round(event, standing, round_deal(seed, shuffle))
            held = set()
            shuffle += 1
        elif isinstance(event, Reshuffled):
            cards = bytes(card for card in CARDS if card not in held)
            yield _is_wheel(event, reshuffled(seed, shuffle, cards))
            shuffle += 1
        elif isinstance(event, Banked):
            gone = [visit.seat for visit in event.visits if visit.eliminated]
            standing = [seat for seat in standing if seat not in gone]
        else:
            _follow(event, held)


def _is_round(event: RoundBegan, standing: Sequence[int], dealt: RoundDeal) -> bool:
    """The first Targets go to those who are still in the match, ascending."""
    targets = [event.targets[seat] for seat in standing]
    return targets == [*dealt.targets[: len(standing)]] and _is_wheel(event, dealt.wheel)


def _is_wheel(event: RoundBegan | Reshuffled, wheel: Wheel) -> bool:
    shown = (event.wheel, event.left, event.gone)
    return shown == (wheel.cards, len(wheel.deck), wheel.gone)


def _follow(event: Event, held: set[int]) -> None:
    """The cards in front of players, who keep them when the rest is shuffled."""
    match event:
        case Found(card=card) | Won(card=card):
            held.add(card)
        case Used(challenge=challenge, wanted=wanted):
            held.discard(challenge)
            if challenge in _LEAVES and wanted is not None:
                held.discard(wanted)
            elif challenge == Challenge.ONE_CARD and wanted is not None:
                held.add(wanted)
