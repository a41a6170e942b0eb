"""What a match is handed from outside: an outbox for each peer, and an attendant for its table.

A match knows neither sessions nor tables.
"""

from collections.abc import Callable
from typing import Any, Final, Protocol, TypeAlias

from msgspec import Struct

from protocol.ids import Seat

Outbox: TypeAlias = Callable[[Struct], None]
"""Takes a message for one peer (or bot); never blocks, never raises."""


class Crowd(Protocol):
    """Watchers of one table whom another server has on one line: what all of them are told is said
    there once, by `show` and `send`. Nothing here blocks or raises."""

    def show(self, message: Struct) -> None:
        """Tell those who were let in what the match tells its watchers; an `Aside` is for one."""

    def send(self, message: Struct) -> None:
        """Tell all of them what everybody at the table is told."""

    def gather(self) -> None:
        """A match begins: all who are in it are shown that."""

    def hide(self, outbox: Outbox) -> None:
        """Show this one nothing more, until an `Aside` lets them in again."""

    @property
    def empty(self) -> bool:
        """Whether nobody is in it any more."""


class Aside(Struct, frozen=True):
    """For one of a crowd alone, by their own outbox. `message` None: this was all that they had
    missed, and from now on they are shown what the others are."""

    outbox: Outbox
    message: Struct | None


WhenKept: TypeAlias = Callable[[], None]
"""Called once, when the journal has what was asked; never blocks, never raises."""


NO_SEATS: Final[frozenset[Seat]] = frozenset()
"""One for all: an empty set takes 216 bytes, and every match and table has several."""


def nobody_waits() -> None:
    """A `WhenKept` for callers to whom it makes no difference."""


class Attendant(Protocol):
    """Told what the table has to know. Called in the match's task; must neither block nor raise."""

    def ended(self, outcome: Any | None) -> None:
        """The match is over; None = aborted. Called once, and not for a match that was over before
        `run`. If that raised an error, called again with None."""

    def took_back(self, seat: Seat) -> None:
        """This seat took its newest action back, and everybody has been sent the update."""

    def timed_out(self, seat: Seat) -> bool:
        """The seat to act has run out of time. Returns whether a bot plays it from now on."""

    def claimed(self) -> None:
        """Another node has claimed the match: nothing more happens to it here."""

    def disk_fails(self, fails: bool) -> None:
        """The journal has been failing for seconds (True), or works again (False)."""
