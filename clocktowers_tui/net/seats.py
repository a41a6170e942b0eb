"""Seats in matches that are not over, with the tokens that open them, and seats at tables that wait
for a match, on disk.

Laws: nobody but their owner can read the files, and only `net.moving` hands them on; the client
that plays a seat holds the lock of its file, so that a second client in the same home never sees
it. A file only grows and its last whole line counts, so no crash leaves it without a token.

A thread writes, because a slow disk must not stop the screen. `keep` returns when the token is on
disk, and the line is read no further until then: a client that is killed before has not shown the
match, and has not used the token, so the server still takes the token before.
"""

import asyncio
import contextlib
import fcntl
import os
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec.structs import replace

from clocktowers_tui.net import seats_folder
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.trust import FIRST_USE, Trust, dialled_by_friends, from_disk, is_here
from clocktowers_tui.state.match import Match
from clocktowers_tui.state.store import State, seen_version
from protocol.from_client import Resume
from protocol.table import DAY_S, Days, TableInfo
from protocol.text import clean

LAST_BYTES: Final = 64 * 1024
"""How much of a file's end is read; a line has some hundred bytes, and with all notes that a match
may have 42 000 at most."""


UNBEGUN_S: Final = float(DAY_S)
"""For so long the menu has the seat at a table that waits for its first match. Most servers hold it
for 15 minutes (`waiting_s`); the client does not know for how long another one does."""


class Progress(msgspec.Struct, frozen=True):
    """How far a match was when the player last had the turn. `people`: the others, by name; `turn`:
    counted from 1, 0 = unknown; `round`: in which it is, 0 = the game has none; `muted`: whom of
    the others the player did not hear; `read`: the number of the chat's newest line that the player
    had read; `daily`: it is a deal of the day; `practice`: a race without its clock; `notes`:
    the player's own, by ply."""

    people: tuple[str, ...] = ()
    bots: int = 0
    turn: int = 0
    round: int = 0
    muted: tuple[str, ...] = ()
    read: int = 0
    daily: bool = False
    practice: bool = False
    notes: dict[int, str] = {}


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """A seat at a server. `name`: what the player is called there; `asked`: the name they asked
    for, which somebody else had. `match`, `token`, in hex: both "" where the table waits for a
    match, and the server knows the player by their identity. `kept_at`: in seconds of the wall
    clock, for people to read. `others`: further addresses of the server. `folder`: where the
    player's own server keeps this match, which starts again there on any port; 0 = it is somebody
    else's server. `trust`: by what the server is known, as `Trust.on_disk` says it; `invitation`:
    the secret of one, in hex, by which the player came. `days`: its table has a clock of days, so
    that the player may have other matches at the same server. `person`: whose seat it is, counted
    from 0, where several people play at one keyboard."""

    host: str
    port: Annotated[int, msgspec.Meta(ge=1, le=65535)]
    name: str
    asked: str = ""
    match: str = ""
    table: str
    game: str
    token: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{2})*$")] = ""
    kept_at: float = 0.0
    others: tuple[Address, ...] = ()
    folder: int = 0
    trust: str = ""
    invitation: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{2})*$")] = ""
    progress: Progress = Progress()
    days: bool = False
    person: int = 0

    @property
    def trusts(self) -> Trust:
        """The same, read."""
        return from_disk(self.trust)

    @property
    def asked_for(self) -> str:
        """What its server knows the match by: its id, or the table that waits for it."""
        return self.match or self.table

    @property
    def at_home(self) -> bool:
        """Whether the match is on a server of the player's own, at this machine."""
        return bool(self.folder) or (is_here(self.address) and bool(self.trusts.key))

    @property
    def address(self) -> Address:
        return Address(self.host, self.port)

    @property
    def told_address(self) -> Address:
        """For people: friends dial the player's own server by another address."""
        return dialled_by_friends(self.address) if self.at_home else self.address

    @property
    def addresses(self) -> tuple[Address, ...]:
        """The one that it is kept by is the first."""
        return (self.address, *self.others)


