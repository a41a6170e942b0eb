"""Every store keeps the journal's contract, and a store that does not is found out."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from itertools import count

import pytest
from hypothesis import given, settings, strategies as st
from msgspec import structs

from protocol.ids import Key, MatchId, Seat, Version
from server.store import settling
from server.store.journal import NO_TOKENS, Entry, Header, JournalError, TokenHashes
from server.store.memory import MemoryJournal
from tests.stage.stores import (
    HEADER,
    PLAIN_LAWS,
    STORES,
    Make,
    begins_once,
    entry,
    finds_only_what_was_appended,
    gives_back_what_was_appended,
    has_no_gaps,
    holds_until_it_is_told_to_forget,
    keeps_a_key_once,
    keeps_matches_apart,
    keeps_the_newest_of_a_deal,
    keeps_the_newest_tokens,
    lets_the_clock_repeat_itself,
    parametrized,
)

Law = Callable[[Make], Awaitable[None]]


@pytest.fixture(autouse=True)
def settles_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """A match's entries stand in both of a file's tables then."""
    monkeypatch.setattr(settling, "LOG_ENTRIES", 2)


every_store = parametrized(*STORES)

# A disk may take its time.
unhurried = settings(deadline=None)

# Few letters, among them msgpack's own bytes for short arrays, bins and lengths: so keys are often
# parts of other keys, of actions, and of what lies between two entries.
letters = st.sampled_from([b"\x00", b"\x01", b"\x94", b"\xc4", b"\xc0", b"k"])
keys = st.lists(letters, min_size=1, max_size=16).map(b"".join)
actions = st.lists(letters, max_size=40).map(b"".join)
lags = st.just(()) | st.tuples(*[st.integers(0, 2**16)] * 3)
played = st.builds(entry, st.integers(0, 2), keys, st.integers(0, 2**40), actions, lags)
ticks = st.builds(entry, st.none(), st.just(b""), st.integers(0, 2**40), st.just(b""))


def once_each(entries: list[Entry]) -> bool:
    names = [(one.seat, one.key) for one in entries if one.seat is not None]
    return len(set(names)) == len(names)


matches = st.lists(played | ticks, max_size=12).filter(once_each)


@every_store
async def test_a_probe_changes_nothing(make: Make) -> None:
    journal = make()
    await journal.begin(HEADER)
    await journal.append(HEADER.match, Version(1), entry())
    await journal.probe()
    header, entries = await journal.load(HEADER.match)
    assert (header, list(entries)) == (HEADER, [entry()])
    await journal.close()


@every_store
@pytest.mark.parametrize("law", PLAIN_LAWS)
async def test_store_keeps(law: Law, make: Make) -> None:
    await law(make)


@every_store
@unhurried
@given(entries=matches)
def test_store_gives_back_what_was_appended(make: Make, entries: list[Entry]) -> None:
    asyncio.run(gives_back_what_was_appended(make, entries))


@every_store
@unhurried
@given(entries=matches, wanted=played)
def test_store_finds_only_what_was_appended(
    make: Make, entries: list[Entry], wanted: Entry
) -> None:
    asyncio.run(finds_only_what_was_appended(make, entries, wanted))


@every_store
async def test_store_finds_no_key_inside_another(make: Make) -> None:
    """The one that is looked for is the beginning, middle or end of what is there."""
    whole = entry(0, b"abcd", 0, b"efgh")
    for part in (b"a", b"ab", b"bc", b"cd", b"d", b"e", b"efgh", b"\xc4\x04abcd", b"abcd\x00"):
        await finds_only_what_was_appended(make, [whole], entry(0, part))
    await finds_only_what_was_appended(make, [whole], entry(1, b"abcd"))
    await finds_only_what_was_appended(make, [whole, entry(1, b"cd")], entry(1, b"cd"))


@every_store
async def test_a_long_match_is_kept_whole_and_each_key_of_it_is_found(make: Make) -> None:
    """Two thousand bytes and more: a store may keep it in several parts."""
    whole = [entry(n % 3, b"key-%d" % n, 900 * n, b"x" * (n % 30)) for n in range(80)]
    journal = make()
    await journal.begin(HEADER)
    for version, one in enumerate(whole, 1):
        await journal.append(HEADER.match, Version(version), one)
        assert await journal.find(HEADER.match, Seat(version % 3), Key(one.key)) is None
    for version, one in enumerate(whole, 1):
        assert one.seat is not None
        assert await journal.find(HEADER.match, one.seat, one.key) == version
    assert list((await journal.load(HEADER.match))[1]) == whole
    await journal.close()


# Controls: each store here breaks one law, and the same functions say so ------------------------


class Forgetful(MemoryJournal):
    """Acknowledges the third entry of a match without keeping it."""

    def __init__(self) -> None:
        super().__init__()
        self._appended = count(1)

    async def append(self, match: MatchId, version: Version, entry: Entry) -> None:
        if next(self._appended) != 3:
            await super().append(match, version, entry)


class Prompt(MemoryJournal):
    """Keeps an action as if every line took no time."""

    async def append(self, match: MatchId, version: Version, entry: Entry) -> None:
        await super().append(match, version, structs.replace(entry, lags_ms=()))


class Guessing(MemoryJournal):
    """Takes a key for kept when its bytes are somewhere in the match."""

    async def find(self, match: MatchId, seat: Seat, key: Key) -> Version | None:
        _header, entries = await self.load(match)
        for version, one in enumerate(entries, 1):
            if bytes(key) in one.key + one.action and one.seat == seat:
                return Version(version)
        return None


class Repeating(MemoryJournal):
    """Keeps what it is given, again and again, wherever it is said to belong."""

    async def append(self, match: MatchId, version: Version, entry: Entry) -> None:
        self._kept(match).append(entry)


class Keyed(MemoryJournal):
    """Takes the clock's empty key for a key, and so its second entry for a retry."""

    async def append(self, match: MatchId, version: Version, entry: Entry) -> None:
        for one in (await self.load(match))[1]:
            if one.seat is None and entry.seat is None:
                raise JournalError("seen before")
        await super().append(match, version, entry)


