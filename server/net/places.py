"""Places of callers who are on their way in: how many there are, and who makes room for the next.

Laws: a place is given back once, however often its caller ends; where all are taken, the caller who
has had one longest makes room, or the next gets none.
"""

from collections.abc import Callable
from typing import Final

from server.net.addresses import Addresses


class Places:
    """`most` in all, `per_address` for each address; `loopback_counts`: as in `Addresses`."""

    def __init__(self, most: int, per_address: int, *, loopback_counts: bool) -> None:
        self._most: Final = most
        self._addresses: Final = Addresses(per_address, loopback_counts=loopback_counts)
        self._taken: Final[dict[Place, str]] = {}
        """With the address for which each is counted, the first first."""

    def __len__(self) -> int:
        return len(self._taken)

    @property
    def full(self) -> bool:
        return len(self) >= self._most

    def take(self, address: str, make_room: Callable[[], None] | None = None) -> "Place | None":
        """None: that address has too many, or all are taken and the first keeps its place.
        `make_room` is called where another caller gets this place, which is given back then; None:
        this caller keeps it."""
        first = next(iter(self._taken)) if self.full else None
        stays = first is not None and first.make_room is None
        if stays or not self._addresses.admit(address):
            return None
        if first is not None:
            first.leave()
        place = Place(self, make_room)
        self._taken[place] = address
        return place

    def empty(self) -> None:
        """Everybody makes room who would for another."""
        for place in list(self._taken):
            place.leave()

    def free(self, place: "Place") -> None:
        if (address := self._taken.pop(place, None)) is not None:
            self._addresses.release(address)

    def has(self, place: "Place") -> bool:
        return place in self._taken


class Place:
    """One of them."""

    __slots__ = ("_among", "make_room")

    def __init__(self, among: Places, make_room: Callable[[], None] | None) -> None:
        self._among: Final = among
        self.make_room: Final = make_room

    @property
    def taken(self) -> bool:
        return self._among.has(self)

    def give_back(self) -> None:
        """Any number of times."""
        self._among.free(self)

    def leave(self) -> None:
        """Give it back for somebody else."""
        self.give_back()
        if self.make_room is not None:
            self.make_room()
