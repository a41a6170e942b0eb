"""The journals of nodes on one database: each match is one node's, and a claim ends what was."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest

from protocol.ids import MatchId, Seat, Version
from protocol.table import DAY_S
from server.store.journal import UNBEGUN, Claimed, Hurt, JournalError
from server.store.statements import No, Unusable
from tests.stage.house import PATIENCE_S
from tests.stage.postgres import cluster, missing, needs_postgres
from tests.stage.stores import HEADER, entry, header, impatient, node_of

pytestmark = needs_postgres

if not missing():
    from server.store import connecting, postgres

if TYPE_CHECKING:
    from server.store.fenced import FencedJournal

ONE = HEADER.match


def lose(url: str) -> None:
    """All nodes so far have lost their leases."""
    cluster().ask("UPDATE node SET seen = '-infinity'", url)


@pytest.fixture
async def first(url: str) -> "AsyncIterator[FencedJournal]":
    """A node that is gone, but for one that hangs. It has begun two matches."""
    journal = node_of(url)
    await journal.begin(HEADER, {Seat(0): [b"a" * 32]})
    await journal.begin(header("m2"))
    await journal.append(ONE, Version(1), entry(0, b"one"))
    lose(url)
    yield journal
    await journal.close()


@pytest.fixture
async def second(url: str, first: "FencedJournal") -> "AsyncIterator[FencedJournal]":
    journal = node_of(url)
    yield journal
    await journal.close()


async def test_a_claimed_match_takes_nothing_from_the_node_before(
    first: "FencedJournal", second: "FencedJournal"
) -> None:
    assert await second.claim(1) == [ONE]
    for _ in range(2):
        for refused in (
            first.append(ONE, Version(2), entry(0, b"two")),
            first.append(ONE, Version(1), entry(0, b"one")),
            first.keep_tokens(ONE, Seat(0), ()),
            first.finish(ONE, b"\xc0"),
            first.keep_person(b"a", b"", b"one", ONE),
            first.forget(ONE),
        ):
            with pytest.raises(Claimed):
                await refused
    await first.append(MatchId("m2"), Version(1), entry(0, b"one"))
    assert len((await second.load(ONE))[1]) == 1
    assert set(await second.tokens(ONE)) == {0}
    await second.append(ONE, Version(2), entry(0, b"two"))
    assert (await second.current(), await first.current()) == ([ONE], ["m2"])


async def test_a_match_goes_and_comes_back(
    url: str, first: "FencedJournal", second: "FencedJournal"
) -> None:
    assert await second.claim(9) == [ONE, "m2"]
    assert set(await first.check()) == {ONE, "m2"}
    assert await first.check() == []
    await second.append(ONE, Version(2), entry(1, b"two"))
    lose(url)
    assert await first.claim(9, ONE) == [ONE]
    with pytest.raises(Claimed):
        await second.append(ONE, Version(3), entry(0, b"three"))
    await first.append(ONE, Version(3), entry(0, b"three"))
    assert await second.check() == [ONE]


async def test_for_how_long_nobody_was_there_counts_unless_a_node_played_that_knows_nothing_of_it(
    url: str, first: "FencedJournal", second: "FencedJournal"
) -> None:
    cluster().ask("UPDATE match SET still = now() - interval '1 hour', still_epoch = epoch", url)
    cluster().ask("UPDATE match SET epoch = epoch + 1 WHERE id = 'm2'", url)  # as an older one
    for journal in (second, first):
        assert await journal.claim(9) == [ONE, "m2"]
        assert list(journal.stood_s) == [ONE] and journal.stood_s[ONE] >= 3600
        lose(url)


async def test_what_is_let_go_of_is_everybodys_and_what_is_over_nobodys(
    first: "FencedJournal", second: "FencedJournal"
) -> None:
    await first.release()
    assert await first.current() == []
    with pytest.raises(Claimed):
        await first.append(ONE, Version(2), entry(0, b"two"))
    assert await second.claim(1) == [ONE]
    await second.forget(ONE)
    assert await first.claim(9) == ["m2"]


async def test_a_living_node_keeps_its_matches(
    url: str, first: "FencedJournal", second: "FencedJournal"
) -> None:
    """Its lease runs, and its session holds its lock."""
    live = "UPDATE node SET seen = clock_timestamp()"
    cluster().ask(live, url)
    assert await second.claim(9) == []
    lose(url)
    assert await second.claim(1) == [ONE]
    cluster().ask(live, url)
    assert await second.claim(1) == []
    first._connection.execute("SELECT pg_advisory_unlock_all()")
    assert await second.claim(9) == ["m2"]


async def test_what_is_undone_leaves_each_match_to_the_node_that_has_it(
    first: "FencedJournal", monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table that was closed would rise again elsewhere, and one that was lost would stay."""
    execute, fails = first._connection.execute, iter([True, False] * 2)

    def undone(statement: str, *given: Any) -> Any:
        if statement == "COMMIT" and next(fails, False):
            raise OSError("the line broke")
        return execute(statement, *given)

    monkeypatch.setattr(first._connection, "execute", undone)
    for work in (first.check, partial(first.forget, ONE)):
        with pytest.raises(JournalError, match="the line broke"):
            await work()
        await work()
    assert await first.current() == ["m2"]


