"""Whom bots let go first (rules: Practice)."""

from collections.abc import Collection

from protocol.games.wild_wild_pattern import Phase, Practice, View
from protocol.ids import Seat


def lets_people_try(view: View, people: Collection[Seat]) -> bool:
    """In practice no bot shoots while a person may still do so."""
    if view.options.practice is Practice.OFF or view.phase is not Phase.RACE:
        return False
    return any(
        not view.done[seat] and (view.in_hand[seat] or view.waiting[seat]) for seat in people
    )
