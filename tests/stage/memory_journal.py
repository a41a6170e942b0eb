"""A journal that lives as long as the process: for tests and measurements."""

import asyncio
from collections.abc import Mapping, Sequence

from protocol.ids import MatchId, Seat, Version
from server.matches.replay import Entries
from server.store.in_database import Journal
from server.store.journal import (
    NO_TOKENS,
    Asleep,
    Doubled,
    Entry,
    Header,
    JournalError,
    TokenHashes,
)


class _Kept:
    """A match: its header, its tokens, its entries, and how many there are."""

    __slots__ = ("chat", "entries", "header", "said", "tokens", "version")

    def __init__(self, header: Header, tokens: TokenHashes) -> None:
        self.header = header
        self.tokens = tokens
        self.entries = Entries()
        self.version = 0
        self.said: dict[Seat, bytes] = {}
        self.chat = b""

    def append(self, entry: Entry) -> None:
        self.entries.append(entry)
        self.version += 1

    def find(self, entry: Entry) -> Version | None:
        """The version as which this entry was kept, or None."""
        if entry.seat is None or self.entries.rows.find(entry.key) < 0:
            return None
        return self.entries.find(entry.seat, entry.key)


class MemoryJournal(Journal):
    """A journal without a disk."""

    def __init__(self) -> None:
        self._matches: dict[MatchId, _Kept] = {}
        self._deals: dict[str, bytes] = {}
        self._asleep: dict[MatchId, Asleep] = {}
        self._people: dict[bytes, bytes] = {}

    def _kept(self, match: MatchId) -> _Kept:
        try:
            return self._matches[match]
        except KeyError:
            raise JournalError(f"no match {match} in the journal") from None

    async def begin(self, header: Header, tokens: TokenHashes = NO_TOKENS) -> None:
        self._matches.setdefault(header.match, _Kept(header, tokens))

    def append(self, match: MatchId, version: Version, entry: Entry) -> asyncio.Future[None]:
        done: asyncio.Future[None] = asyncio.Future()  # of the running loop, found in C
        try:
            self._keep(match, version, entry)
        except (Doubled, JournalError) as error:
            done.set_exception(error)
        else:
            done.set_result(None)
        return done

    def _keep(self, match: MatchId, version: Version, entry: Entry) -> None:
        kept = self._kept(match)
        if first := kept.find(entry):
            raise Doubled(first)
        if version != kept.version + 1:
            raise JournalError(f"version {version} does not follow {kept.version}")
        assert version <= 10_000, "the match goes on without end"
        kept.append(entry)

    async def load(self, match: MatchId) -> tuple[Header, Sequence[Entry]]:
        kept = self._kept(match)
        return kept.header, tuple(kept.entries)

    async def keep_tokens(self, match: MatchId, seat: Seat, hashes: Sequence[bytes]) -> None:
        kept = self._kept(match)
        tokens = {**kept.tokens, seat: tuple(hashes)}
        kept.tokens = {seat: those for seat, those in tokens.items() if those}

    async def tokens(self, match: MatchId) -> TokenHashes:
        return self._kept(match).tokens

    async def finish(self, match: MatchId, outcome: bytes) -> None:
        self._kept(match)

    async def current(self) -> Sequence[MatchId]:
        return [match for match in self._matches if match not in self._asleep]

    async def sleep(self, asleep: Asleep, chat: bytes) -> None:
        self._kept(asleep.match).chat = chat
        self._asleep[asleep.match] = asleep

    async def wake(self, match: MatchId) -> bytes:
        self._asleep.pop(match, None)
        return self._kept(match).chat

    async def keep_chat(self, match: MatchId, chat: bytes) -> None:
        self._kept(match).chat = chat

    async def asleep(self) -> Sequence[Asleep]:
        return [*self._asleep.values()]

    async def forget(self, match: MatchId) -> None:
        self._asleep.pop(match, None)
        self._matches.pop(match, None)

    async def keep_deal(self, id: str, deal: bytes) -> None:
        self._deals[id] = deal
        if not deal:
            del self._deals[id]

    async def deals(self) -> Mapping[str, bytes]:
        return dict(self._deals)

    async def keep_said(self, match: MatchId, seat: Seat, said: bytes) -> None:
        self._kept(match).said[seat] = said

    async def said(self, match: MatchId) -> Mapping[Seat, bytes]:
        return dict(self._kept(match).said)

    async def keep_person(
        self, identity: bytes, before: bytes, kept: bytes, match: MatchId | None = None
    ) -> bytes | None:
        if (found := self._people.get(identity, b"")) == before:
            self._people[identity] = kept
            if not kept:
                del self._people[identity]
        return found

    async def people(self, identities: Sequence[bytes] = ()) -> Mapping[bytes, bytes]:
        return {who: kept for who, kept in self._people.items() if who in (identities or [who])}

    async def prune(self, keep_days: int, most_bytes: int) -> int:
        return 0  # nothing is kept that was forgotten

    async def probe(self) -> None:
        """Memory can always be written."""

    def quiet_s(self) -> float:
        return 0.0

    async def close(self) -> None:
        self._matches.clear()
