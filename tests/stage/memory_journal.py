"""A journal that lives as long as the process: for tests and measurements.

Entries of a match are a few runs of bytes, since a thousand matches stand here at once: 3 kB for
110 entries instead of 20 kB as objects, or 4 kB as one run that grows.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from protocol.ids import Key, MatchId, Seat, Version
from server.store.journal import (
    NO_TOKENS,
    Doubled,
    Entry,
    Header,
    JournalError,
    TokenHashes,
)

_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(Entry).decode
_LENGTH_BYTES: Final = 2
_RUN_BYTES: Final = 420
"""A run that is longer grows no more. Python has its own room for what takes up to 512 bytes; what
is longer and grows leaves holes behind."""


class _Kept:
    """A match: its header, its entries as length + msgpack, and how many there are. `runs` are
    full, `newest` still grows."""

    __slots__ = ("header", "newest", "runs", "tokens", "version")

    def __init__(self, header: Header) -> None:
        self.header = header
        self.tokens: dict[Seat, tuple[bytes, ...]] = {}
        self.runs: list[bytes] = []
        self.newest = bytearray()
        self.version = 0

    def entries(self) -> Iterator[Entry]:
        for run in (*self.runs, bytes(self.newest)):
            at = 0
            while at < len(run):
                start = at + _LENGTH_BYTES
                at = start + int.from_bytes(run[at:start], "big")
                yield _decode(run[start:at])

    def find(self, seat: Seat | None, key: Key) -> Version | None:
        # The key's bytes stand in a run as they are, so a search rules most keys out.
        if not key or not self._mentions(key):
            return None
        for index, entry in enumerate(self.entries()):
            if entry.key == key and entry.seat == seat:
                return Version(index + 1)
        return None

    def _mentions(self, key: Key) -> bool:
        """A measured hot path, so a loop and not `any`."""
        for run in self.runs:
            if run.find(key) >= 0:
                return True
        return self.newest.find(key) >= 0

    def append(self, entry: Entry) -> None:
        payload = _encode(entry)
        self.newest += len(payload).to_bytes(_LENGTH_BYTES, "big")
        self.newest += payload
        self.version += 1
        if len(self.newest) > _RUN_BYTES:
            self.runs.append(bytes(self.newest))
            self.newest = bytearray()


class MemoryJournal:
    """`server.store.journal.Journal` without a disk."""

    def __init__(self) -> None:
        self._matches: dict[MatchId, _Kept] = {}
        self._deals: dict[str, bytes] = {}

    def _kept(self, match: MatchId) -> _Kept:
        try:
            return self._matches[match]
        except KeyError:
            raise JournalError(f"no match {match} in the journal") from None

    async def begin(self, header: Header, tokens: TokenHashes = NO_TOKENS) -> None:
        if header.match in self._matches:
            raise JournalError(f"match {header.match} has begun already")
        kept = self._matches[header.match] = _Kept(header)
        kept.tokens |= {seat: tuple(hashes) for seat, hashes in tokens.items()}

    def append(self, match: MatchId, version: Version, entry: Entry) -> asyncio.Future[None]:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        try:
            self._append(match, version, entry)
        except (Doubled, JournalError) as error:
            done.set_exception(error)
        else:
            done.set_result(None)
        return done

    def _append(self, match: MatchId, version: Version, entry: Entry) -> None:
        kept = self._kept(match)
        if (first := kept.find(entry.seat, entry.key)) is not None:
            raise Doubled(first)
        if version != kept.version + 1:
            raise JournalError(f"version {version} does not follow {kept.version}")
        kept.append(entry)

    async def find(self, match: MatchId, seat: Seat, key: Key) -> Version | None:
        return self._kept(match).find(seat, key)

    async def load(self, match: MatchId) -> tuple[Header, Sequence[Entry]]:
        kept = self._kept(match)
        return kept.header, tuple(kept.entries())

    async def keep_tokens(self, match: MatchId, seat: Seat, hashes: Sequence[bytes]) -> None:
        tokens = self._kept(match).tokens
        tokens[seat] = tuple(hashes)
        if not hashes:
            del tokens[seat]

    async def tokens(self, match: MatchId) -> TokenHashes:
        return dict(self._kept(match).tokens)

    async def finish(self, match: MatchId, outcome: bytes) -> None:
        self._kept(match)

    async def held(self) -> Sequence[MatchId]:
        return list(self._matches)

    async def forget(self, match: MatchId) -> None:
        self._matches.pop(match, None)

    async def keep_deal(self, id: str, deal: bytes) -> None:
        self._deals[id] = deal
        if not deal:
            del self._deals[id]

    async def deals(self) -> Mapping[str, bytes]:
        return dict(self._deals)

    async def prune(self, keep_days: int, most_bytes: int) -> int:
        return 0  # nothing is kept that was forgotten

    async def probe(self) -> None:
        """Memory can always be written."""

    async def close(self) -> None:
        self._matches.clear()