class Seats:
    """The seats that this client plays, each in a file that it has locked."""

    def __init__(self) -> None:
        self._folder: Final = seats_folder()
        self._open: dict[Path, int] = {}
        self._order: Final = asyncio.Lock()
        """What is kept later stands later in a file."""

    def unfinished(self) -> list[Seat]:
        """The seats that no running client plays, the newest first."""
        found = []
        with contextlib.suppress(OSError):  # nobody may search the folder, or one above it
            for file in self._folder.glob("*.seat"):
                if (held := _locked(file)) is not None:
                    seat = _newest(held)
                    os.close(held)
                    if seat is not None and _may_be_there(seat):
                        found.append(cleaned(seat))
        return sorted(found, key=lambda seat: seat.kept_at, reverse=True)

    def all(self) -> list[Seat]:
        """Those, too, that a running client plays: the newest token on disk opens them. The oldest
        is the first."""
        found: list[Seat] = []
        for file in self._folder.glob("*.seat"):
            with contextlib.suppress(OSError), file.open("rb") as held:
                found += filter(None, [_newest(held.fileno())])
        return sorted(filter(_may_be_there, found), key=lambda seat: seat.kept_at)

    def give_up(self, moved: Iterable[Seat]) -> None:
        """The player has moved with these, also where a running client plays one."""
        for seat in moved:
            self._file(seat).unlink(missing_ok=True)

    def take(self, seat: Seat) -> Seat | None:
        """Make it this client's, and return it with its newest token; None when another client
        plays it."""
        file = self._file(seat)
        if file in self._open:
            return _newest(self._open[file])
        if (held := _locked(file)) is None:
            return None
        if (newest := _newest(held)) is None:
            os.close(held)
            return None
        self._open[file] = held
        return newest

    async def keep(self, seat: Seat) -> None:
        """Write the newest of a seat, and return when it is on disk. Where that fails its token
        lives as long as the client. A seat that is forgotten meanwhile stays so."""
        from clocktowers_tui.net.programs import to_its_end  # a start only lists seats

        file = self._file(seat)
        known = file in self._open
        async with self._order:
            if known and file not in self._open:
                return
            try:
                held = self._for_thread(file)
            except OSError:
                return
            # It begins a line of its own, though a crash may have torn the line before.
            line = b"\n" + msgspec.json.encode(replace(seat, kept_at=time.time())) + b"\n"
            await to_its_end(asyncio.to_thread(_append, held, line))

    def _for_thread(self, file: Path) -> int:
        """The file, open a second time under the same lock: `release` and `forget` may close the
        first descriptor while the thread writes. Raises OSError."""
        if file not in self._open:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if (held := _locked(file, create=True)) is None:
                raise BlockingIOError
            self._open[file] = held
        return os.dup(self._open[file])

    def forget(self, seat: Seat) -> None:
        """Remove it: there is nothing to come back to."""
        file = self._file(seat)
        if (held := self._open.pop(file, None)) is not None:  # else it is another client's
            with contextlib.suppress(OSError):
                file.unlink(missing_ok=True)
            os.close(held)

    async def let_go(self) -> None:
        """Wait until everything is written, then release: a write after that would lock the file
        again."""
        async with self._order:
            self.release()

    def release(self) -> None:
        """Let other clients, or this client later, take the seats."""
        while self._open:
            os.close(self._open.popitem()[1])

    def _file(self, seat: Seat) -> Path:
        """Strangers choose both names, so neither becomes part of a path."""
        server = f"local/{seat.folder}" if seat.folder else seat.address
        import hashlib  # loads a large library, and a start only lists seats

        person = f"/{seat.person}" if seat.person else ""
        name = hashlib.sha256(f"{server}/{seat.asked_for}{person}".encode()).hexdigest()
        return self._folder / f"{name[:32]}.seat"


def unfinished() -> list[Seat]:
    """The player's seats in matches that are not over, as far as this machine knows; of people at
    one keyboard that of the first."""
    return [seat for seat in Seats().unfinished() if not seat.person]


def beside(seat: Seat) -> list[Seat]:
    """The seats of the others at one keyboard, in their order."""
    there = [one for one in Seats().unfinished() if seat.folder and one.person]
    same = [one for one in there if (one.folder, one.match) == (seat.folder, seat.match)]
    return sorted(same, key=lambda one: one.person)


def _may_be_there(seat: Seat) -> bool:
    """Whether its server may still hold it."""
    return bool(seat.match or seat.days) or time.time() - seat.kept_at < UNBEGUN_S


