"""The stores under test, and the contract's laws as functions that raise AssertionError."""

import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from secrets import token_hex
from shutil import rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import pytest
from msgspec import msgpack, structs

from protocol.ids import Key, MatchId, Seat, Version
from server.store import statements
from server.store.in_database import Journal
from server.store.journal import Asleep, Doubled, Entry, Header, JournalError
from server.store.sqlite import FILE_NAME, SqliteJournal, connect_to
from server.store.statements import Connect, SqlConnection
from server.tables.people import Person, Turn
from tests.stage.memory_journal import MemoryJournal
from tests.stage.postgres import cluster, needs_postgres

if TYPE_CHECKING:
    from server.store.fenced import FencedJournal

Make: TypeAlias = Callable[[], Journal]


_ANN: Final = Person("ann@mail.example", turns={MatchId("m"): Turn(1, "game", "T", "Ann", 5, 6)})
_AWAY: Final = [(1_800_000_000, 1_800_086_400)]
PEOPLE_AWAY: Final = {
    b"\x00\xff": structs.replace(_ANN, away=_AWAY),
    b"\xab": Person(away=_AWAY),
    b"c": _ANN,
}


def with_days_off_among_deals(connection: SqlConnection) -> None:
    """`PEOPLE_AWAY` as they stood in a database of an earlier shape."""
    statements.keep_deal(connection, "vacation 00ff", msgpack.encode(_AWAY))
    statements.keep_deal(connection, "vacation ab", msgpack.encode(_AWAY))
    was = {"fails": "", **structs.asdict(_ANN)}
    del was["away"]
    statements.keep_person(connection, b"c", b"", msgpack.encode(was))
    del was["wait_s"], was["again_at"]  # they came later
    statements.keep_person(connection, b"\x00\xff", b"", msgpack.encode(was))


def people_in(connection: SqlConnection) -> dict[bytes, Person]:
    found = statements.people(connection).items()
    return {bytes(who): msgpack.decode(kept, type=Person) for who, kept in found}


def in_a_file() -> Journal:
    """A new database each time; it goes when the last user lets go of it."""
    file = Path(mkdtemp(prefix="journal-")) / FILE_NAME
    journal = SqliteJournal(lambda: connect_to(file), str(file))
    weakref.finalize(journal, rmtree, file.parent, ignore_errors=True)
    return journal


def in_postgres() -> Journal:
    """A new schema each time, in the cluster of this process."""
    from server.store.connecting import Lasting
    from server.store.postgres import PostgresJournal

    url = cluster().fresh()
    return PostgresJournal(lambda: Lasting(url), url)


def of_a_node() -> Journal:
    """The same for one of several servers."""
    return node_of(cluster().fresh())


def node_of(url: str) -> "FencedJournal":
    """The journal of another node of this database, which lives until it closes."""
    from server.store.connecting import Lasting
    from server.store.fenced import FencedJournal

    connect = partial(Lasting, url, node=token_hex(4))
    journal = FencedJournal(connect, url, lambda table: ("", ""), [("clocktowers", 1)])
    register = "INSERT INTO node (id, lock, lease) VALUES ('', 0, '1h') RETURNING number"
    ((number,),) = cluster().ask(register, url)
    journal.belong_to(number)
    cluster().ask("UPDATE node SET lock = number", url)
    journal._connection.execute("SELECT pg_advisory_lock(790723, ?)", (number,))
    return journal


@contextmanager
def impatient() -> Iterator[None]:
    """Who finds the lock of a PostgreSQL taken does not wait for it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("server.store.connecting.LOCK_SHARE_MS", 1)
        yield


class Database(NamedTuple):
    """A place for a journal. `connect`: as a server does; `look`: beside one, as an operator."""

    connect: Connect
    look: Connect
    journal: Callable[[Connect], Journal]

    def opened(self, connection: SqlConnection | None = None) -> Journal:
        return self.journal(self.connect if connection is None else lambda: connection)


def database_of(name: str, folder: Path) -> Database:
    """An empty one."""
    if name == "sqlite":
        file = folder / FILE_NAME
        connect = partial(connect_to, file)
        return Database(connect, connect, lambda connect: SqliteJournal(connect, str(file)))
    from server.store.connecting import Lasting, connected
    from server.store.postgres import PostgresJournal

    url = cluster().fresh()
    return Database(
        partial(Lasting, url),
        partial(connected, url),
        lambda connect: PostgresJournal(connect, url),
    )


DATABASES: Final = ("sqlite", pytest.param("postgres", marks=needs_postgres))
"""For a fixture or a test that names one."""

STORES: Mapping[str, Make] = {
    "memory": MemoryJournal,
    "sqlite": in_a_file,
    "postgres": in_postgres,
    "node": of_a_node,
}


def parametrized(*stores: str) -> pytest.MarkDecorator:
    """With each of these stores as `make`; PostgreSQL's where there is one."""
    marks = {"postgres": needs_postgres, "node": needs_postgres}
    some = [pytest.param(STORES[name], id=name, marks=marks.get(name, ())) for name in stores]
    return pytest.mark.parametrize("make", some)


