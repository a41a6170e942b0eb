"""What a match is asked, how it answers, and what it shows a bot."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct

from protocol.errors import Refusal
from protocol.ids import Seat
from server.store.journal import Entry

Outbox: TypeAlias = Callable[[Struct], None]
"""Takes a message for one peer (or bot); never blocks, never raises."""
Lag: TypeAlias = Callable[[], int]
"""Returns how many milliseconds a peer's messages are late, as measured so far and capped."""
WhenKept: TypeAlias = Callable[[], None]
"""Called once, when the journal has what was asked; never blocks, never raises."""


def nobody_waits() -> None:
    """A `WhenKept` for callers to whom it makes no difference."""


class Accepted(Struct, frozen=True, gc=False):
    """The action stands in the journal as `version`; `again`: since an earlier try."""

    version: int
    again: bool = False


class Denied(Struct, frozen=True):
    """The action is impossible; `version` is the newest that its seat was told."""

    refusal: Refusal
    version: int


Answered: TypeAlias = Accepted | Denied
TellAnswer: TypeAlias = Callable[[Answered], None]


class Wish(Struct):
    """A seat that was told this version wants to act, or (`action` None) to take its newest action
    back. `entry`: what the journal is to keep of it, with the time at which the wish arrived: the
    action happens then, not when the disk has it."""

    seat: Seat
    version: int
    action: Any | None
    entry: Entry
    answer: TellAnswer


class Attach(Struct, frozen=True):
    """Somebody waits to be let in: `outbox` gets a seat, or (None) watches, and is sent what
    happened since version `since`, the view, then every update.

    `came_with`: the token of the seat's owner, b"" if they have none; they are sent a new one. None
    for bots and watchers. `lag`: how late their messages are, in a race; None counts as not at all.
    `beside`: the seat's owner stays and is sent everything as well.
    """

    seat: Seat | None
    outbox: Outbox
    since: int = -1
    came_with: bytes | None = None
    lag: Lag | None = None
    beside: bool = False


class GiveUp(Struct, frozen=True):
    """The owner of this seat has left for good and, if it `loses`, has lost the match: remove its
    tokens from the journal, then call `kept`."""

    seat: Seat
    kept: WhenKept
    loses: bool


Item: TypeAlias = Wish | Attach | GiveUp


class Sight(NamedTuple):
    """All that a seat has been sent, for a bot that thinks in its player's place: the seat's own
    view, and the events addressed to it that stand, since the deal. `version`: the newest that the
    seat was told of. `delay_left_ms`: how long the newest update is still delayed for the seat."""

    view: Any
    events: list[Any]
    version: int
    delay_left_ms: int
