"""What the laws need to know about a game: tables to try, all actions, what is hidden."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from random import Random
from typing import Any, TypeAlias

from msgspec.structs import replace

Rules: TypeAlias = Any
"""Rules of any game."""


@dataclass(frozen=True)
class Case:
    """What the laws ask of a game.

    `options`: tables to try. `actions`: all well-typed ones. `plies`: seats → the most that a match
    can take. `disguise(state, seat, rng, keep)` returns a state that differs only in what the seat
    (None: a spectator) cannot see: with `keep` 1 in everything hidden, with `keep` 2 not in what
    one more action may show, and so on. `check_choice(choice, seat, before, after)` gets the two
    views and what the rules said of the action between them.
    """

    options: Sequence[Any]
    actions: Sequence[Any]
    plies: Callable[[int], int]
    disguise: Callable[[Any, int | None, Random, int], Any]
    looks_alike: Callable[[Any, Any], bool] = lambda one, other: False
    seats_of: Callable[[Any], int] = attrgetter("seats")
    """State → how many seats it has."""
    public: Callable[[Any], Any] = lambda view: replace(view, seat=None)
    """View → the part of it that is the same for every seat."""
    check_choice: Callable[[Any, int, Any, Any], None] | None = None
