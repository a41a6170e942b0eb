"""What a client and the process that works on its player's records say to each other, through two
pipes.

The process gets one word on its command line. `replay`, `move` and `review`: the client writes a
record's line, and `Unfit` answers where it is none. Else `replay` answers `Opened`, and from then
on each `ReplayAsked` gets its answer, in order. `move` is the same for a match that goes by mail,
and `begin` for a new one: there a `NewByMail` in JSON stands in the place of the record. `review`
gets a `Review` and answers `Begun`; then come the findings that the client does not know, each as
soon as it is made. `read`: it reads a file of records or of notation, and says a `Found` or `Fault`
for each match; a match in notation may have several faults. `write`: it reads records, a line each,
and says `Written` or `Unfit` for each. After `review`, `read` and `write` a `LastWord` ends it. A
frame is as in `codec`, without a limit: both ends are the player's.
Law: the same record gives the same findings, about all seats, in any order.
"""

from collections.abc import Callable, Iterable
from itertools import chain
from typing import IO, Any, Final, TypeAlias

import msgspec
from msgspec import Struct

from protocol.codec import HEADER, frame
from protocol.errors import Refusal

REPLAY: Final = "replay"
"""On the command line of the process."""
MOVE: Final = "move"
BEGIN: Final = "begin"
NEXT: Final = "next"
"""In the record of a match that goes by mail, the field with the name of the player who acts next;
"" at its end."""
WATCHER: Final = -1
ALL_OPEN: Final = -2
"""Eyes that see what no seat does: every hand. `Opened.opens` says whether the game has that."""


class NewByMail(Struct, frozen=True):
    """How a match that goes by mail begins. `options`: the game's own, as a table has them.
    `seats`: of each its name, its kind, and the level of a bot. `began`: as a record has it."""

    game: str
    options: dict[str, Any]
    seats: list[tuple[str, str, str | None]]
    began: str


class Show(Struct, frozen=True, tag="show"):
    """Ask for the view after `ply` plies: 0 is the deal. `eyes`: a seat, WATCHER or ALL_OPEN."""

    ply: int
    eyes: int


class Hear(Struct, frozen=True, tag="hear"):
    """Ask what these eyes were told, from the deal to the end."""

    eyes: int


class PlayOn(Struct, frozen=True, tag="play_on"):
    """Go on after `ply` in another way, in a game in turns: `seat` does `action`, None = it decides
    later, and bots act in the others until it may act again. What came after is forgotten. In a
    match that goes by mail only the bots of the record act."""

    ply: int
    seat: int
    action: Any = None


class PlaysOn(Struct, frozen=True, tag="plays_on"):
    """After `PlayOn` one seat has acted. Others may still do so; the answer follows."""


class Weigh(Struct, frozen=True, tag="weigh"):
    """Ask what the seat's decision that led to `ply` would be worth if it had been `action`, beside
    the one that a review has found to be `best`; None: beside the best that is found now."""

    ply: int
    seat: int
    action: Any
    best: Any = None


class Opened(Struct, frozen=True, tag="opened"):
    """The record is right, or is played on. `names` by seat, as they stand there. `seats`: who
    acted, for each ply; -1 = the clock. `outcome`: None = it goes on from there. `opens`: whether
    ALL_OPEN can be seen. `refusal`: why the action of `PlayOn` is impossible; then all is as
    before. `record`: the line of a match that goes by mail, as far as it goes."""

    game: str
    names: list[str]
    seats: list[int]
    outcome: Any
    opens: bool
    refusal: Refusal | None = None
    record: bytes = b""


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


# Files of matches, read and written.


READ: Final = "read"
WRITE: Final = "write"


class Found(Struct, frozen=True, tag="found"):
    """A match that has passed the checks of `verify`. `record`: its line, without the end; it has
    an id, made of what it holds where the file told none."""

    record: bytes


class Fault(Struct, frozen=True, tag="fault"):
    """What is wrong, in English. `line` of the file, from 1 on; `place`: `setup`, `ply K`,
    `outcome` or `signed`."""

    line: int
    place: str
    why: str


class Written(Struct, frozen=True, tag="written"):
    """The record as notation, all its lines."""

    text: str


# Reviews.


