"""Passwords: as argon2id hashes, worked out in threads of their own, and how often somebody may be
wrong.

Laws: the loop never waits for a hash; at most `AT_ONCE` are worked out at a time, each in 19 MiB,
and at most `WAITING` more wait. A password is normalized (NFC) first: keyboards write "ä" in two
ways.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import TYPE_CHECKING, Final, TypeVar
from unicodedata import normalize

if TYPE_CHECKING:  # loaded when a password is first asked for
    from argon2 import PasswordHasher

AT_ONCE: Final = 2
WAITING: Final = 32
"""On two cores the last of them waits a third of a second."""
BUSY_S: Final = 2
"""When to come again, where many come at once."""
MEMORY_KIB: Final = 19 * 1024
ROUNDS: Final = 2
"""OWASP's password storage cheat sheet: argon2id with 19 MiB, 2 rounds, 1 lane."""

T = TypeVar("T")


class Busy(Exception):
    """So many hashes wait that one more would take too long."""


class Hashing:
    """The threads of one server."""

    def __init__(self) -> None:
        self._threads: Final = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="password")
        self._waiting = 0

    async def hashed(self, password: str) -> str:
        """What to keep in a password's place. Raises Busy."""
        return await self._run(partial(_hashed, password))

    async def fits(self, password: str, kept: str) -> bool:
        """Whether `kept` is the hash of this password. Raises Busy."""
        return await self._run(partial(_fits, password, kept))

    async def _run(self, work: Callable[[], T]) -> T:
        if self._waiting >= AT_ONCE + WAITING:
            raise Busy
        loop = asyncio.get_running_loop()
        self._waiting += 1
        thread = loop.run_in_executor(self._threads, work)
        thread.add_done_callback(self._done)
        return await asyncio.shield(thread)  # a thread goes on when nobody waits

    def _done(self, thread: "asyncio.Future[T]") -> None:
        self._waiting -= 1
        if not thread.cancelled():
            thread.exception()  # it was told to whom it concerns, if they still wait

    def close(self) -> None:
        """Begin no other."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def hash_now(password: str) -> str:
    """What to keep in a password's place, before there is a loop."""
    return _hashed(password)


@cache
def _hasher() -> "PasswordHasher":
    from argon2 import PasswordHasher

    return PasswordHasher(time_cost=ROUNDS, memory_cost=MEMORY_KIB, parallelism=1)


def _hashed(password: str) -> str:
    return _hasher().hash(normalize("NFC", password))


def _fits(password: str, kept: str) -> bool:
    """Argon2 itself compares in constant time."""
    from argon2.exceptions import VerifyMismatchError

    try:
        return _hasher().verify(kept, normalize("NFC", password))
    except VerifyMismatchError:
        return False
