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
        if not (private or self._in_clear):
            return Refusal(RefusalCode.PASSWORD_IN_CLEAR)
        try:
            async with self._tries.turn(place, identity) as wait_s:
                return _wait(wait_s) if wait_s else await self._hashing.hashed(password)
        except Busy:
            return _wait(BUSY_S)

    async def refusal(
        self, password: str, lock: str, place: str, identity: bytes, *, private: bool
    ) -> Refusal | None:
        """Why this password does not open the table whose hash that is; None: it does."""
        if not password:
            return Refusal(RefusalCode.TABLE_PASSWORD)
        if not (private or self._in_clear):
            return Refusal(RefusalCode.PASSWORD_IN_CLEAR)
        try:
            async with self._tries.turn(place, identity) as wait_s:
                if wait_s:
                    return _wait(wait_s)
                fits = await self._hashing.fits(password, lock)
                if fits:
                    self._tries.give_back(place, identity, _now_s())
        except Busy:
            return _wait(BUSY_S)
        return None if fits else Refusal(RefusalCode.TABLE_PASSWORD)


def _wait(wait_s: float) -> Refusal:
    return Refusal(RefusalCode.TOO_MANY_TRIES, {"wait_s": ceil(wait_s)})


def _now_s() -> float:
    return asyncio.get_running_loop().time()
