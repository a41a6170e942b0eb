"""Several tables play one deal: nobody learns anything of it too soon, and at the end all are
ranked, also after a restart of the server."""

import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
import pytest

from protocol.dealing import commitment
from protocol.errors import RefusalCode
from protocol.from_client import GetRecord, HandOver, Join, Lead, Leave, Rematch, SetBot, Watch
from protocol.from_server import AtTable, Ended, LeftTable, Ranking, Started, Update
from server.games.registry import GAMES
from server.recording.check import check
from server.recording.records import read
from server.store.sqlite import FILE_NAME
from tests.scenarios.test_restarts import Fortress, back, falls, token_of
from tests.server.tables.test_records import match_of
from tests.stage.house import READY, START, House, Peer, eventually, house, read_view

BOT: Final[dict[str, Any]] = {"seats": 2, "bots": "random"}


async def tables(at: House) -> tuple[Peer, Peer, str, str]:
    """Ann and Ben, each at a table with a bot, which play the same deal; both have begun."""
    ann, ben = await at.peer("Ann"), await at.peer("Ben")
    one = await ann.create(**BOT, duplicate="")
    two = await ben.create(**BOT, duplicate=one.lower())
    for peer in (ann, ben):
        await peer.done(START)
    return ann, ben, one, two


def seed_of(at: House, code: str) -> bytes:
    deal = at.table(code).deal
    assert deal is not None
    return deal.seed


def leaks(peer: Peer, seed: bytes) -> bool:
    """Whether anything that came has the seed."""
    came = b"".join(msgspec.msgpack.encode(message) for message in peer.seen)
    return seed in came or seed.hex().encode() in came


def in_journal(home: Path, statement: str) -> list[Any]:
    """What the journal of a server with this home answers."""
    (file,) = home.rglob(FILE_NAME)
    with closing(sqlite3.connect(file)) as journal, journal:
        return journal.execute(statement).fetchall()


async def test_the_deal_is_one_and_stays_closed_until_the_last_is_done() -> None:
    async with house() as at:
        ann, ben, one, two = await tables(at)
        seed = seed_of(at, one)
        first = [read_view(await peer.until(Update)) for peer in (ann, ben)]
        assert first[0] == first[1]
        for peer, update in zip((ann, ben), first, strict=True):
            assert update.seat == 0
            peer.pending.extendleft(m for m in peer.seen[::-1] if isinstance(m, Update))
        ended = await ann.play(Random(1))
        assert isinstance(ended, Ended) and ended.seed == "" and ended.outcome is not None
        match = match_of(ann)
        for wish in (GetRecord(id=0, match=match), Rematch(id=0), START, Lead(id=0, ply=0)):
            assert (await ann.refused(wish)).code == RefusalCode.DEAL_OPEN
        info = (await ann.until(AtTable, lambda m: m.info.deal_done == 1)).info
        assert (info.deal, info.deal_tables, info.seeded) == ("A", 2, False)
        assert not leaks(ann, seed) and not leaks(ben, seed)
        await ben.play(Random(2))
        for peer in (ann, ben):
            ranking = await peer.until(Ranking)
            started = next(m for m in peer.seen if isinstance(m, Started))
            assert ranking.match == started.match and ranking.deal == "A"
            assert commitment(bytes.fromhex(ranking.seed)) == started.sha256
            assert {each.table: each.names[0] for each in ranking.tables} == {
                one: "Ann",
                two: "Ben",
            }
            sums = [sum(each.points) for each in ranking.tables]
            assert sums == sorted(sums, reverse=True) and sum(sums) == 2
            assert all(each.points[1] == 0 for each in ranking.tables)
            check(read(await peer.record(match_of(peer)), GAMES))
        assert leaks(ann, seed)
        await ann.done(Rematch(id=0))
        again = await ann.until(Started)
        assert again.sha256 != commitment(seed)


