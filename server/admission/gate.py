"""Decides who may come in, by what their hello shows, and to a table with a password.

Laws: nothing is compared as plain text but the secret of the server's own client, and that in
constant time; a password that came in clear from another machine is not looked at, unless the
operator wished it; no password or secret is logged.
"""

import hmac
from collections import Counter
from collections.abc import Callable
from math import ceil
from time import monotonic
from typing import Final

from msgspec import Struct

from protocol.errors import GoodbyeCode
from protocol.from_server import Goodbye
from server.admission.hashing import BUSY_S, Busy, Hashing
from server.admission.invitations import Invitations
from server.admission.locks import Locks
from server.admission.tries import Tries
from server.config import Config
from server.store.invitations import Kept


class Pass(Struct, frozen=True):
    """How somebody came in: by an invitation, or None."""

    invitation: Kept | None = None


PASS: Final = Pass()


class Credentials(Struct, frozen=True, kw_only=True):
    """What a caller shows. `invitation`: the secret of one. `place`: what their tries are counted
    for; `identity`: as in `Session`. `private`: whether nobody can read it on its way; `own`:
    whether they are on this machine."""

    password: str
    invitation: bytes | None = None
    place: str
    identity: bytes
    private: bool
    own: bool


class ServerPassword(Struct, frozen=True):
    """What everybody must show. `kept`: a password by its hash; None = nobody must show anything,
    "" = no password fits. `secret`: a client of this machine comes in by it instead, "" = none
    does."""

    kept: str | None = None
    secret: str = ""


NO_PASSWORD: Final = ServerPassword()


class Admission:
    """Of one server. `locks`: of tables; `tries`: of the server's password and its invitations;
    `hosts_invite`: whether the host of a table may ask for one. `awaits`: whether a seat waits for
    its owner (`identity`, as in `Session`). `hits`: as in `Peers`."""

    def __init__(
        self,
        config: Config,
        word: ServerPassword,
        invitations: Invitations,
        awaits: Callable[[bytes], bool],
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
        tries_of_locks = Tries(config.limits, monotonic)
        self.locks: Final = Locks(tries_of_locks, self._hashing, in_clear=self._in_clear)

    def close(self) -> None:
        """Work out no more passwords."""
        self._hashing.close()

    def ask(self, kept: str | None) -> None:
        """Ask for this password (`ServerPassword.kept`) from now on."""
        self._kept = kept

    @property
    def asks(self) -> bool:
        """Whether a caller from elsewhere must show a password."""
        return self._kept is not None

    def judge(self, shown: Credentials) -> Goodbye | Pass | str:
        """How a caller comes in, or why they may not; a text is the hash with which to `compare`
        their password."""
        readable = not (shown.private or self._in_clear)
        if self._is_ours(shown):
            return PASS
        if shown.invitation is not None and not readable:
            return self._by_invitation(shown, shown.invitation)
        if self._kept is None:
            return PASS
        if not shown.password or readable:
            return self._asks(shown)
        if not self._kept:
            return self._may_try(shown) or self._asks(shown)
        return self._kept

    async def compare(self, shown: Credentials, kept: str) -> Goodbye | Pass:
        """The same by that hash, which takes a while."""
        try:
            async with self.tries.turn(shown.place, shown.identity) as wait_s:
                if wait_s:
                    return self._too_many(wait_s)
                if not await self._hashing.fits(shown.password, kept):
                    return self._asks(shown)
                self.tries.was_right(shown.place, shown.identity)
                return PASS
        except Busy:
            return Goodbye(GoodbyeCode.TOO_MANY_TRIES, {"wait_s": BUSY_S})

    def _by_invitation(self, shown: Credentials, secret: bytes) -> Goodbye | Pass:
        """One that is over still opens to the owner of a seat that waits."""
        found = self.invitations.find(secret)
        if found is None:
            return self._may_try(shown) or Goodbye(GoodbyeCode.INVITATION_UNKNOWN)
        if found.revoked:
            return Goodbye(GoodbyeCode.INVITATION_REVOKED)
        waits = bool(shown.identity) and self._awaits(shown.identity)
        if not waits and not self.invitations.holds(found):
            return Goodbye(GoodbyeCode.INVITATION_OVER, {"until": found.until})
        return Pass(found)

    def _is_ours(self, shown: Credentials) -> bool:
        given = shown.password.encode("utf-8", "replace")
        return shown.own and bool(self._secret) and hmac.compare_digest(given, self._secret)

    def _asks(self, shown: Credentials) -> Goodbye:
        """On a line that others can read the caller hears whether the server takes a password
        there."""
        params = {} if shown.private else {"in_clear": int(self._in_clear)}
        return Goodbye(GoodbyeCode.PASSWORD, {**params})

    def _may_try(self, shown: Credentials) -> Goodbye | None:
        wait_s = self.tries.begin(shown.place, shown.identity)
        return self._too_many(wait_s) if wait_s else None

    def _too_many(self, wait_s: float) -> Goodbye:
        self._hits["tries_burst"] += 1
        return Goodbye(GoodbyeCode.TOO_MANY_TRIES, {"wait_s": ceil(wait_s)})
