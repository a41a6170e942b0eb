"""What a table asks of the server around it."""

from typing import TYPE_CHECKING, Protocol

from server.matches.ports import WhenKept
from server.tables.names import Names

if TYPE_CHECKING:
    from protocol.ids import Seat
    from server.tables.table import Table


class Starter(Protocol):
    """Makes matches and puts bots on seats."""

    def begin(self, table: "Table", answer: WhenKept) -> None:
        """A match with all who sit there; seats are filled. `answer` the host when it has begun."""

    def take_over(self, table: "Table", seat: "Seat", *, for_good: bool) -> None:
        """A bot plays this seat, for good or until its owner is back."""

    def stand_in(self, table: "Table", seat: "Seat") -> None:
        """A bot plays this seat, whose player is there and was too slow."""

    def end_match(self, table: "Table") -> None:
        """Let go of the table's match, running or over, if there is one."""


class House(Protocol):
    """The server around a table."""

    starter: Starter
    names: Names

    def touched(self, table: "Table") -> None:
        """What the lobby shows of the table has changed."""

    def closed(self, table: "Table") -> None:
        """The table is no more."""