def _locked(file: Path, *, create: bool = False) -> int | None:
    """The file, open and locked; None when it is not there, or another client's."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | (os.O_CREAT if create else 0)
    try:
        held = os.open(file, flags, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.stat(file).st_ino == os.fstat(held).st_ino:  # noqa: PTH116  (beside fstat)
            return held
    except OSError:
        pass
    os.close(held)  # somebody has it, or has just removed it
    return None


def _append(held: int, line: bytes) -> None:
    with contextlib.suppress(OSError):
        while line:
            line = line[os.write(held, line) :]
        os.fsync(held)
    os.close(held)


def _newest(held: int) -> Seat | None:
    """The seat on the last whole line."""
    start = max(0, os.fstat(held).st_size - LAST_BYTES)
    for line in reversed(os.pread(held, LAST_BYTES, start).split(b"\n")[:-1]):
        with contextlib.suppress(msgspec.DecodeError, UnicodeDecodeError):
            return msgspec.json.decode(line, type=Seat)
    return None


def cleaned(seat: Seat) -> Seat:
    """Fit to be shown: any program of this user could have written the file."""
    shown = ("host", "name", "table", "game")
    people = tuple(map(clean, seat.progress.people))
    others = tuple(one._replace(host=clean(one.host)) for one in seat.others)
    return replace(
        seat,
        **{field: clean(getattr(seat, field)) for field in shown},
        others=others,
        progress=replace(seat.progress, people=people),
    )


# The seat that this client plays at a server, with the newest token that opens it.
#
# Law: nobody but this module and the disk knows the token of a seat.


class OwnSeat:
    """`asked`: the name that the player asked for. `seats`: where tokens are kept; None = only in
    memory. `seat`: the seat to take again. `folder`, `person`: as in `Seat`."""

    def __init__(
        self,
        asked: str,
        seats: Seats | None = None,
        *,
        seat: Seat | None = None,
        folder: int = 0,
        person: int = 0,
    ) -> None:
        self.asked: Final = asked
        self._person: Final = person
        self._seats: Final = seats
        self.folder: Final = folder
        self.trust = FIRST_USE if seat is None else seat.trusts
        """By what the seat's server is known."""
        self.invitation = b"" if seat is None else bytes.fromhex(seat.invitation)
        """The secret by which the player came in, and comes back; b"" = none."""
        self.waits = seat if seat is not None and not seat.match else None
        """The seat at a table that waits for a match."""
        self._newest = None if self.waits else seat
        self._over = False
        self._released = False

    @property
    def seat(self) -> Seat | None:
        """The seat, as long as its match runs."""
        return None if self._over else self._newest

    def resume(self, state: State) -> Resume | None:
        """The request that takes the seat again; None without a token. `state`: what the client
        has seen of the match."""
        if (seat := self._newest) is None:
            return None
        version = seen_version(state, seat.match)
        return Resume(id=0, match=seat.match, token=bytes.fromhex(seat.token), version=version)

    async def keep(
        self, token: bytes, match: Match, addresses: Sequence[Address], name: str, *, days: bool
    ) -> None:
        """The server has sent a new token: return when it is on disk. `addresses`: those of the
        server; `name`: what the player is called there; `days`: False where that is unknown."""
        had = self._newest
        if had is not None and had.match != match.id:
            had = None
        self._over = False
        if had is not None:  # the address that it is kept by stays
            addresses = [*dict.fromkeys((had.address, *addresses, *had.others))]
        seat = self._at(match.table, match.game, addresses, name)
        if had is not None:
            seat = replace(seat, name=had.name, asked=had.asked, progress=had.progress)
            days = days or had.days
        self._newest = replace(seat, match=match.id, token=token.hex(), days=days)
        if self._seats is not None:
            await self._seats.keep(self._newest)
        self.wait_no_more()

    async def wait(self, table: TableInfo, addresses: Sequence[Address], name: str) -> None:
        """The player sits at a table where no match runs: return when that is on disk. `addresses`,
        `name`: as in `keep`."""
        days = isinstance(table.clock, Days)
        known = self.waits and (self.waits.table, self.waits.days) == (table.table, days)
        if known or self._released or self.folder or self.seat is not None:
            return
        self.wait_no_more()
        self.waits = replace(self._at(table.table, table.game, addresses, name), days=days)
        if self._seats is not None:
            await self._seats.keep(self.waits)

    def _at(self, table: str, game: str, addresses: Sequence[Address], name: str) -> Seat:
        first, *others = addresses
        return Seat(
            host=first.host,
            port=first.port,
            others=tuple(others),
            name=name,
            asked=self.asked,
            table=table,
            game=game,
            folder=self.folder,
            person=self._person,
            trust=self.trust.on_disk(),
            invitation=self.invitation.hex(),
        )

    def wait_no_more(self) -> None:
        """The match of that table begins, or the player is not let to it any more."""
        if self.waits is not None and self._seats is not None:
            self._seats.forget(self.waits)
        self.waits = None

    async def note(self, progress: Progress) -> None:
        """The player has the turn: return when how far the match is stands on disk."""
        if self._released or self.seat is None or self.seat.progress == progress:
            return
        self._newest = replace(self.seat, progress=progress)
        if self._seats is not None:
            await self._seats.keep(self._newest)

    def match_ended(self, match: str) -> None:
        """Nothing is left to come back to. The token stays in memory: a rematch that begins while
        the line is broken may hold the seat for it."""
        if self._newest is not None and self._newest.match == match:
            self._forget_on_disk()
            self._over = True

    def forget(self) -> None:
        """The seat is given up, or lost."""
        self._forget_on_disk()
        self._newest, self._over = None, False
        self.wait_no_more()

    def _forget_on_disk(self) -> None:
        if self._newest is not None and self._seats is not None:
            self._seats.forget(self._newest)

    async def release(self) -> None:
        """This client plays the seat no longer; another client may."""
        self._released = True
        if self._seats is not None:
            await self._seats.let_go()
