"""What a client and the process that reviews a record for it say to each other, through two pipes.

The client writes the record's line, then `Review`. `Begun` or `Unfit` answers; then come the
findings that it does not know, each as soon as it is made, and a `LastWord`. A frame is as in
`framing`, without a limit: both ends are the player's. Law: the same record gives the same
findings, about all seats, in any order.
"""

from typing import Any, Final, TypeAlias

from msgspec import Struct

from protocol.replaying import LastWord, Unfit

REVIEW: Final = "review"
"""On the command line of the process."""
VERSION: Final = 4
"""One more wherever a record would get other findings than before: kept reviews are made again."""

POINT: Final = 1000
"""What makes a point, or a cent where a game counts those."""


class Review(Struct, frozen=True, tag="review"):
    """Ask for the findings, those about `seat` first. `known`: ply and seat of those that the
    client has."""

    seat: int
    known: list[tuple[int, int]] = []


class Begun(Struct, frozen=True, tag="begun"):
    """The record is right. `names` and `scores` by seat; `winners`: seats. `plies`: what will be
    judged, ascending; 0 is the deal, as in `replaying`. One stands there once for each seat that it
    says something of."""

    game: str
    names: list[str]
    scores: list[int]
    winners: list[int]
    plies: list[int]


class Weighed(Struct, frozen=True):
    """What an action led to, on average: the seat's points at the end and its lead, both in
    thousandths of a point, and how often it won, in thousandths; None: that is unknown. The lead is
    over the best of the others; of a seat alone it is its points."""

    points: int
    lead: int
    wins: int | None = None


class Judged(Struct, frozen=True, tag="judged"):
    """A decision. `view`: what the seat saw then. `best`: what the strongest level would have done;
    `action` itself where nothing is surely better. `lost`: thousandths of a point of the lead.
    `by_bot`: a bot decided in the place of the seat's person."""

    ply: int
    seat: int
    view: Any
    action: Any
    best: Any
    played: Weighed
    better: Weighed
    lost: int
    by_bot: bool = False


class Raced(Struct, frozen=True, tag="raced"):
    """A card with which the seat's player in a race could shoot, over at `ply`. `view`: what they
    saw when they saw the card first. In match time: `began_ms`, when the race did; `seen_ms`, when
    the card was sent; `tried_ms`, when they shot or clicked, None = they did not. `place`: where;
    -1 = a Click!. `missed`: there was a pattern, and they shot at none; or they shot and declared
    nothing right in time. `hit`: what they declared was right. `came`: the event that told all what
    came of the shot; None where it did not count, or there was none. `by_bot`: a bot played for the
    player then."""

    ply: int
    seat: int
    view: Any
    began_ms: int
    seen_ms: int
    tried_ms: int | None
    place: int | None
    missed: bool
    hit: bool
    came: Any
    by_bot: bool = False


Finding: TypeAlias = Judged | Raced
ReviewTold: TypeAlias = Begun | Unfit | Finding | LastWord
