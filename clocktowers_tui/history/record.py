"""A match's record as a server sends it: the line that protocol/RECORDS.md describes, packed by
zlib. A client cannot verify it; what it shows of it has the right shape.
"""

import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from clocktowers_tui.games.face import Face
from clocktowers_tui.text import NotDone
from clocktowers_tui.text.fitting import fit, shown
from clocktowers_tui.text.i18n import _
from protocol.ids import Seat
from protocol.signing import MOST_COMMENT
from protocol.text import clean

T = TypeVar("T")

MAX_LINE_BYTES: Final = 4 << 20
"""RECORDS.md says so. More is not even unpacked."""
_PLY: Final = re.compile("[0-9]{1,6}")


class NotARecord(NotDone):
    def __init__(self, why: str) -> None:
        super().__init__(_("This match cannot be replayed: {why}").format(why=clean(why)))


class Seated(Struct, frozen=True, omit_defaults=True):
    """`level`: a bot's; "" = a person's, or unknown. `kind`: "human" is a person's, "" unknown."""

    name: str
    level: str = ""
    kind: str = ""


class Outcome(Struct, frozen=True):
    """`scores` by seat; `winners`: seats."""

    scores: list[int]
    winners: list[int]


class Head(Struct, frozen=True):
    """The fields of a record that a list shows. Nothing is cleaned yet. `began`: as RECORDS.md has
    it; "" = unknown."""

    id: str
    game: str
    seats: list[Seated]
    outcome: Outcome
    options: dict[str, Any] = {}
    began: str = ""


class _Seats(Struct, frozen=True):
    seats: list[Seated]


class Ply(Struct, frozen=True):
    """`at_ms`: since the match began; 0 = unknown. `by`: "bot" = a bot's in a person's place."""

    at_ms: int = 0
    seat: int = -1
    by: str = ""


class _Course(Struct, frozen=True):
    plies: list[Ply]


class _Comments(Struct, frozen=True):
    comments: dict[str, str] = {}


class Record(NamedTuple):
    """`line`: JSON, without its end."""

    head: Head
    line: bytes


class Replayed(NamedTuple):
    """A match to be seen again. `line`: its record. `me`: the seat through whose eyes it is seen
    first, None = the player only watched. `ply`: where it opens; None: at the deal. `match`: its id
    in the history; "" of a file."""

    line: bytes
    me: int | None = None
    ply: int | None = None
    match: str = ""


def head_of(line: bytes) -> Head:
    """Raises NotARecord."""
    return _read(line, Head)


def seats_of(line: bytes) -> list[Seated]:
    """Also of a record that no server has made, which has no id. Raises NotARecord."""
    return _read(line, _Seats).seats


def _read(line: bytes, of: type[T]) -> T:
    try:
        return msgspec.json.decode(line, type=of)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotARecord(str(error)) from None


def plies_of(line: bytes) -> list[Ply]:
    """When what happened, and who did it. Raises NotARecord."""
    return _read(line, _Course).plies


def said_in(line: bytes) -> dict[str, str]:
    """The comments as they stand in a record, not clean: by ply, and others' by ply and name.
    Nothing where it has something else there."""
    with suppress(NotARecord):
        return _read(line, _Comments).comments
    return {}


def comments_of(line: bytes) -> dict[int, str]:
    """What somebody has said of the match after so many plies, clean; others with their names. No
    longer than one comment can be, so that the board keeps its room."""
    found = dict[int, list[str]]()
    for key, text in sorted(said_in(line).items()):
        ply, _blank, name = key.partition(" ")
        if _PLY.fullmatch(ply) and (said := clean(text[:MOST_COMMENT])):
            found.setdefault(int(ply), []).append(f"{shown(name)}: {said}" if name else said)
    return {ply: fit(" / ".join(all_said), 2 * MOST_COMMENT) for ply, all_said in found.items()}


def unpacked(packed: bytes, match: str) -> Record:
    """The record of this match. Raises NotARecord."""
    unpacking = zlib.decompressobj()
    try:
        line = unpacking.decompress(packed, MAX_LINE_BYTES + 1).removesuffix(b"\n")
    except zlib.error as error:
        raise NotARecord(str(error)) from None
    head = head_of(line)
    if not unpacking.eof or b"\n" in line:
        raise NotARecord("it is no whole line")
    if head.id != match:
        raise NotARecord("it is of another match")
    return Record(head, line)


# Where the turns of a match begin, read off what was told at each ply. Pure.
#
# A turn is looked at before its first ply, where its player decides.


class Turns(NamedTuple):
    """Numbers of plies, ascending. `own`: the turns of one player; in a race, where everybody acts
    at once, what this player has done."""

    starts: tuple[int, ...]
    own: tuple[int, ...]


def turns_of(face: Face, told: Sequence[Sequence[Any]], seats: Sequence[int], own: int) -> Turns:
    """`told`: the events of the deal and of each ply; `seats`: who acted at each ply, -1 = the
    clock; `own`: whose turns are sought, as far as that is a seat."""
    begun = list(_begun(face, told))
    starts = tuple(sorted({ply for ply, _seat in begun}))
    if face.in_turns:
        return Turns(starts, tuple(sorted({ply for ply, seat in begun if seat == own})))
    return Turns(starts, tuple(ply for ply, seat in enumerate(seats) if seat == own))


def _begun(face: Face, told: Sequence[Sequence[Any]]) -> Iterator[tuple[int, int | None]]:
    """Each turn: at which ply it is looked at, and whose it is; None = everybody's."""
    acting: Seat | None = None
    for ply, events in enumerate(told):
        for event in events:
            seat = getattr(event, "seat", None)
            if face.opens_turn(event, acting):
                yield (ply if seat is None else max(0, ply - 1)), seat
            acting = acting if seat is None else seat


def after(plies: Sequence[int], at: int, last: int) -> int:
    """The first of them behind `at`, else the `last` of the match."""
    return next((ply for ply in plies if ply > at), last)


def before(plies: Sequence[int], at: int) -> int:
    """The last of them before `at`, else the deal."""
    return next((ply for ply in reversed(plies) if ply < at), 0)


def round_from(
    plies: Sequence[int], at: int, by: int, seen: int = -1, *, whole: bool = True
) -> int | None:
    """The next of them in their order (1), or the one before (-1); they go round, if these are the
    `whole`. Elsewhere it is the next to the one that was `seen` last. None: there is no other."""
    here = at if at in plies else seen
    if here not in plies:
        return plies[0 if by > 0 else -1] if plies else None
    n = plies.index(here) + by
    there = plies[n % len(plies)] if whole or 0 <= n < len(plies) else here
    return there if there != at else None
