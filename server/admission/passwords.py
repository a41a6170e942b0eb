"""Passwords: as argon2id hashes, worked out in threads, and how often somebody may be
wrong.

Laws: the loop never waits for a hash; at most `AT_ONCE` are worked out at a time, each in 19 MiB,
and at most `WAITING` more wait. A password is normalized (NFC) first: keyboards write "ä" in two
ways.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar
from unicodedata import normalize

from server.config import Limits
from server.tasks import Bucket, latest

if TYPE_CHECKING:
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
    """It is not looked at a password now: too many wait, or were wrong. `wait_s`: come again
    then."""

    def __init__(self, wait_s: float = BUSY_S) -> None:
        super().__init__()
        self.wait_s = wait_s


class Hashing:
    """Of one server. A hash that has begun is waited for."""

    def __init__(self) -> None:
        self._places: Final = asyncio.Semaphore(AT_ONCE)
        self._wanted = 0

    async def hashed(self, password: str) -> str:
        """What to keep in a password's place. Raises Busy."""
        return await self._run(hash_now, password)

    async def fits(self, password: str, kept: str) -> bool:
        """Whether `kept` is the hash of this password. Raises Busy."""
        return await self._run(_fits, password, kept)

    async def _run(self, work: Callable[..., T], *given: str) -> T:
        if self._wanted >= AT_ONCE + WAITING:
            raise Busy
        self._wanted += 1
        try:
            async with self._places:
                return await asyncio.to_thread(work, *given)
        finally:
            self._wanted -= 1


@cache
def _hasher() -> "PasswordHasher":
    from argon2 import PasswordHasher

    return PasswordHasher(time_cost=ROUNDS, memory_cost=MEMORY_KIB, parallelism=1)


def hash_now(password: str) -> str:
    """What to keep in a password's place."""
    return _hasher().hash(normalize("NFC", password))


def _fits(password: str, kept: str) -> bool:
    """Argon2 itself compares in constant time."""
    from argon2.exceptions import VerifyMismatchError

    try:
        return _hasher().verify(kept, normalize("NFC", password))
    except VerifyMismatchError:
        return False


# How often somebody may be wrong about a password or an invitation: each address and each identity
# has a token bucket, and only what was wrong is taken from it.
#
# Laws: an identity that has been right before is counted for itself alone, so nobody at its address
# can keep it out. Those who are counted for the same are tried one after the other, so who is right
# never keeps out the next; at most `WAITING` wait for their turn. At most `MOST` buckets and
# identities are remembered, the latest used.


MOST: Final = 10_000

TryKey: TypeAlias = str | bytes


class Tries:
    """`now_s`: the time, which only goes forward."""

    def __init__(self, limits: Limits, now_s: Callable[[], float]) -> None:
        self._limits: Final = limits
        self._now_s: Final = now_s
        self._buckets: Final[dict[TryKey, Bucket]] = {}
        self._known: Final[dict[bytes, None]] = {}
        self._turns: Final[dict[TryKey, asyncio.Lock]] = {}
        self._waiting: Final[Counter[TryKey]] = Counter()

    @asynccontextmanager
    async def turn(self, place: str, identity: bytes) -> AsyncIterator[None]:
        """Take a try, as in `begin`, when nobody else who is counted for the same is being tried.
        Raises Busy; a Busy inside costs no try."""
        key = self._keys(place, identity)[0]
        if self._waiting[key] > WAITING:
            raise Busy
        self._waiting[key] += 1
        try:
            async with self._turns.setdefault(key, asyncio.Lock()):
                if wait_s := self.begin(place, identity):
                    raise Busy(wait_s)
                try:
                    yield
                except Busy:
                    self.give_back(place, identity)
                    raise
        finally:
            self._waiting[key] -= 1
            if not self._waiting[key]:
                del self._waiting[key], self._turns[key]

    def begin(self, place: str, identity: bytes) -> float:
        """Take a try. Returns 0, or how many seconds to wait before the next; then none is
        taken. `place`: the address or block that the caller is counted for; `identity`: b"" =
        unknown."""
        now_s, taken = self._now_s(), list[Bucket]()
        for key in self._keys(place, identity):
            bucket = self._bucket(key, now_s)
            if not bucket.take(now_s):
                for other in taken:
                    other.put_back()
                return bucket.wait_s()
            taken.append(bucket)
        return 0.0

    def give_back(self, place: str, identity: bytes) -> None:
        """Undo a `begin`."""
        now_s = self._now_s()
        for key in self._keys(place, identity):
            self._bucket(key, now_s).put_back()

    def was_right(self, place: str, identity: bytes) -> None:
        """The same, and remember that this identity was right."""
        self.give_back(place, identity)
        if identity:
            latest(self._known, identity, MOST, lambda: None)

    def _keys(self, place: str, identity: bytes) -> Sequence[TryKey]:
        if identity in self._known:
            return (identity,)
        return (place, identity) if identity else (place,)

    def _bucket(self, key: TryKey, now_s: float) -> Bucket:
        new = partial(Bucket, self._limits.tries_s, self._limits.tries_burst, now_s)
        return latest(self._buckets, key, MOST, new)

    def __len__(self) -> int:
        """How many buckets there are."""
        return len(self._buckets)
