"""The passwords of tables: hashed and limited as the server's own, with tries of their own."""

import asyncio
from math import ceil
from typing import Final

from protocol.refusal import Refusal, RefusalCode
from server.admission.gate import BUSY_S
from server.admission.hashing import Busy, Hashing
from server.admission.tries import Tries


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
        if (refusal := self._begin(place, identity, private=private)) is not None:
            return refusal
        try:
            return await self._hashing.hashed(password)
        except Busy:
            return _wait(BUSY_S)

    async def refusal(
        self, password: str, lock: str, place: str, identity: bytes, *, private: bool
    ) -> Refusal | None:
        """Why this password does not open the table whose hash that is; None: it does."""
        if not password:
            return Refusal(RefusalCode.TABLE_PASSWORD)
        if (refusal := self._begin(place, identity, private=private)) is not None:
            return refusal
        try:
            fits = await self._hashing.fits(password, lock)
        except Busy:
            self._tries.give_back(place, identity, _now_s())
            return _wait(BUSY_S)
        if fits:
            self._tries.give_back(place, identity, _now_s())
        return None if fits else Refusal(RefusalCode.TABLE_PASSWORD)

    def _begin(self, place: str, identity: bytes, *, private: bool) -> Refusal | None:
        if not (private or self._in_clear):
            return Refusal(RefusalCode.PASSWORD_IN_CLEAR)
        wait_s = self._tries.begin(place, identity, _now_s())
        return _wait(ceil(wait_s)) if wait_s else None


def _wait(wait_s: int) -> Refusal:
    return Refusal(RefusalCode.TOO_MANY_TRIES, {"wait_s": wait_s})


def _now_s() -> float:
    return asyncio.get_running_loop().time()
