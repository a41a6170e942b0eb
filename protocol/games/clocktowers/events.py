"""What happens in Clocktowers. All seats are told, except of `YouDiscarded`."""

from typing import TypeAlias

from msgspec import Struct

from protocol.games.clocktowers.options import Options


class Dealt(Struct, frozen=True, array_like=True, tag="dealt", gc=False):
    """Everyone holds the start hand. `piles`: top card of each pile, `left`: cards in each.

    `options` are the table's: with them a client that hears every event can work out the rest.
    """

    first_seat: int
    piles: bytes
    left: bytes
    options: Options


class Played(Struct, frozen=True, array_like=True, tag="played", gc=False):
    """`tower` is where the card lies now, `height` that tower's storeys with it."""

    seat: int
    card: int
    tower: int
    height: int


class Completed(Struct, frozen=True, array_like=True, tag="completed", gc=False):
    """Follows the `Played` of a roof. `next_height` is what the colour's ladder asks for now."""

    seat: int
    tower: int
    roof: int
    height: int
    points: int
    next_height: int


class Discarded(Struct, frozen=True, array_like=True, tag="discarded", gc=False):
    """A seat discarded; only that seat is told which card (`YouDiscarded`)."""

    seat: int


class YouDiscarded(Struct, frozen=True, array_like=True, tag="you_discarded", gc=False):
    """Follows `Discarded`; only the seat that discarded gets it."""

    card: int


class Drew(Struct, frozen=True, array_like=True, tag="drew", gc=False):
    """Everybody sees which card; `top` is the card that lies open now, 0 = the pile is out."""

    seat: int
    pile: int
    card: int
    top: int


Event: TypeAlias = Dealt | Played | Completed | Discarded | YouDiscarded | Drew
