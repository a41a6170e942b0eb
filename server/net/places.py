"""Places of callers who are on their way in: how many there are, and who makes room for the next.

Laws: everybody gets a place. Where their address has its share already, the first of their own
makes room; where all places are taken, the first of the address that has most. So a crowd keeps out
nobody but itself. A place is given back once, however often its caller ends.
"""

from collections import Counter
from collections.abc import Callable
from typing import Final

from server.net.addresses import Addresses


class Places:
    """`most` in all, `per_address` for each address; `loopback_counts`: as in `Addresses`."""

    def __init__(self, most: int, per_address: int, *, loopback_counts: bool) -> None:
        self._most: Final = most
        self._per_address: Final = per_address
        self._origin: Final = Addresses(per_address, loopback_counts=loopback_counts).origin
        self._taken: Final[dict[Place, str]] = {}
        """With the address for which each is counted, the first first."""
        self._shares: Final = Counter[str]()
        """How many each address has; "" = those that are not counted, who share no limit."""

    def __len__(self) -> int:
        return len(self._taken)

    @property
    def full(self) -> bool:
        return len(self) >= self._most

    def full_for(self, address: str) -> bool:
        """Whether that address has its share."""
        origin = self._origin(address)
        return bool(origin) and self._shares[origin] >= self._per_address

    def take(self, address: str, make_room: Callable[[], None]) -> "Place":
        """`make_room` is called where another caller gets this place, which is given back then."""
        origin = self._origin(address)
        if self.full_for(address):
            self._first_of(origin).leave()
        elif self.full:
            self._first_of(max(self._shares, key=self._shares.__getitem__)).leave()
        place = Place(self, make_room)
        self._taken[place] = origin
        self._shares[origin] += 1
        return place

    def _first_of(self, origin: str) -> "Place":
        return next(place for place, its in self._taken.items() if its == origin)

    def empty(self) -> None:
        """Everybody makes room."""
        for place in list(self._taken):
            place.leave()

    def free(self, place: "Place") -> None:
        if (origin := self._taken.pop(place, None)) is not None:
            self._shares[origin] -= 1
            if not self._shares[origin]:
                del self._shares[origin]

    def has(self, place: "Place") -> bool:
        return place in self._taken


class Place:
    """One of them."""

    __slots__ = ("_among", "_make_room")

    def __init__(self, among: Places, make_room: Callable[[], None]) -> None:
        self._among: Final = among
        self._make_room: Final = make_room

    @property
    def taken(self) -> bool:
        return self._among.has(self)

    def give_back(self) -> None:
        """Any number of times."""
        self._among.free(self)

    def leave(self) -> None:
        """Give it back for somebody else."""
        self.give_back()
        self._make_room()