async def test_who_has_seen_the_deal_comes_to_no_other_table_of_it() -> None:
    me = bytes(range(32))
    async with house() as at:
        ann = await at.peer("Ann", identity=me)
        ben, cleo = await at.peer("Ben"), await at.peer("Cleo")
        one = await ann.create(seats=2, duplicate="")
        dan = await at.peer("Dan")
        two = await dan.create(duplicate=one)
        await ben.done(Join(id=0, table=one))
        await ben.done(READY)
        await ann.done(START)
        await cleo.done(Watch(id=0, table=one))
        await cleo.done(Leave(id=0))
        for peer in (ann, ben):
            await peer.done(Leave(id=0))
        late = await at.peer("Late")
        gone = await late.refused(Join(id=0, table=one))
        assert gone.code == RefusalCode.NO_SUCH_TABLE
        again = await at.peer("Anna", identity=me)
        for peer, wish in (
            (again, Join(id=0, table=two)),
            (again, Watch(id=0, table=two)),
            (cleo, Join(id=0, table=two)),
        ):
            refused = await peer.refused(wish)
            assert (refused.code, refused.params) == (RefusalCode.DEAL_SEEN, {"table": one})
        await cleo.done(Watch(id=0, table=two))
        await late.done(Join(id=0, table=two))


async def test_a_table_that_goes_holds_nobody_up() -> None:
    async with house() as at:
        ann, ben, _one, _two = await tables(at)
        await ann.play(Random(1))
        await ben.done(Leave(id=0))
        ranking = await ann.until(Ranking)
        assert [each.names[0] for each in ranking.tables] == ["Ann"]


async def test_all_tables_have_the_same_game_and_the_same_bots() -> None:
    async with house() as at:
        ann, ben = await at.peer("Ann"), await at.peer("Ben")
        one = await ann.create(seats=3, duplicate="", hidden=True)
        await ann.done(SetBot(id=0, seat=2, level="easy"))  # no other table plays it yet
        ben.game = "architetti_attenti"
        two = await ben.create(bots="random", duplicate=one)
        assert at.table(two).terms == at.table(one).terms
        assert [chair.level for chair in at.table(two).seating.chairs] == ["", "", "easy"]
        for peer in (ann, ben):
            for level in ("random", None):
                refused = await peer.refused(SetBot(id=0, seat=2, level=level))
                assert refused.code == RefusalCode.DEAL_BOTS
        await ben.done(Leave(id=0))
        await ann.done(SetBot(id=0, seat=2, level="random"))


async def test_a_table_where_a_bot_played_for_a_person_is_ranked_apart() -> None:
    async with house() as at:
        ann, ben, one, _two = await tables(at)
        cleo = await at.peer("Cleo")
        await cleo.create(**BOT, duplicate=one)
        await cleo.done(START)
        await ann.done(HandOver(id=0))
        assert isinstance(await ann.until(Ended), Ended)
        for peer in (ben, cleo):
            await peer.play(Random(2))
        *fair, last = (await ann.until(Ranking)).tables
        assert last.apart and last.names[0] == "Ann" and last.points == [0, 0]
        assert not any(each.apart for each in fair)
        assert sum(sum(each.points) for each in fair) == 2


async def test_what_does_not_fit_is_refused() -> None:
    async with house() as at:
        ann, ben = await at.peer("Ann"), await at.peer("Ben")
        plain = await ben.create(**BOT)
        wishes: list[tuple[dict[str, Any], RefusalCode]] = [
            ({"duplicate": "XXXX"}, RefusalCode.NO_SUCH_TABLE),
            ({"duplicate": plain}, RefusalCode.NO_DEAL),
            ({"duplicate": "", "seed": bytes(32)}, RefusalCode.SEED_NEEDS_BOTS),
        ]
        for wish, code in wishes:
            with pytest.raises(AssertionError, match=code):
                await ann.create(**BOT, **wish)
        await ben.done(Leave(id=0))
        one = await ben.create(**BOT, duplicate="")
        ann.game = "wild_wild_pattern"
        with pytest.raises(AssertionError, match=RefusalCode.DEAL_RACES):
            await ann.create(seats=2, duplicate="")
        await ann.create(seats=2, preset="practice", duplicate="")
        assert at.table(one).news.info().deal == "A"
        others = [await at.peer(f"P{n}") for n in range(9)]
        for peer in others:
            await peer.create(**BOT, duplicate=one)
        with pytest.raises(AssertionError, match=RefusalCode.DEAL_FULL):
            await (await at.peer("Last")).create(**BOT, duplicate=one)


