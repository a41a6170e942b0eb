"""Places of callers who are on their way in: how many there are, and who makes room for the next.

Laws: everybody gets a place. Where their address has its share already, the first of their own
makes room; where all places are taken, the first of the address that has most. So a crowd keeps out
nobody but itself. A place is given back once, however often its caller ends.
"""

from collections.abc import Callable
from typing import Final

from server.net.addresses import Addresses


class Places:
    """`most` in all, `per_address` for each address; `loopback_counts`: as in `Addresses`."""

    def __init__(self, most: int, per_address: int, *, loopback_counts: bool) -> None:
        self._most: Final = most
        self._per_address: Final = per_address
        self._origin: Final = Addresses(per_address, loopback_counts=loopback_counts).origin
        self._taken: Final[dict[str, dict[TakenPlace, None]]] = {}
        """By the address for which they are counted, each with the first first; "" = those that are
        not counted, who have no share."""
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def full(self) -> bool:
        return self._count >= self._most

    def full_for(self, address: str) -> bool:
        """Whether that address has its share."""
        return self._has_share(self._origin(address))

    def _has_share(self, origin: str) -> bool:
        return bool(origin) and len(self._taken.get(origin, ())) >= self._per_address

    def take(self, address: str, make_room: Callable[[], None]) -> "TakenPlace":
        """`make_room` is called where another caller gets this place, which is given back then."""
        origin = self._origin(address)
        if self._has_share(origin):
            _first(self._taken[origin]).leave()
        elif self.full:
            _first(max(self._taken.values(), key=len)).leave()
        place = TakenPlace(self, origin, make_room)
        self._taken.setdefault(origin, {})[place] = None
        self._count += 1
        return place

    def empty(self) -> None:
        """Everybody makes room."""
        for place in [place for those in self._taken.values() for place in those]:
            place.leave()

    def free(self, place: "TakenPlace") -> None:
        if not self.has(place):
            return
        del self._taken[place.origin][place]
        self._count -= 1
        if not self._taken[place.origin]:
            del self._taken[place.origin]

    def has(self, place: "TakenPlace") -> bool:
        return place in self._taken.get(place.origin, ())


def _first(places: "dict[TakenPlace, None]") -> "TakenPlace":
    return next(iter(places))


class TakenPlace:
    """One of them. `origin`: the address for which it is counted."""

    __slots__ = ("_among", "_make_room", "origin")

    def __init__(self, among: Places, origin: str, make_room: Callable[[], None]) -> None:
        self._among: Final = among
        self.origin: Final = origin
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
