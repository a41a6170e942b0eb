"""Places of callers on their way to a client: how many there are, and who makes room for the next.

Laws: a place is given back once, however often its caller ends; where all are taken, who has had
one longest makes room.
"""

from collections.abc import Callable
from typing import Final

from server.net.addresses import Addresses


class Places:
    """Of one door, `most` in all, and so many for each address as `addresses` admits."""

    def __init__(self, most: int, addresses: Addresses) -> None:
        self._most: Final = most
        self._addresses: Final = addresses
        self._taken: Final[dict[Place, str]] = {}
        """With the address for which each is counted, the first first."""

    def __len__(self) -> int:
        return len(self._taken)

    def take(self, address: str, make_room: Callable[[], None]) -> "Place | None":
        """None: that address has too many. `make_room` is called where another caller gets this
        place, which is given back then."""
        if not self._addresses.admit(address):
            return None
        if len(self) >= self._most:
            first = next(iter(self._taken))
            first.give_back()
            first.make_room()
        place = Place(self, make_room)
        self._taken[place] = address
        return place

    def free(self, place: "Place") -> None:
        if (address := self._taken.pop(place, None)) is not None:
            self._addresses.release(address)

    def has(self, place: "Place") -> bool:
        return place in self._taken


class Place:
    """One of them."""

    __slots__ = ("_among", "make_room")

    def __init__(self, among: Places, make_room: Callable[[], None]) -> None:
        self._among: Final = among
        self.make_room: Final = make_room

    @property
    def taken(self) -> bool:
        return self._among.has(self)

    def give_back(self) -> None:
        """Any number of times."""
        self._among.free(self)