async def test_rules_that_the_program_does_not_know_are_left_to_others(
    url: str, second: "FencedJournal"
) -> None:
    cluster().ask("UPDATE match SET rules_version = 2 WHERE id = 'm2'", url)
    assert await second.claim(9) == [ONE]


async def test_tables_of_one_deal_stay_together_and_it_takes_nothing_from_the_node_before(
    url: str, first: "FencedJournal", second: "FencedJournal"
) -> None:
    await first.begin(header("m4"))
    cluster().ask("UPDATE match SET deal = 'd' WHERE id <> 'm2'", url)
    await first.keep_deal("d", b"one")
    assert await second.claim(1) == [ONE, "m4"]
    for stale in (b"old", b""):
        with pytest.raises(Claimed):
            await first.keep_deal("d", stale)
    await second.keep_deal("d", b"two")
    await second.begin(header("m3"))  # of another deal
    await first.keep_deal("e", b"one")
    assert await second.deals() == {"d": b"two", "e": b"one"}
    await second.keep_deal("d", b"")
    with pytest.raises(Claimed):
        await first.keep_deal("d", b"old")
    lose(url)
    await first.claim(9)
    await first.keep_deal("d", b"three")
    with pytest.raises(Claimed):
        await second.keep_deal("d", b"old")


async def test_a_table_that_has_not_begun_is_one_nodes(
    url: str, first: "FencedJournal", second: "FencedJournal"
) -> None:
    """Nobody waits for a node that hangs while it writes of one."""
    table = f"{UNBEGUN}AAAA"
    await first.keep_deal(table, b"one")
    first._connection.execute("BEGIN")
    first._connection.execute("SELECT 1 FROM deal FOR UPDATE")
    assert await second.tables(()) == {}
    first._connection.execute("ROLLBACK")
    assert await first.tables(()) == await second.tables(()) == {table: b"one"}
    for leaves in (second.release, partial(second.keep_deal, table, b"")):  # it stops, it begins
        assert await second.tables(()) == {table: b"one"}
        await leaves()
        for journal in (first, second):
            with pytest.raises(Claimed):
                await journal.keep_deal(table, b"old")


async def test_a_match_that_is_disowned_takes_nothing_more(second: "FencedJournal") -> None:
    """Also where its end is known, and nobody has claimed it yet. A claim that is not known to be
    kept is undone like that."""
    await second.claim(9)
    await second.append(ONE, Version(2), entry(1, b"two"))
    second.disown([ONE])
    with pytest.raises(Claimed):
        await second.append(ONE, Version(3), entry(0, b"three"))
    assert await second.current() == ["m2"]
    second.disown([MatchId("m2")])
    assert await second.current() == await second.check() == []
    assert await second.claim(9) == [ONE, "m2"]


async def test_a_beginning_that_was_kept_without_a_word_has_begun(url: str) -> None:
    journal = node_of(url)
    await journal.begin(HEADER)
    journal._epochs.clear()
    assert await journal.current() == []
    await journal.begin(HEADER)
    await journal.append(ONE, Version(1), entry())
    await journal.close()


@pytest.mark.parametrize("ahead_days", [31, -31])
async def test_a_node_whose_clock_is_wrong_deletes_nothing_before_its_time(
    url: str, monkeypatch: pytest.MonkeyPatch, ahead_days: int
) -> None:
    """Neither records nor deals, whether it has played the match or comes later."""
    first, now_s = node_of(url), time.time()
    if ahead_days < 0:
        monkeypatch.setattr(time, "time", lambda: now_s + ahead_days * DAY_S)
    await first.begin(HEADER)
    await first.append(ONE, Version(1), entry())
    await first.finish(ONE, b"\xc0")
    await first.forget(ONE)
    await first.keep_deal("d", b"one")
    monkeypatch.setattr(time, "time", lambda: now_s + max(ahead_days, 0) * DAY_S)
    second = node_of(url)
    assert await second.prune(30, 1 << 30) == 0
    assert await second.deals() == {"d": b"one"}
    cluster().ask(f"UPDATE match SET ended_at = ended_at - {31 * DAY_S}", url)
    assert await second.prune(30, 1 << 30) == 1
    await first.close()
    await second.close()


