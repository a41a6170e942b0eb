"""What a client and the process that works on its player's records say to each other, through two
pipes.

The process gets one word on its command line. `replay` and `review`: the client writes a record's
line, and `Unfit` answers where it is none. Else `replay` answers `Opened`, and from then on each
`Show` or `Hear` gets its answer, in order. `review` gets a `Review` and answers `Begun`; then come
the findings that the client does not know, each as soon as it is made. `read`: it reads a file of
records or of notation, and says a `Found` or `Fault` for each match; a match in notation may have
several faults. `write`: it reads records, a line each, and says `Written` or `Unfit` for each. But
for `replay` a `LastWord` ends it. A frame is as in `framing`, without a limit: both ends are the
player's. Law: the same record gives the same findings, about all seats, in any order.
"""

from typing import Any, Final, TypeAlias

from msgspec import Struct

REPLAY: Final = "replay"
"""On the command line of the process."""
WATCHER: Final = -1
ALL_OPEN: Final = -2
"""Eyes that see what no seat does: every hand. `Opened.opens` says whether the game has that."""


class Show(Struct, frozen=True, tag="show"):
    """Ask for the view after `ply` plies: 0 is the deal. `eyes`: a seat, WATCHER or ALL_OPEN."""

    ply: int
    eyes: int


class Hear(Struct, frozen=True, tag="hear"):
    """Ask what these eyes were told, from the deal to the end."""

    eyes: int


class Opened(Struct, frozen=True, tag="opened"):
    """The record is right. `names` by seat, as they stand there. `seats`: who acted, for each ply;
    -1 = the clock. `opens`: whether ALL_OPEN can be seen."""

    game: str
    names: list[str]
    seats: list[int]
    outcome: Any
    opens: bool


class Unfit(Struct, frozen=True, tag="unfit"):
    """The record is none, or wrong: why, in English. The process ends."""

    why: str


class LastWord(Struct, frozen=True, tag="done"):
    """Nothing follows."""


class Shown(Struct, frozen=True, tag="shown"):
    """`at_ms`: the match time of the ply."""

    ply: int
    at_ms: int
    view: Any


class Heard(Struct, frozen=True, tag="heard"):
    """The events of the deal, then those of each ply."""

    events: list[list[Any]]


ReplayAsked: TypeAlias = Show | Hear
ReplayAnswered: TypeAlias = Opened | Unfit | Shown | Heard