HEADER = Header(
    match=MatchId("m1"),
    game="clocktowers",
    rules_version=1,
    options=b"\x80",
    seats=3,
    seed=bytes(32),
    table=b"\x91\xa4ABCD",
)


def entry(
    seat: int | None = 0,
    key: bytes = b"k",
    at_ms: int = 0,
    action: bytes = b"\xc0",
    lags_ms: tuple[int, ...] = (),
) -> Entry:
    return Entry(None if seat is None else Seat(seat), Key(key), at_ms, action, lags_ms)


def header(match: str) -> Header:
    return structs.replace(HEADER, match=MatchId(match))


async def filled(make: Make, *entries: Entry) -> Journal:
    """A store with the match of HEADER and these entries in it."""
    journal = make()
    await journal.begin(HEADER)
    for version, one in enumerate(entries, 1):
        await journal.append(HEADER.match, Version(version), one)
    return journal


async def gives_back_what_was_appended(make: Make, entries: list[Entry], *wanted: Entry) -> None:
    """And takes of these the ones whose key is new."""
    journal = await filled(make, *entries)
    assert await journal.load(HEADER.match) == (HEADER, tuple(entries))
    kept = list(entries)
    versions = {(one.seat, one.key): version for version, one in enumerate(entries, 1)}
    for one in (*entries, *wanted):
        if one.seat is None:
            continue
        try:
            await journal.append(HEADER.match, Version(len(kept) + 1), one)
        except Doubled as doubled:
            assert doubled.version == versions.get((one.seat, one.key))
        else:
            kept.append(one)
            assert versions.setdefault((one.seat, one.key), len(kept)) == len(kept)
    assert await journal.load(HEADER.match) == (HEADER, tuple(kept))
    await journal.close()


async def changes_nothing_with_a_probe(make: Make) -> None:
    journal = await filled(make, entry())
    await journal.probe()
    assert await journal.load(HEADER.match) == (HEADER, (entry(),))
    await journal.close()


async def keeps_a_key_once(make: Make) -> None:
    """Whatever version and content the second try has, and however late it comes."""
    journal = await filled(make, entry(0, b"one"), entry(1, b"one"), entry(0, b"two"))
    for version in (1, 3, 4, 9):
        with pytest.raises(Doubled) as doubled:
            await journal.append(HEADER.match, Version(version), entry(1, b"one", 5, b"\x01"))
        assert doubled.value.version == 2
    assert len((await journal.load(HEADER.match))[1]) == 3
    await journal.close()


async def lets_matches_sleep(make: Make) -> None:
    """One that sleeps is current no more, until it wakes or is forgotten."""
    journal = await filled(make, entry())
    await journal.begin(header("m2"))
    rows = [
        Asleep(MatchId("m2"), "K7QX", 2, 1_800_000_000, b"ann", b"o"),
        Asleep(HEADER.match, "B", 1),
    ]
    for row in (rows[0], *rows):
        await journal.sleep(row, b"chat of " + row.match.encode())
    assert sorted(await journal.asleep(), key=lambda one: one.match, reverse=True) == rows
    assert list(await journal.current()) == []
    assert [await journal.wake(MatchId("m2")) for _ in range(2)] == [b"chat of m2"] * 2
    for match in ("m2", HEADER.match):
        await journal.keep_chat(MatchId(match), b"more")
    assert list(await journal.current()) == ["m2"] and await journal.asleep() == rows[1:]
    assert await journal.wake(HEADER.match) == b"more"
    await journal.forget(HEADER.match)
    assert await journal.asleep() == [] and list(await journal.current()) == ["m2"]
    with pytest.raises(JournalError):
        await journal.sleep(Asleep(MatchId("none"), "C", 1), b"")
    await journal.close()


async def has_no_gaps(make: Make) -> None:
    journal = await filled(make, entry(0, b"one"))
    for version in (0, 1, 3, 10):
        with pytest.raises(JournalError):
            await journal.append(HEADER.match, Version(version), entry(0, b"other"))
    await journal.append(HEADER.match, Version(2), entry(0, b"other"))
    assert len((await journal.load(HEADER.match))[1]) == 2
    await journal.close()


async def lets_the_clock_repeat_itself(make: Make) -> None:
    """Entries of the clock have no key; the store keeps every one."""
    ticks = [entry(None, b"", at_ms, b"") for at_ms in (5, 5, 9)]
    journal = await filled(make, *ticks)
    assert (await journal.load(HEADER.match))[1] == tuple(ticks)
    await journal.close()


async def keeps_matches_apart(make: Make) -> None:
    journal = await filled(make, entry(0, b"one"))
    await journal.begin(header("m2"))
    await journal.append(MatchId("m2"), Version(1), entry(0, b"one", 7))
    assert (await journal.load(HEADER.match))[1] == (entry(0, b"one"),)
    assert (await journal.load(MatchId("m2")))[1] == (entry(0, b"one", 7),)
    await journal.close()


