"""Decides who may come in, by what their hello shows, and to a table with a password.

Laws: nothing is compared as plain text but the secret of the server's own client, and that in
constant time; a password that came in clear from another machine is not looked at, unless the
operator wished it; no password or secret is logged.
"""

import hmac
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from math import ceil
from time import monotonic
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from msgspec import Struct

from protocol.errors import GoodbyeCode, Refusal, RefusalCode
from protocol.from_client import Hello
from protocol.from_server import Goodbye
from server.admission.invitations import Invitations
from server.admission.passwords import Busy, Hashing, Tries
from server.config import Config
from server.store.lists import Kept

if TYPE_CHECKING:
    from server.net.session import Session
    from server.tables.seat import Chair

T = TypeVar("T")
Admittance: TypeAlias = Goodbye | Kept | None
"""Why a caller may not come in, or how they do: by an invitation, or None."""


class ServerPassword(Struct, frozen=True):
    """What everybody must show. `kept`: a password by its hash; None = nobody must show anything,
    "" = no password fits. `secret`: a client of this machine comes in by it instead, "" = none
    does."""

    kept: str | None = None
    secret: str = ""


NO_PASSWORD: Final = ServerPassword()


class Admission:
    """Of one server. `tries`: of its password and its invitations; those of tables' passwords are
    counted apart. `hosts_invite`: whether the host of a table may ask for an invitation. `awaits`:
    the seats that wait for a person (`identity`, as in `Session`). `hits`: as in `Peers`."""

    def __init__(
        self,
        config: Config,
        word: ServerPassword,
        invitations: Invitations,
        awaits: Callable[[bytes], Sequence["Chair"]],
        hits: Counter[str],
    ) -> None:
        self._kept = word.kept
        self._secret: Final = word.secret.encode()
        self._awaits: Final = awaits
        self._in_clear: Final = config.password_in_clear
        self._hashing: Final = Hashing()
        self._hits: Final = hits
        self.invitations: Final = invitations
        self.hosts_invite: Final = config.hosts_invite
        self.tries: Final = Tries(config.limits, monotonic)
        self._tries_at_tables: Final = Tries(config.limits, monotonic)

    def ask(self, kept: str | None) -> None:
        """Ask for this password (`ServerPassword.kept`) from now on."""
        self._kept = kept

    @property
    def asks(self) -> bool:
        """Whether a caller from elsewhere must show a password."""
        return self._kept is not None

    # To the server ------------------------------------------------------------------------------

    def judge(self, session: "Session", shown: Hello) -> Admittance | str:
        """A text is the hash with which to `compare` their password."""
        caller, readable = session.caller, self._readable(session)
        given = shown.password.encode("utf-8", "replace")
        if caller.here and self._secret and hmac.compare_digest(given, self._secret):
            return None
        if shown.invitation is not None and not readable:
            return self._by_invitation(session, shown.invitation)
        if self._kept is None:
            return None
        if not shown.password or readable:
            return self._asks(session)
        if not self._kept:
            return self._may_try(session) or self._asks(session)
        return self._kept

    async def compare(self, session: "Session", shown: Hello, kept: str) -> Admittance:
        """The same by that hash, which takes a while."""
        try:
            async with self.tries.turn(*session.counted):
                if not await self._hashing.fits(shown.password, kept):
                    return self._asks(session)
                self.tries.was_right(*session.counted)
                return None
        except Busy as busy:
            return self._too_many(busy.wait_s)

    def _by_invitation(self, session: "Session", secret: bytes) -> Admittance:
        """An invitation whose time is over still lets in the owner of a seat that waits."""
        found = self.invitations.find(secret)
        if found is None:
            unknown = Goodbye(GoodbyeCode.INVITATION_UNKNOWN)
            return self._may_try(session) or unknown
        if found.revoked:
            return Goodbye(GoodbyeCode.INVITATION_REVOKED)
        if not self.invitations.in_force(found) and not self._awaits(session.identity):
            return Goodbye(GoodbyeCode.INVITATION_OVER, {"until": found.until})
        return found

    def _readable(self, session: "Session") -> bool:
        """Whether others may read a password there, and the operator does not wish it."""
        return not (session.caller.secure or self._in_clear)

    def _asks(self, session: "Session") -> Goodbye:
        """On a line that others can read the caller hears whether the server takes a password
        there."""
        params = {} if session.caller.secure else {"in_clear": int(self._in_clear)}
        return Goodbye(GoodbyeCode.PASSWORD, {**params})

    def _may_try(self, session: "Session") -> Goodbye | None:
        wait_s = self.tries.begin(*session.counted)
        return self._too_many(wait_s) if wait_s else None

    def _too_many(self, wait_s: float) -> Goodbye:
        self._hits["tries_burst"] += 1
        return Goodbye(GoodbyeCode.TOO_MANY_TRIES, {"wait_s": ceil(wait_s)})

    # To a table -----------------------------------------------------------------------------------

    async def lock(self, session: "Session", password: str) -> str | Refusal:
        """The hash to keep of a table's password. It costs a try, since it costs the server as
        much."""
        return await self._try_in_turn(session, partial(self._hashing.hashed, password))

    async def refusal(self, session: "Session", password: str, lock: str) -> Refusal | None:
        """Why this password does not open the table whose hash that is; None: it does."""
        if not password:
            return Refusal(RefusalCode.TABLE_PASSWORD)
        fits = await self._try_in_turn(session, partial(self._hashing.fits, password, lock))
        if isinstance(fits, Refusal):
            return fits
        if not fits:
            return Refusal(RefusalCode.TABLE_PASSWORD)
        self._tries_at_tables.give_back(*session.counted)
        return None

    async def _try_in_turn(
        self, session: "Session", work: Callable[[], Awaitable[T]]
    ) -> T | Refusal:
        """What `work` finds, as a try of theirs; or why it is not done."""
        if self._readable(session):
            return Refusal(RefusalCode.PASSWORD_IN_CLEAR)
        try:
            async with self._tries_at_tables.turn(*session.counted):
                return await work()
        except Busy as busy:
            return Refusal(RefusalCode.TOO_MANY_TRIES, {"wait_s": ceil(busy.wait_s)})
