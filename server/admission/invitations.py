"""The invitations of a server: who made them, how long they hold, and what a caller who shows one
is told.

Laws: only the hash of a secret is kept; what is on the disk holds, and what could not be written
does not. At most `MOST` are kept; one that is over or revoked is kept as long as there is room, so
that a caller hears why it opens nothing.
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Final, NamedTuple

from msgspec.structs import replace

from protocol.invitation import SECRET_BYTES, Invitation, Place, decode, encode, page_address
from protocol.table import DAY_S
from server.store.lists import INVITATIONS, InvitationFile, Kept
from server.store.private import Shelf

MOST: Final = 500
USUAL_S: Final = 7 * DAY_S
"""How long one holds of which nothing is said."""
LONGEST_S: Final = 366 * DAY_S
OF_HOSTS: Final = MOST // 2
"""So many may tables' hosts make: the operator's own always find room."""
OF_A_TABLE: Final = 4


class CannotInvite(Exception):
    """There is no more room, or the disk does not keep it; the text is a sentence."""


class TooMany(CannotInvite):
    """Hosts of tables have made so many."""


class Whereabouts(NamedTuple):
    """Where the server is found. `places` and `key`: as in an `Invitation`. `page_port`: of the
    page for browsers; 0 = that of the place, None = there is no page."""

    places: tuple[Place, ...]
    key: bytes = b""
    page_port: int | None = None


class Invitations:
    """`where`: this server; `shelf`: the server's; None = nothing is written. `now_s`: seconds
    since 1970."""

    def __init__(
        self,
        where: Callable[[], Whereabouts],
        kept: Iterable[Kept] = (),
        shelf: Shelf | None = None,
        now_s: Callable[[], float] = time.time,
    ) -> None:
        self._where: Final = where
        self._shelf: Final = shelf
        self._now_s: Final = now_s
        self._writing: Final = asyncio.Lock()
        self.replace(kept)

    def replace(self, kept: Iterable[Kept]) -> None:
        """Let there be these, and no others."""
        self._by_hash = {one.sha256: one for one in kept}

    def all(self) -> list[Kept]:
        """Those in force, the oldest first."""
        return [one for one in self._by_hash.values() if self.in_force(one)]

    def kept(self) -> list[Kept]:
        """The same, and those that are over or revoked."""
        return list(self._by_hash.values())

    def find(self, secret: bytes) -> Kept | None:
        """The one with this secret, which may be over; it says nothing of secrets to look it up by
        a hash."""
        return self._by_hash.get(sha256(secret).hexdigest())

    def of_name(self, name: str) -> Kept | None:
        """The one of this name, which may be over; None where nobody came by one."""
        return next((one for one in self._by_hash.values() if one.name == name), None)

    def in_force(self, one: Kept) -> bool:
        return not one.revoked and self._now_s() < one.until

    async def issue(
        self,
        name: str = "",
        for_s: int = USUAL_S,
        *,
        table: str = "",
        by: str = "",
        places: Sequence[Place] = (),
    ) -> tuple[Kept, str]:
        """Make one, which holds for so long, and return it with its line. `name` "" = the next
        number. `by`: the host of the table who asks. `places`: where the server is found, if not
        where it thinks. Raises CannotInvite."""
        secret, now_s = secrets.token_bytes(SECRET_BYTES), int(self._now_s())
        hash_, until = sha256(secret).hexdigest(), now_s + min(for_s, LONGEST_S)

        def with_one() -> list[Kept]:
            if by:
                self._refuse_more(table)
            names = {one.name for one in self._by_hash.values()}
            if name in names and any(one.name == name for one in self.all()):
                raise CannotInvite(f"there is an invitation {name!a} already: revoke it first")
            numbers = map(str, range(1, len(names) + 2))
            called = name or next(number for number in numbers if number not in names)
            made = Kept(name=called, sha256=hash_, since=now_s, until=until, table=table, by=by)
            kept = [one for one in self._by_hash.values() if one.name != called]
            return [*self._newest(kept), made]

        async with self._writing:
            made = (await self._keep(with_one))[-1]
        where = self._where()
        found = tuple(places) or where.places
        return made, encode(Invitation(found, secret, where.key, table))

    def page(self, line: str) -> str:
        """The same invitation for a browser; "" where this server has no page."""
        port = self._where().page_port
        return "" if port is None else page_address(decode(line), port)

    def _refuse_more(self, table: str) -> None:
        made = [one for one in self.all() if one.by]
        if len(made) >= OF_HOSTS or sum(one.table == table for one in made) >= OF_A_TABLE:
            raise TooMany("there are too many invitations by hosts of tables")

    def _newest(self, kept: Sequence[Kept]) -> Sequence[Kept]:
        """Those that stay when one more comes: one that is over makes room."""
        if len(kept) < MOST:
            return kept
        for one in kept:
            if not self.in_force(one):
                return [other for other in kept if other is not one]
        raise CannotInvite(f"there are {MOST} invitations already: revoke some of them first")

    async def revoke(self, which: Callable[[Kept], bool]) -> None:
        """Revoke those in force that are meant. Raises CannotInvite."""
        async with self._writing:
            if hashes := {one.sha256 for one in self.all() if which(one)}:
                await self._keep(
                    lambda: [
                        replace(one, revoked=True) if one.sha256 in hashes else one
                        for one in self._by_hash.values()
                    ]
                )

    async def _keep(self, change: Callable[[], list[Kept]]) -> list[Kept]:
        """Have the disk keep what `change` makes of those that there are. Returns these."""
        if self._shelf is None:
            made = change()
            self.replace(made)
            return made

        def use(filed: InvitationFile) -> None:
            self.replace(filed.invitations)

        try:
            filed = await self._shelf.put(INVITATIONS, lambda: InvitationFile(change()), use)
        except OSError as error:
            why = error.strerror or error
            raise CannotInvite(f"the invitations cannot be kept: {why}") from None
        return filed.invitations
