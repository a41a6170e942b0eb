"""From options, seats and a seed to a fresh state (rules: Setting up)."""

from msgspec import structs

from protocol.games.clocktowers import FIRST_HEIGHTS, Dealt, Event, Options
from protocol.games.clocktowers.deal import dealt
from server.games.clocktowers.state import Deal, State
from server.games.contract import Addressed


def check_options(options: Options, seats: int) -> str | None:
    """The name of the first option whose value this game does not have, or None."""
    if options.first_heights not in FIRST_HEIGHTS:
        return "first_heights"
    if options.first_seat is not None and not 0 <= options.first_seat < seats:
        return "first_seat"
    return None


def setup(options: Options, seats: int, seed: bytes) -> State:
    """A fresh state; `protocol.games.clocktowers.deal` says in which order the stream is used."""
    dealing = dealt(seats, seed)
    first = dealing.stream.below(seats) if options.first_seat is None else options.first_seat
    return State(
        options,
        Deal(seats=seats, first_seat=first, piles=dealing.piles, removed=dealing.removed),
    )


def rematch_options(options: Options, seats: int, seed: bytes) -> Options:
    """The options for a rematch: the next seat begins."""
    first = options.first_seat
    if first is None:
        first = setup(options, seats, seed).deal.first_seat
    return structs.replace(options, first_seat=(first + 1) % seats)


def opening(state: State) -> list[Addressed[Event]]:
    """The deal as everybody sees it: the open top cards, and what lies below as a number."""
    deal = state.deal
    event = Dealt(
        first_seat=deal.first_seat,
        piles=bytes(pile[0] for pile in deal.piles),
        left=bytes(len(pile) for pile in deal.piles),
        options=state.options,
    )
    return [Addressed(None, event)]