REVIEW: Final = "review"
"""On the command line of the process."""
VERSION: Final = 12
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
    says something of, which `seats` names. `view`: what a watcher saw at the end."""

    game: str
    names: list[str]
    scores: list[int]
    winners: list[int]
    plies: list[int]
    view: Any = None
    outcome: Any = None
    seats: list[int] = []


class Weighed(Struct, frozen=True):
    """What an action led to, on average, in thousandths: how many points the seat was ahead of the
    best of the others at the end, and how often it won. Where nobody played against it: its points,
    and None."""

    lead: int
    wins: int | None = None


class Judged(Struct, frozen=True, tag="judged"):
    """A decision. `view`: what the seat saw then. `best`: what would have been better; `action`
    itself where nothing surely is. `lost`: by how much, in thousandths: of the matches, or of a
    point where `in_points`, because hardly any were lost or nobody played against it. 0: it was no
    mistake. `error`: two standard errors of what was lost; where nothing was, of the figure of what
    was played. `by_bot`: a bot decided in the place of the seat's person. `parts`: of a mistake, by
    seat, in parts that the game names, what was played and `best` brought on average, in
    thousandths of a point, where that differs."""

    ply: int
    seat: int
    view: Any
    action: Any
    best: Any
    played: Weighed
    better: Weighed
    lost: int
    error: int
    in_points: bool = False
    by_bot: bool = False
    parts: list[dict[str, tuple[int, int]]] = []


class Raced(Struct, frozen=True, tag="raced"):
    """A card with which the seat's player in a race could shoot, over, or told of, at `ply`.
    `view`: what they saw when they saw the card first. In match time: `began_ms`, when the race
    did; `seen_ms`, when the card was sent; `tried_ms`, when they shot or clicked, None = they did
    not. `place`: where; -1 = a Click!. `missed`: there was a pattern, and they shot at none; or
    they shot and declared nothing right in time, or what lost the match or all cards. `hit`: what
    they declared was right. `came`: the event that told all what came of the shot; None where it
    did not count, or there was none. `by_bot`: a bot played for the player then."""

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


ReplayAsked: TypeAlias = Show | Hear | PlayOn | Weigh
Finding: TypeAlias = Judged | Raced
FromRecording: TypeAlias = (
    Opened | Shown | Heard | PlaysOn | Begun | Finding | Found | Fault | Written | Unfit | LastWord
)
"""All that the process says."""


# What a record has of its review (RECORDS.md), so that nobody has to make it again.


OF_THE_MATCH: Final = ("view", "action", "by_bot")
"""Fields of `Judged` that follow from the match and its other fields."""
_ALWAYS: Final = 1000
_MOST: Final = 1 << 40
"""No match comes to so many thousandths of a point, and a graph can be drawn of it."""


def as_field(found: Iterable[Finding], written: Callable[[Any], Any]) -> dict[str, Any]:
    """The field `review` of a record. `written`: an action as records have it."""
    decisions = []
    for one in (each for each in found if isinstance(each, Judged)):
        fields = {**msgspec.structs.asdict(one), "best": written(one.best)}
        told = {name: it for name, it in fields.items() if name not in OF_THE_MATCH and it != []}
        decisions.append(told)
    return {"version": VERSION, "decisions": decisions}


def from_field(field: Any, seats: int) -> dict[tuple[int, int], Judged]:
    """By ply and seat what the field says, as far as that can be: without what follows from the
    match, and with `best` as records have it. Nothing of another VERSION."""
    if not isinstance(field, dict) or field.get("version") != VERSION:
        return {}
    own = dict.fromkeys(OF_THE_MATCH[:2])
    try:
        told = [msgspec.convert({**each, **own}, Judged) for each in field["decisions"]]
    except (KeyError, TypeError, msgspec.ValidationError):
        return {}
    return {(one.ply, one.seat): one for one in told if _can_be(one, seats)}


def _can_be(one: Judged, seats: int) -> bool:
    """A seat that nobody plays against has points, and every other a chance to win."""
    wins = (one.played.wins, one.better.wins)
    if seats == 1:
        right = one.in_points and wins == (None, None)
    else:
        right = all(each is not None and 0 <= each <= _ALWAYS for each in wins)
    parts = chain.from_iterable(each.values() for each in one.parts)
    leads = (one.played.lead, one.better.lead, *chain.from_iterable(parts))
    told = [one.lost, one.error, *map(abs, leads)]
    return right and len(one.parts) in (0, seats) and all(0 <= each <= _MOST for each in told)


# Frames at the pipes between a program and a process that it has started for itself.


def framed(said: Any) -> bytes:
    """A message as the bytes that go into a pipe."""
    return frame(msgspec.msgpack.encode(said))


def tell(pipe: IO[bytes], said: Any) -> None:
    """Raises BrokenPipeError where nobody reads any more."""
    pipe.write(framed(said))
    pipe.flush()


def payload(pipe: IO[bytes]) -> bytes:
    """The next one, as soon as it is here; b"" at the pipe's end."""
    header = pipe.read(HEADER.size)
    return pipe.read(*HEADER.unpack(header)) if len(header) == HEADER.size else b""