async def test_a_node_and_a_server_that_is_none_exclude_each_other(url: str) -> None:
    node = node_of(url)
    with impatient(), pytest.raises(Unusable, match="another server is using"):
        postgres.PostgresJournal(lambda: connecting.Lasting(url), url)
    named = connecting.Lasting(url, node="a")
    with impatient(), pytest.raises(Unusable, match=r"another node of .* is called a: stop it"):
        connecting.Lasting(url, node="a")
    named.close()
    await node.close()
    alone = postgres.PostgresJournal(lambda: connecting.Lasting(url, PATIENCE_S), url)
    with impatient(), pytest.raises(Unusable, match="another server is using"):
        node_of(url)
    await alone.close()


async def questions(journal: "FencedJournal", matches: Sequence[MatchId], version: Version) -> int:
    """How many statements answer all owners of seats of these matches who come back at once; what
    is found must be what was kept."""
    connection, asked = journal._connection, list[str]()
    execute = connection.execute

    def counted(statement: str, parameters: Any = (), /) -> Any:
        asked.append(statement)
        return execute(statement, parameters)

    key = str(version).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connection, "execute", counted)
        for match, (told, entries) in zip(
            matches, await asyncio.gather(*map(journal.load, matches)), strict=True
        ):
            assert (told, entries[0]) == (header(match), entry(0, match.encode()))
        seats = [(match, Seat(seat)) for match in matches for seat in range(2)]
        keeping = (journal.keep_tokens(*one, [_hash(*one), b"b" * 32]) for one in seats)
        await asyncio.gather(*keeping)
        for match, kept in zip(
            matches, await asyncio.gather(*map(journal.tokens, matches)), strict=True
        ):
            assert kept == {seat: [_hash(match, seat), b"b" * 32] for seat in range(2)}
        journal._stands.clear()  # as after a claim
        await asyncio.gather(*(journal.append(one, version, entry(1, key)) for one in matches))
    return len(asked)


def _hash(match: MatchId, seat: int) -> bytes:
    return sha256(f"{match} {seat}".encode()).digest()


@pytest.fixture
async def ten(url: str) -> "AsyncIterator[tuple[FencedJournal, list[MatchId]]]":
    """A node with ten matches of an entry each."""
    journal, matches = node_of(url), [MatchId(f"one of ten {number}") for number in range(10)]
    for match in matches:
        await journal.begin(header(match), {Seat(0): [b"a" * 32] * 3})
        await journal.append(match, Version(1), entry(0, match.encode()))
    yield journal, matches
    await journal.close()


async def test_all_who_come_back_at_once_ask_no_more_than_one_alone(
    ten: "tuple[FencedJournal, list[MatchId]]",
) -> None:
    journal, matches = ten
    many = await questions(journal, matches, Version(2))
    assert many == await questions(journal, matches[:1], Version(3))


async def test_one_who_is_refused_harms_none_of_those_who_ask_with_them(
    url: str, ten: "tuple[FencedJournal, list[MatchId]]"
) -> None:
    """A match that is not there, one that is damaged, one of another node, tokens kept twice."""
    journal, (damaged, lost, whole, *_) = ten
    of_it = f"FROM match WHERE match = number AND id = '{damaged}'"
    cluster().ask(f"UPDATE entry SET at_ms = 7 {of_it}", url)
    cluster().ask(f"UPDATE match SET epoch = 9 WHERE id = '{lost}'", url)
    nobody, seat, new = MatchId("nobody"), Seat(0), [b"n" * 32]
    found = await asyncio.gather(
        *map(journal.load, (damaged, nobody, whole)),
        *map(journal.tokens, (damaged, nobody, whole)),
        *(journal.keep_tokens(one, seat, new) for one in (damaged, nobody, lost, whole)),
        journal.keep_tokens(whole, seat, [b"o" * 32]),
        return_exceptions=True,
    )
    of = [type(one) if isinstance(one, Exception) else None for one in found]
    assert of == [Hurt, No, None, None, No, None, None, No, Claimed, None, None]
    kept = await asyncio.gather(*map(journal.tokens, (damaged, lost, whole)))
    assert kept == [{seat: new}, {seat: [b"a" * 32] * 3}, {seat: [b"o" * 32]}]
