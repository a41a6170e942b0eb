"""The story of each card, wherever it goes."""

from collections.abc import Sequence

from clocktowers_tui.games.face import Story
from clocktowers_tui.games.stories import plies_of
from clocktowers_tui.games.wild_wild_pattern.challenges import challenge_words
from clocktowers_tui.games.wild_wild_pattern.words import card_words
from protocol.games.wild_wild_pattern import (
    Clicked,
    Drew,
    Event,
    Filled,
    Found,
    Shot,
    Used,
    WasLaid,
    WentOut,
    Won,
)
from protocol.games.wild_wild_pattern.cards import is_pattern


def stories(told: Sequence[Sequence[Event]], names: Sequence[str]) -> Sequence[Story]:
    """Of all cards that were played, in the order in which they were first seen."""
    return [
        Story(card_words(card) if is_pattern(card) else challenge_words(card), plies)
        for card, plies in plies_of(told, _cards).items()
    ]


def _cards(event: Event) -> Sequence[int]:
    """Those that it happens to; a new Wheel tells nothing of its eight."""
    match event:
        case Shot() | WasLaid():
            return tuple(filter(None, (event.card, event.covered)))
        case Used():
            return tuple(filter(None, (event.challenge, event.wanted, event.given)))
        case Clicked() | Drew() | Filled() | Found() | WentOut() | Won():
            return (event.card,)
        case _:
            return ()