class Mixed(MemoryJournal):
    """Has one journal for all matches."""

    async def begin(self, header: Header, tokens: TokenHashes = NO_TOKENS) -> None:
        if self._matches:
            self._matches[header.match] = next(iter(self._matches.values()))
        else:
            await super().begin(header, tokens)


class Tokenless(MemoryJournal):
    """Keeps a match without what opens its seats."""

    async def begin(self, header: Header, tokens: TokenHashes = NO_TOKENS) -> None:
        await super().begin(header)


class Sorted(MemoryJournal):
    """Does not remember which match began first."""

    async def held(self) -> Sequence[MatchId]:
        return sorted(await super().held())


class Hasty(MemoryJournal):
    """Lets go of a match that is over, though its players may not know yet."""

    async def finish(self, match: MatchId, outcome: bytes) -> None:
        await super().forget(match)


class Merging(MemoryJournal):
    """Adds to what it has of a deal."""

    async def keep_deal(self, id: str, deal: bytes) -> None:
        await super().keep_deal(id if deal else "", deal or b"nothing")


class Hoarding(MemoryJournal):
    """Never lets go of a token."""

    async def keep_tokens(self, match: MatchId, seat: Seat, hashes: Sequence[bytes]) -> None:
        before = (await self.tokens(match)).get(seat, ())
        await super().keep_tokens(match, seat, [*before, *hashes])


@pytest.mark.parametrize(
    ("make", "law"),
    [
        (Hoarding, keeps_the_newest_tokens),
        (Merging, keeps_the_newest_of_a_deal),
        (Tokenless, keeps_the_newest_tokens),
        (Repeating, keeps_a_key_once),
        (Repeating, has_no_gaps),
        (Keyed, lets_the_clock_repeat_itself),
        (Mixed, keeps_matches_apart),
        (Mixed, begins_once),
        (Hasty, holds_until_it_is_told_to_forget),
        (Sorted, holds_until_it_is_told_to_forget),
    ],
)
async def test_a_store_that_breaks_a_law_is_found_out(make: Make, law: Law) -> None:
    with pytest.raises((AssertionError, JournalError, pytest.fail.Exception)):
        await law(make)


async def test_a_lost_entry_is_found_out() -> None:
    with pytest.raises((AssertionError, JournalError)):
        await gives_back_what_was_appended(Forgetful, [entry(0, bytes((n,))) for n in range(3)])


async def test_a_guessed_key_is_found_out() -> None:
    with pytest.raises(AssertionError):
        await finds_only_what_was_appended(Guessing, [entry(0, b"abcd")], entry(0, b"bc"))


async def test_a_lost_lag_is_found_out() -> None:
    with pytest.raises(AssertionError):
        await gives_back_what_was_appended(Prompt, [entry(lags_ms=(0, 120, 0))])
