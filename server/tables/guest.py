"""A person as tables see one: a name and an outbox. The session is one; tables know no more."""

from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from server.tables.table import Table


class Guest(Protocol):
    """`table` is where the guest sits or watches, kept by the table itself. `identity`: the SHA-256
    of what the client showed in its `hello`, or b""; it is never sent or logged."""

    name: str
    identity: bytes
    table: "Table | None"

    def send(self, message: Struct) -> None:
        """Queue a message; never blocks, never raises."""

    def show(self, message: Struct) -> None:
        """As `send`, for what a match sends to who only watches it: if the line is slow, of all
        that follows each other the newest is enough."""

    def measure(self) -> None:
        """Find out how long the line takes now."""

    def lag_ms(self) -> int:
        """By how many milliseconds what this guest says is late, as measured so far; 0: unknown."""

    def replaced(self) -> None:
        """A newer connection has the seat and the name: say so and go, leaving nothing."""
