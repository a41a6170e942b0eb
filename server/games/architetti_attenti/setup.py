"""From options, seats and a seed to a fresh state (rules: Material)."""

from msgspec import structs

from protocol.games.architetti_attenti import Dealt, Event, Options
from protocol.games.architetti_attenti.deal import dealt
from server.games.architetti_attenti.state import Deal, State
from server.games.contract import Addressed


def check_options(options: Options, seats: int) -> str | None:
    """The name of the first option whose value this game does not have, or None."""
    if options.first_seat is not None and not 0 <= options.first_seat < seats:
        return "first_seat"
    return None


def setup(options: Options, seats: int, seed: bytes) -> State:
    """A fresh state; `protocol.games.architetti_attenti.deal` says how the stream is used."""
    dealing = dealt(seats, seed)
    first = dealing.stream.below(seats) if options.first_seat is None else options.first_seat
    deal = Deal(
        seats=seats,
        first_seat=first,
        row=dealing.row,
        pile=dealing.pile,
        removed=dealing.removed,
    )
    return State(options, deal)


def rematch_options(options: Options, seats: int, seed: bytes) -> Options:
    """The options for a rematch: the next seat begins."""
    first = options.first_seat
    if first is None:
        first = setup(options, seats, seed).deal.first_seat
    return structs.replace(options, first_seat=(first + 1) % seats)


def opening(state: State) -> list[Addressed[Event]]:
    """The open row, and how many tiles lie below."""
    deal = state.deal
    return [Addressed(None, Dealt(deal.first_seat, deal.row, len(deal.pile), state.options))]
