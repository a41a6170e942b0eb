"""What the server keeps of people, by identity (`Session.identity`): where they want to be told of
their turns (`telling`), and their days off, of which each has some in a year.

Laws: a change is made of what the journal has, which all nodes share: of two at the same moment the
second sees what the first has made. Days off stop the clocks of days. A turn lasts longer by just
as much of them as falls into it, so what sleeps and what is awake, and a match before and after a
restart, come to the same deadline. A person who plays nowhere makes room for another.
"""

import asyncio
from collections.abc import Callable, Iterable
from itertools import chain
from typing import TYPE_CHECKING, Final

import structlog
from msgspec import DecodeError, Struct, msgpack
from msgspec.structs import replace

from protocol.codec import encode
from protocol.errors import RefusalCode
from protocol.ids import MatchId
from protocol.table import DAY_S
from server.logs.marks import identity_mark
from server.store.journal import JournalError
from server.tables.access import Impossible

if TYPE_CHECKING:
    from server.tables.lobby import Lobby

YEAR_S: Final = 365 * DAY_S
MOST_PEOPLE: Final = 10_000
AGAIN_S: Final = 0.05
"""After a change that waits for another node's."""
TRIES: Final = 20
"""Then the other node hangs in the middle of its change."""


class Turn(Struct, frozen=True):
    """Of a player who was away. `after`: the version of the last action of somebody else. `name`:
    the player's. `due_at`: when their time is up, `since`: when the server noticed, in seconds
    since 1970. `told`: before the message goes out, and as long as it may have."""

    after: int
    game: str
    table: str
    name: str
    due_at: int | None
    since: int
    told: bool = False


class Person(Struct, frozen=True):
    """As the journal has it. `address` "": they want to be told nothing. `quiet`: as in `Notify`.
    `failures`: refusals in a row. `turns`: the newest in each match.
    `wait_s`: after the newest try, 0 if it went well; `again_at`: its end. `away`: days off,
    ascending, from when until when. All times are in seconds since 1970."""

    address: str = ""
    language: str = ""
    quiet: list[int] = []
    turns: dict[MatchId, Turn] = {}
    failures: int = 0
    wait_s: int = 0
    again_at: int = 0
    away: list[tuple[int, int]] = []


def _packed(person: Person) -> bytes:
    """For the journal; b"" = there is nothing to keep."""
    return encode(person) if person.address or person.away else b""


def _read(who: bytes, kept: bytes) -> Person:
    try:
        return msgpack.decode(kept, type=Person) if kept else Person()
    except DecodeError:
        log = structlog.get_logger()
        log.error("cannot read what is kept of a player", identity=identity_mark(who))
        return Person()


class People:
    """Of one lobby."""

    def __init__(self, lobby: "Lobby") -> None:
        self._lobby: Final = lobby
        self.known: Final[dict[bytes, Person]] = {}

    async def read(self, who: Iterable[bytes] = ()) -> None:
        """Know of these people what the journal has, or of all. Raises JournalError."""
        wanted = [*who]
        found = await self._lobby.runner.journal.people(wanted)
        for one in {*wanted} or {*self.known, *found}:
            self._know(one, found.get(one, b""))

    def _know(self, who: bytes, kept: bytes) -> None:
        self.known.pop(who, None)
        if kept:
            self.known[who] = _read(who, kept)

    def of(self, who: bytes) -> Person:
        """What is kept of this person, who may be unknown."""
        return self.known.get(who) or Person()

    async def make_room(self, who: bytes) -> None:
        """For this person. Where there are too many, somebody who plays nowhere is forgotten.
        Raises Impossible and JournalError."""
        if who not in self.known and len(self.known) >= MOST_PEOPLE:
            plays = self._lobby.shares.plays
            gone = next((one for one in self.known if not plays(one)), None)
            if gone is None:
                raise Impossible(RefusalCode.BUSY)
            await self.change(gone, lambda _: Person())

    async def change(
        self, who: bytes, make: Callable[[Person], Person], match: MatchId | None = None
    ) -> None:
        """Keep what `make` makes of this person; again, where another node was quicker. `match`: as
        in `Journal.keep_person`. Raises JournalError."""
        keep, found = self._lobby.runner.journal.keep_person, _packed(self.of(who))
        for _ in range(TRIES):
            kept = _packed(make(_read(who, found)))
            if kept == found or (stood := await keep(who, found, kept, match)) == found:
                return self._know(who, kept)
            if stood is None:
                await asyncio.sleep(AGAIN_S)
            else:
                found = stood
        raise JournalError("another node does not let go of what is kept of a player")

    # Days off -------------------------------------------------------------------------------------

    async def take_off(self, who: bytes, days: int) -> None:
        """So many days from now on, or after those that are taken, or as many as are left. Raises
        Impossible and JournalError."""
        now_s, most_s = int(self._lobby.runner.wall()), self._lobby.limits.vacation_days * DAY_S

        def taken_off(person: Person) -> Person:
            taken = [one for one in person.away if one[1] > now_s - YEAR_S]
            had_s = sum(until - since for since, until in taken)
            if (some_s := min(days * DAY_S, most_s - had_s)) <= 0:
                return person
            since = max([now_s, *chain(*taken)])
            return replace(person, away=[*taken, (since, since + some_s)])

        await self.make_room(who)
        await self.change(who, taken_off)

    def away_until(self, who: bytes) -> int:
        """0: this person has no days off now."""
        away = self.of(who).away
        return away[-1][1] if away and away[-1][1] > self._lobby.runner.wall() else 0
