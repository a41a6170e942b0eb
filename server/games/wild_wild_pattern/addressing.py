"""Addresses events: to all seats, or to a single seat."""

from typing import TypeAlias

from protocol.games.wild_wild_pattern import Event
from protocol.ids import Seat
from server.games.contract import Addressed

Told: TypeAlias = list[Addressed[Event]]
"""Events with their receivers, in order."""


def to_all(*events: Event) -> Told:
    return [Addressed(None, event) for event in events]


def to_one(seat: int, event: Event) -> Told:
    return [Addressed(Seat(seat), event)]
