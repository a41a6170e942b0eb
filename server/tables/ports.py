"""What a table asks of the world around it: of a person, a bot and the server.

Ids cross here and tables do not, so that nothing below a table has to know it.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from protocol.ids import MatchId, TableCode

if TYPE_CHECKING:
    from server.nodes.crowds import Crowd


class Guest(Protocol):
    """A person as tables know them: a name and an outbox.

    `table` is where the guest sits or watches; the table keeps it. `identity`: the SHA-256 of what
    the client showed in its `hello`, or b""; it is never sent or logged. `origin`: the address or
    block of addresses that limits count the guest for, "" = none. `crowd`: with whom the guest is
    told what all watchers are told, where they watch; None: alone.
    """

    name: str
    identity: bytes
    origin: str
    table: TableCode | None

    @property
    def crowd(self) -> "Crowd | None":
        """As above."""

    def send(self, message: Struct) -> None:
        """Queue a message; never blocks, never raises."""

    def show(self, message: Struct) -> None:
        """Queue what a match sends to a watcher. On a slow line the newest of several states is
        enough."""

    def watches(self, table: TableCode | None) -> None:
        """The guest watches this table from now on, and may be of a crowd there; None: none."""

    def measure(self) -> None:
        """Find out how long the line takes now."""

    def lag_ms(self) -> int:
        """By how many milliseconds this guest's messages are late, as measured; 0: unknown."""

    def replaced(self) -> None:
        """A newer connection has the seat and the name: tell the client and close."""

    def dial_again(self) -> None:
        """The match goes on elsewhere: let the client dial again, and close."""


class Bot(Protocol):
    """What a seat asks of the driver of its bot."""

    def receive(self, message: Struct) -> None:
        """Take what the match sends to this seat."""

    def rest(self) -> None:
        """Neither think nor act until `wake`."""

    def wake(self) -> None:
        """Go on from where the match is now."""

    def hurry(self) -> None:
        """Act as soon as it is decided what to do."""

    def stop(self) -> None:
        """Act no more."""


class House(Protocol):
    """The server around a table."""

    def touched(self, table: TableCode) -> None:
        """What the lobby shows of the table has changed."""

    def closed(self, table: TableCode) -> None:
        """Nobody can find the table any more."""

    def refuse(self, guest: Guest, *, tables: int = 0, bots: int = 0) -> None:
        """Raises Impossible if so many more were too many for this guest."""

    def deal_changed(self, table: TableCode) -> None:
        """This table is done with the deal that others may play, too, or with its match."""

    def lose(self, match: MatchId) -> None:
        """Another node plays this match now."""

    def when_kept(self, table: TableCode, answer: Callable[[], None]) -> None:
        """Call `answer` when a restart of the server forgets nothing of the deal that this table
        plays together with others; at once where it plays none."""

    def refuse_beginning(self) -> None:
        """Raises Impossible while nothing new may begin."""