async def keeps_the_newest_tokens(make: Make) -> None:
    """Whole and at once, each seat's and each match's own; an unknown seat has none."""
    journal = await filled(make)
    one, two = Seat(0), Seat(2)
    await journal.begin(header("m2"), {one: [b"e" * 32], two: [b"f" * 32]})
    assert dict(await journal.tokens(HEADER.match)) == {}
    for hashes in ([b"a" * 32], [b"a" * 32, b"b" * 32], [b"b" * 32, b"c" * 32]):
        await journal.keep_tokens(HEADER.match, one, hashes)
    await journal.keep_tokens(HEADER.match, two, [b"d" * 32])
    kept = {one: (b"b" * 32, b"c" * 32), two: (b"d" * 32,)}
    found = await journal.tokens(HEADER.match)
    assert {seat: tuple(hashes) for seat, hashes in found.items()} == kept
    await journal.keep_tokens(HEADER.match, one, [])
    assert set(await journal.tokens(HEADER.match)) == {two}
    found = await journal.tokens(MatchId("m2"))
    assert {seat: list(hashes) for seat, hashes in found.items()} == {
        one: [b"e" * 32],
        two: [b"f" * 32],
    }
    await journal.close()


async def holds_until_it_is_told_to_forget(make: Make) -> None:
    """Oldest first; a match that is over is current like any other."""
    journal = make()
    for match in ("a", "c", "b"):
        await journal.begin(header(match))
    await journal.finish(MatchId("c"), b"\xc0")
    assert list(await journal.current()) == ["a", "c", "b"]
    await journal.forget(MatchId("c"))
    assert list(await journal.current()) == ["a", "b"]
    await journal.close()


async def begins_once(make: Make) -> None:
    """A try that comes again changes nothing."""
    journal = await filled(make, entry())
    await journal.begin(HEADER)
    assert len((await journal.load(HEADER.match))[1]) == 1
    await journal.append(HEADER.match, Version(2), entry(1, b"next"))
    await journal.close()


async def fails_for_a_match_it_has_not(make: Make) -> None:
    journal, nobody = make(), MatchId("nobody")
    for asked in (
        journal.load(nobody),
        journal.append(nobody, Version(1), entry()),
        journal.finish(nobody, b""),
        journal.keep_tokens(nobody, Seat(0), [b"a" * 32]),
        journal.tokens(nobody),
    ):
        with pytest.raises(JournalError):
            await asked
    await journal.close()


async def keeps_the_newest_of_a_deal(make: Make) -> None:
    journal = make()
    assert await journal.deals() == {} and await journal.people() == {}
    for id, deal in (("a", b"one"), ("b", b"two"), ("a", b"three")):
        await journal.keep_deal(id, deal)
        before = (await journal.people([who := id.encode()])).get(who, b"")
        assert await journal.keep_person(who, before, deal) == before
    for late in (b"three", b""):
        assert await journal.keep_person(b"a", b"one", late) == b"three"
    assert await journal.people() == {b"a": b"three", b"b": b"two"}
    assert await journal.keep_person(b"a", b"three", b"") == b"three"
    assert await journal.people() == {b"b": b"two"}
    assert await journal.deals() == {"a": b"three", "b": b"two"}
    await journal.keep_deal("a", b"")
    assert await journal.deals() == {"b": b"two"}
    await journal.close()


async def keeps_the_newest_that_each_says(make: Make) -> None:
    journal = await filled(make, entry())
    for seat, said in ((0, b"one"), (1, b"two"), (0, b"three")):
        await journal.keep_said(MatchId("m1"), Seat(seat), said)
    assert await journal.said(MatchId("m1")) == {0: b"three", 1: b"two"}
    await journal.close()


async def forgets_quietly(make: Make) -> None:
    """A match that is kept, one that is forgotten already, one that never was; the others stay."""
    journal = await filled(make, entry())
    await journal.begin(header("m2"))
    for match in ("m1", "m2"):
        await journal.keep_tokens(MatchId(match), Seat(0), [b"a" * 32])
    for match in ("m1", "m1", "nobody"):
        await journal.forget(MatchId(match))
    assert list(await journal.current()) == ["m2"]
    await journal.append(MatchId("m2"), Version(1), entry())
    assert set(await journal.tokens(MatchId("m2"))) == {0}
    await journal.close()


PLAIN_LAWS = (
    changes_nothing_with_a_probe,
    keeps_a_key_once,
    has_no_gaps,
    lets_the_clock_repeat_itself,
    keeps_matches_apart,
    keeps_the_newest_tokens,
    holds_until_it_is_told_to_forget,
    begins_once,
    fails_for_a_match_it_has_not,
    forgets_quietly,
    keeps_the_newest_of_a_deal,
    keeps_the_newest_that_each_says,
)
