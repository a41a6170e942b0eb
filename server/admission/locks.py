"""The passwords of tables: hashed and limited as the server's own, with tries of their own."""

from collections.abc import Awaitable, Callable
from math import ceil
from typing import Final, TypeVar

from protocol.refusal import Refusal, RefusalCode
from server.admission.hashing import BUSY_S, Busy, Hashing
from server.admission.tries import Tries

T = TypeVar("T")


class Locks:
    """`in_clear`: whether a password may come in clear."""

    def __init__(self, tries: Tries, hashing: Hashing, *, in_clear: bool) -> None:
        self._tries: Final = tries
        self._hashing: Final = hashing
        self._in_clear: Final = in_clear

    async def made(
        self, password: str, place: str, identity: bytes, *, private: bool
    ) -> str | Refusal:
        """The hash to keep of a password. It costs a try, since it costs the server as much."""
        return await self._in_turn(
            lambda: self._hashing.hashed(password), place, identity, private=private
        )

    async def refusal(
        self, password: str, lock: str, place: str, identity: bytes, *, private: bool
    ) -> Refusal | None:
        """Why this password does not open the table whose hash that is; None: it does."""
        if not password:
            return Refusal(RefusalCode.TABLE_PASSWORD)

        async def fits() -> Refusal | None:
            if not await self._hashing.fits(password, lock):
                return Refusal(RefusalCode.TABLE_PASSWORD)
            self._tries.give_back(place, identity)
            return None

        return await self._in_turn(fits, place, identity, private=private)

    async def _in_turn(
        self, work: Callable[[], Awaitable[T]], place: str, identity: bytes, *, private: bool
    ) -> T | Refusal:
        """What `work` finds, as a try of whom that counts for; or why it is not done."""
        if not (private or self._in_clear):
            return Refusal(RefusalCode.PASSWORD_IN_CLEAR)
        try:
            async with self._tries.turn(place, identity) as wait_s:
                return _wait(wait_s) if wait_s else await work()
        except Busy:
            return _wait(BUSY_S)


def _wait(wait_s: float) -> Refusal:
    return Refusal(RefusalCode.TOO_MANY_TRIES, {"wait_s": ceil(wait_s)})