@pytest.mark.parametrize("stays", [True, False])
async def test_a_restart_in_the_middle_keeps_the_deal_and_its_results(
    tmp_path: Path, port: int, stays: bool
) -> None:
    """Ann is done, and has gone or looks at her result; Ben is in the middle."""
    fortress = Fortress(tmp_path, port)
    async with fortress.stands() as server:
        ann, ben = await server.peer("Ann"), await server.peer("Ben")
        one = await ann.create(**BOT, duplicate="")
        two = await ben.create(**BOT, duplicate=one)
        for peer in (ann, ben) if stays else (ben, ann):  # the newest is restored first
            await peer.done(START)
        await ben.play(Random(2), ply=5)
        await ann.play(Random(1))
        if not stays:
            await ann.done(Leave(id=0))
        await falls(server, signal.SIGKILL)
    async with fortress.stands() as server:
        again = await back(server, ben)
        cleo = await server.peer("Cleo")
        assert (await cleo.refused(Join(id=0, table=two))).code == RefusalCode.MATCH_RUNNING
        if stays:
            looks = await back(server, ann)
            ended = await looks.until(Ended)
            assert ended.seed == ""
            match = token_of(ann).match
            asked = await looks.refused(GetRecord(id=0, match=match))
            assert asked.code == RefusalCode.DEAL_OPEN
        await again.play(Random(3))
        ranking = await again.until(Ranking)
        assert {each.table: each.names[0] for each in ranking.tables} == {one: "Ann", two: "Ben"}
        if stays:
            ranking = await looks.until(Ranking)
            check(read(await looks.record(ranking.match), GAMES))
        await falls(server, signal.SIGTERM)


async def test_a_restart_forgets_neither_who_watched_nor_who_waits(
    tmp_path: Path, port: int
) -> None:
    """Ann plays, Cleo watched her, Ben's table waits."""
    fortress = Fortress(tmp_path, port)
    async with fortress.stands() as server:
        ann, ben, cleo = [await server.peer(name) for name in ("Ann", "Ben", "Cleo")]
        one = await ann.create(**BOT, duplicate="")
        two = await ben.create(**BOT, duplicate=one, title="Second", hidden=True)
        await ann.done(START)
        await ann.play(Random(1), ply=4)
        await cleo.done(Watch(id=0, table=one))
        await cleo.until(Update)
        await falls(server, signal.SIGKILL)
    async with fortress.stands() as server:
        again, cleo = await back(server, ann), await server.peer("Cleo")
        refused = await cleo.refused(Join(id=0, table=two))
        assert (refused.code, refused.params) == (RefusalCode.DEAL_SEEN, {"table": one})
        ben = await server.peer("Ben")
        await ben.done(Join(id=0, table=two))
        info = (await ben.until(AtTable)).info
        assert (info.title, info.hidden, info.host, info.deal) == ("Second", True, 0, "A")
        await again.play(Random(3))
        refused = await again.refused(GetRecord(id=0, match=token_of(ann).match))
        assert refused.code == RefusalCode.DEAL_OPEN
        await ben.done(START)
        await ben.play(Random(2))
        ranking = await again.until(Ranking)
        assert {each.table for each in ranking.tables} == {one, two}
        await falls(server, signal.SIGTERM)
    async with fortress.stands() as server:  # nothing is left of a deal that is over
        open_deals = in_journal(tmp_path, "SELECT count(*) FROM deal")
        assert open_deals == [(0,)]
        await falls(server, signal.SIGTERM)


async def test_a_deal_that_nobody_has_begun_is_there_after_a_restart(
    tmp_path: Path, port: int
) -> None:
    fortress = Fortress(tmp_path, port)
    async with fortress.stands() as server:
        ann = await server.peer("Ann")
        one = await ann.create(**BOT, duplicate="")
        await falls(server, signal.SIGKILL)
    async with fortress.stands() as server:
        ann, ben = await server.peer("Ann"), await server.peer("Ben")
        await ben.create(**BOT, duplicate=one)
        await ann.done(Join(id=0, table=one))
        first = []
        for peer in (ann, ben):
            await peer.done(START)
            first.append(read_view(await peer.until(Update)))
        assert first[0] == first[1]
        await falls(server, signal.SIGTERM)


async def test_a_closed_table_tells_its_people_nothing() -> None:
    async with house() as at:
        ann, _ben, one, _two = await tables(at)
        seed = seed_of(at, one)
        await ann.play(Random(1))
        at.server.lobby.close(one)
        await ann.until(LeftTable)
        await ann.answered()
        assert not leaks(ann, seed)
        await eventually(lambda: not at.runner.partings)
        assert await at.runner.journal.current() != []
