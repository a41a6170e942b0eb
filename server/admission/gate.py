"""Decides who may come in, by what their hello shows.

Laws: nothing is compared as plain text but the secret of the server's own client, and that in
constant time; a password that came in clear from another machine is not looked at, unless the
operator wished it; no password or secret is logged.
"""

import hmac
from collections import Counter
from collections.abc import Callable, Coroutine
from math import ceil
from typing import Any, Final, TypeAlias

from msgspec import Struct

from protocol.errors import GoodbyeCode
from protocol.from_server import Goodbye
from server.admission.hashing import Busy, Hashing
from server.admission.invitations import Invitations
from server.admission.tries import Tries
from server.store.invitations import Kept

BUSY_S: Final = 2
"""When to come again, where many come at once."""


class Pass(Struct, frozen=True):
    """How somebody came in: by an invitation, or None."""

    invitation: Kept | None = None


PASS: Final = Pass()
Judged: TypeAlias = Callable[[Goodbye | Pass], None]
"""Told how a caller came in, or why they may not."""
Spawn: TypeAlias = Callable[[Coroutine[Any, Any, None]], object]


class Shown(Struct, frozen=True, kw_only=True):
    """What a caller shows. `invitation`: the secret of one. `place`: what their tries are counted
    for; `identity`: as in `Session`. `private`: whether nobody can read it on its way; `own`:
    whether they are on this machine."""

    password: str
    invitation: bytes | None = None
    place: str
    identity: bytes
    private: bool
    own: bool


class Word(Struct, frozen=True):
    """What everybody must show. `kept`: a password by its hash; None = nobody must show anything,
    "" = no password fits. `secret`: a client of this machine comes in by it instead, "" = none
    does."""

    kept: str | None = None
    secret: str = ""


NO_WORD: Final = Word()


class Gate:
    """`in_clear`: whether a password may come in clear. `awaits`: whether a seat waits for its
    owner (`identity`, as in `Session`). `hits`: as in `Peers`."""

    def __init__(
        self,
        word: Word,
        *,
        invitations: Invitations,
        awaits: Callable[[bytes], bool],
        in_clear: bool,
        tries: Tries,
        hashing: Hashing,
        hits: Counter[str],
    ) -> None:
        self._kept = word.kept
        self._secret: Final = word.secret.encode()
        self._invitations: Final = invitations
        self._awaits: Final = awaits
        self._in_clear: Final = in_clear
        self._tries: Final = tries
        self._hashing: Final = hashing
        self._hits: Final = hits

    def ask(self, kept: str | None) -> None:
        """Ask for this password (`Word.kept`) from now on."""
        self._kept = kept

    @property
    def asks(self) -> bool:
        """Whether a caller from elsewhere must show a password."""
        return self._kept is not None

    def judge(self, shown: Shown, spawn: Spawn, judged: Judged) -> None:
        """Call `judged`, at once or when the hash is worked out."""
        readable = not (shown.private or self._in_clear)
        if self._is_ours(shown):
            judged(PASS)
        elif shown.invitation is not None and not readable:
            judged(self._by_invitation(shown, shown.invitation))
        elif self._kept is None:
            judged(PASS)
        elif not shown.password or readable:
            judged(self._asks(shown))
        elif not self._kept:
            judged(self._may_try(shown) or self._asks(shown))
        else:
            spawn(self._compare(shown, self._kept, judged))

    def _by_invitation(self, shown: Shown, secret: bytes) -> Goodbye | Pass:
        """One that is over still opens to the owner of a seat that waits."""
        found = self._invitations.find(secret)
        if found is None:
            return self._may_try(shown) or Goodbye(GoodbyeCode.INVITATION_UNKNOWN)
        if found.revoked:
            return Goodbye(GoodbyeCode.INVITATION_REVOKED)
        waits = bool(shown.identity) and self._awaits(shown.identity)
        if not waits and not self._invitations.holds(found):
            return Goodbye(GoodbyeCode.INVITATION_OVER, {"until": found.until})
        return Pass(found)

    def _is_ours(self, shown: Shown) -> bool:
        given = shown.password.encode("utf-8", "replace")
        return shown.own and bool(self._secret) and hmac.compare_digest(given, self._secret)

    def _asks(self, shown: Shown) -> Goodbye:
        """On a line that others can read the caller hears whether the server takes a password
        there."""
        params = {} if shown.private else {"in_clear": int(self._in_clear)}
        return Goodbye(GoodbyeCode.PASSWORD, {**params})

    def _may_try(self, shown: Shown) -> Goodbye | None:
        wait_s = self._tries.begin(shown.place, shown.identity)
        return self._too_many(wait_s) if wait_s else None

    def _too_many(self, wait_s: float) -> Goodbye:
        self._hits["tries_burst"] += 1
        return Goodbye(GoodbyeCode.TOO_MANY_TRIES, {"wait_s": ceil(wait_s)})

    async def _compare(self, shown: Shown, kept: str, judged: Judged) -> None:
        try:
            async with self._tries.turn(shown.place, shown.identity) as wait_s:
                fits = not wait_s and await self._hashing.fits(shown.password, kept)
                if fits:
                    self._tries.was_right(shown.place, shown.identity)
        except Busy:
            judged(Goodbye(GoodbyeCode.TOO_MANY_TRIES, {"wait_s": BUSY_S}))
            return
        if fits:
            judged(PASS)
        else:
            judged(self._too_many(wait_s) if wait_s else self._asks(shown))
