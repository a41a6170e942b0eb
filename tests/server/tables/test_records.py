"""The record of a match that is over: it is right, who gets it, when, and what it costs."""

import asyncio
import zlib
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import AsyncMock

import pytest
from msgspec import Struct, json, msgpack
from msgspec.structs import replace

from protocol.dealing import PROOF_BYTES, record_proof
from protocol.errors import RefusalCode
from protocol.from_client import Annotate, GetRecord, Join, Leave, Rematch, SetBot, TakeBack, Watch
from protocol.from_server import Ended, Started, Update
from protocol.ids import MatchId, Version
from protocol.recording import VERSION, as_field
from protocol.signing import COMMENTS, REVIEW, public_key, signer
from server.games.registry import GAMES
from server.net.handlers import play
from server.recording.check import BadRecord, check
from server.recording.records import read, record_of
from server.store.journal import JournalError
from server.store.sqlite import FILE_NAME, SqliteJournal, connect_to
from server.tables.access import Impossible
from server.tables.record import read_record
from tests.stage.hall import Hall, in_a_hall, table_of, to_the_end
from tests.stage.house import READY, START, Peer, begin, house, read_view, seated_pair, some_act
from tests.stage.match_stage import FlakyJournal
from tests.stage.reviewed import planted

TURNS = [name for name, game in GAMES.items() if not game.rules.races]


def match_of(peer: Peer) -> str:
    """The newest match that the peer was told of."""
    return [message for message in peer.seen if isinstance(message, Started)][-1].match


async def got(peer: Peer, match: str = "") -> bytes:
    """The line of a record."""
    return await peer.record(match or match_of(peer))


async def refused(peer: Peer, match: str = "") -> str:
    """Ask in vain: the code. Nothing of a record has come."""
    before = len(peer.records())
    code = (await peer.refused(GetRecord(id=0, match=match or match_of(peer)))).code
    assert len(peer.records()) == before
    return code


async def played(ann: Peer, ben: Peer) -> None:
    await asyncio.gather(ann.play(Random(1)), ben.play(Random(2)))


@pytest.mark.parametrize("game", TURNS)
async def test_all_at_the_table_get_the_same_record_which_is_right_and_made_once(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []

    def counted(*how: Any) -> Any:
        made.append(how)
        return record_of(*how)

    monkeypatch.setattr("server.tables.record.record_of", counted)
    async with house(folder=tmp_path) as at, await at.peer("Cia") as cia:
        ann, ben = await at.peer("Ann"), await at.peer("Ben")
        ann.game = ben.game = game
        code = await ann.create(bots="easy", seats=3)
        await ann.done(SetBot(id=0, seat=1))
        await ben.done(Join(id=0, table=code))
        await cia.done(Watch(id=0, table=code))
        await ben.done(READY)
        await ann.done(START)
        await played(ann, ben)
        await cia.until(Ended)
        lines = await asyncio.gather(*(got(peer) for peer in (ann, ben, cia)))
        assert len({*lines}) == 1 == len(made)
        assert await got(cia) == lines[0] and len(made) == 1
        check(read(lines[0], GAMES))
        record = json.decode(lines[0])
        assert signer(record) == public_key(at.runner.record_key) != ""
        assert record["id"] == match_of(ann)
        assert [seat["kind"] for seat in record["seats"]] == ["human", "human", "bot"]
        assert [seat["name"] for seat in record["seats"]][:2] == ["Ann", "Ben"]
        # A control: a record in which one ply is missing.
        with pytest.raises(BadRecord):
            check(read(json.encode({**record, "plies": record["plies"][:-1]}), GAMES))


async def test_who_was_there_at_the_end_gets_it_after_leaving_too_and_a_stranger_none() -> None:
    """As when somebody leaves in the moment in which the match ends."""
    async with house() as at, await at.peer("Cia") as cia:
        ann, ben, code = await seated_pair(at)
        await played(ann, ben)
        match = match_of(ann)
        await ann.done(Leave(id=0))
        assert await got(ann) == await got(ben)
        assert await refused(cia, match) == RefusalCode.NOT_AT_TABLE
        assert await refused(ann, "0" * 16) == RefusalCode.NOT_AT_TABLE
        await cia.create()
        assert await refused(cia, match) == RefusalCode.NO_SUCH_MATCH
        assert await refused(ben, "m1") == RefusalCode.NO_SUCH_MATCH
        await cia.done(Leave(id=0))
        await cia.done(Watch(id=0, table=code))
        assert await got(cia, match)


def _said(**fields: Any) -> bytes:
    return zlib.compress(json.encode(fields))


BAD = (
    b"x",
    zlib.compress(b" " * (1 << 20)),
    _said(review={"version": VERSION, "decisions": [{"a": {"b": [[]]}}]}),
    _said(review={"version": VERSION, "decisions": [{}] * 999}),
    *(_said(comments={ply: "y"}) for ply in ("1 Eve", "01", "1\n", "999")),
    _said(comments=[]),
    _said(comments={"1": "x" * 101}),
)


async def test_who_has_a_record_can_show_it_to_a_stranger_with_what_its_players_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While its table stands and later, and never while the match runs. Nobody signs what is said,
    nothing in it makes the record unreadable, and no player hides what another has found."""
    journal = SqliteJournal(lambda: connect_to(tmp_path / FILE_NAME), FILE_NAME)
    async with house(journal=journal, folder=tmp_path) as at, await at.peer("Cia") as cia:
        ann, ben = [await at.peer(name, identity=name.encode() * 8) for name in ("Anna", "Bert")]
        await begin(ann, ben)
        header, _entries = await at.runner.journal.load(MatchId(match_of(ann)))
        match, proof = header.match, record_proof(header.match, header.seed)
        wish = GetRecord(id=0, match=match, proof=proof)
        says = Annotate(id=0, match=match, said=_said(comments={"1": "Too early"}))
        for peer, early in ((cia, wish), (ann, says)):
            assert (await peer.refused(early)).code == RefusalCode.NO_SUCH_MATCH
        await played(ann, ben)
        line = await got(ann)
        assert await cia.record(match, proof) == line
        await cia.create()
        for peer in (ann, ben):
            await peer.done(Leave(id=0))
        assert await cia.record(match, proof) == line
        for other in (bytes(PROOF_BYTES), record_proof("m1", header.seed)):
            wish = GetRecord(id=0, match=match, proof=other)
            assert (await cia.refused(wish)).code == RefusalCode.NO_SUCH_MATCH
        found = [replace(one, parts=[{"new": (9, 0)}, {}]) for one in planted(line, 1, {3: 340})[1]]
        field = as_field(found, GAMES["clocktowers"].notation.moves.to_record)
        review, end = json.decode(json.encode(field)), str(len(json.decode(line)["plies"]))
        await ben.done(replace(says, said=_said(comments={end: "B"}, review=review)))
        judged = review["decisions"]
        others = [{**one, "seat": 1 - one["seat"]} for one in judged]
        lies = {"0": {"version": 99}, "1": {"decisions": judged[:1]}, "2": {"decisions": others}}
        for ply, lie in lies.items():
            await ann.done(replace(says, said=_said(comments={ply: "A"}, review=review | lie)))
            beside = {COMMENTS: {f"{ply} Anna": "A", f"{end} Bert": "B"}, REVIEW: review}
            assert json.decode(await cia.record(match, proof)) == json.decode(line) | beside
        with monkeypatch.context() as here:
            here.setattr(SqliteJournal, "keep_said", AsyncMock(side_effect=JournalError))
            assert (await ann.refused(says)).code == RefusalCode.BUSY
        for packed in BAD:
            refusal = await ann.refused(replace(says, said=packed))
            assert refusal.code == RefusalCode.BAD_COMMENTS
        assert (await cia.refused(says)).code == RefusalCode.NO_SUCH_MATCH
        whole = await cia.record(match, proof)
        check(read(whole, GAMES))
        assert json.decode(whole) == json.decode(line) | beside
        assert signer(json.decode(whole)) and await got(ann, match) == line


async def test_what_was_taken_back_is_not_in_it() -> None:
    async with house() as at:
        ann, ben, _code = await seated_pair(at)
        updates = [await peer.until(Update) for peer in (ann, ben)]
        first = (ann, ben)[read_view(updates[0]).turn or 0]
        update = updates[0] if first is ann else updates[1]
        await first.done(some_act(update, Random(3)))
        await first.done(TakeBack(id=0, version=1, key=b"back"))
        again = await first.until(Update, lambda update: update.version == 2)
        first.pending.appendleft(again)
        await played(ann, ben)
        line = await got(ann)
        check(read(line, GAMES))
        newest = [message for message in ann.seen if isinstance(message, Update)][-1]
        assert len(json.decode(line)["plies"]) == newest.ply == newest.version - 2


async def test_nothing_of_it_is_sent_before_the_end() -> None:
    """Asked for at every turn, by a player and by a watcher."""
    async with house() as at, await at.peer("Cia") as cia:
        ann, ben, code = await seated_pair(at)
        await cia.done(Watch(id=0, table=code))
        rng, asked = Random(4), 0
        playing = asyncio.ensure_future(ben.play(Random(2)))
        while not isinstance(message := await ann.until(Struct, _is_news), Ended):
            assert isinstance(message, Update)
            view = read_view(message)
            if view.turn == view.seat:
                for peer in (ann, cia):
                    assert await refused(peer, match_of(ann)) == RefusalCode.MATCH_RUNNING
                asked += 1
                await ann.done(some_act(message, rng))
        await playing
        assert asked > 50
        # A control: the same two questions, right behind the end.
        assert await got(ann) == await got(cia, match_of(ann))


def _is_news(message: Struct) -> bool:
    return isinstance(message, Update | Ended)


async def test_after_a_rematch_has_begun_it_is_there_for_those_who_ask_again() -> None:
    async with house() as at:
        ann, ben, _code = await seated_pair(at)
        await played(ann, ben)
        first, line = match_of(ann), await got(ann)
        await _rematch(ann, ben)
        assert await refused(ben) == RefusalCode.MATCH_RUNNING
        assert await got(ben, first) == line
        await played(ann, ben)
        second = match_of(ann)
        assert await got(ann, first) == line
        assert await got(ann, second) != line
        assert await refused(ann, first) == RefusalCode.NO_SUCH_MATCH
        await _rematch(ann, ben)
        await played(ann, ben)
        third = match_of(ann)
        await _rematch(ann, ben)
        assert await refused(ann, third) == RefusalCode.NO_SUCH_MATCH, "nobody had asked"


async def _rematch(ann: Peer, ben: Peer) -> None:
    for peer in (ann, ben):
        await peer.done(Rematch(id=0))
    await ann.until(Started, lambda started: started.match == match_of(ben))


async def test_a_long_record_comes_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is made of what the match remembers, so a journal that fails keeps nobody from it."""
    async with house(journal=(journal := FlakyJournal())) as at:
        ann, ben, _code = await seated_pair(at)
        await played(ann, ben)
        journal.failing["load"] = 10**9
        whole = await got(ben)
        monkeypatch.setattr(play, "RECORD_PART_BYTES", 100)
        assert await got(ann) == whole
        sizes = [len(part.part) for part in ann.records()]
        assert sizes[:-1] == [100] * (len(sizes) - 1) and 0 < sizes[-1] <= 100 and len(sizes) > 3


# Of a race, and out of the journal ---------------------------------------------------------------

ME, OTHER = bytes(range(32)), bytes(32)
RACES = [name for name, game in GAMES.items() if game.rules.races]


@pytest.mark.parametrize("game", RACES)
@in_a_hall()
async def test_a_race_has_a_record_that_is_right(at: Hall, game: str) -> None:
    (ann,) = await at.table("Ann", bots=2, game=game)
    rng = Random(1)
    while not ann.over:
        ann.try_something(rng)
        await asyncio.sleep(1)
    packed = table_of(ann).recorded.find(ann.token.match)
    line = zlib.decompress(packed).removesuffix(b"\n")
    check(read(line, GAMES))
    record = json.decode(line)
    _header, entries = await at.journal.load(MatchId(ann.token.match))
    ticks = sum(entry.seat is None for entry in entries)
    assert len(record["plies"]) == len(entries) - ticks  # in most deals there are some
    # A control: the same without its first ply.
    with pytest.raises(BadRecord):
        check(read(json.encode({**record, "plies": record["plies"][1:]}), GAMES))


@in_a_hall()
async def test_a_record_of_the_journal_is_for_those_who_sat_there_once_its_deal_is_open(
    at: Hall,
) -> None:
    """Also where it is another server on the same journal that has the other tables."""
    (ann,) = await at.table("Ann", bots=1)
    await to_the_end(ann)
    header, entries = await at.journal.load(MatchId(ann.token.match))
    table = read_record(header.table)
    chairs = [replace(table.chairs[0], identity=ME), *table.chairs[1:]]
    written = msgpack.encode(replace(table, chairs=chairs, deal="d1"))
    old = replace(header, match=MatchId("old"), table=written)
    await at.journal.begin(old)
    for version, entry in enumerate(entries, 1):
        await at.journal.append(old.match, Version(version), entry)

    async def asked(identity: bytes, proof: bytes = b"") -> bytes:
        ann.identity = identity
        return await at.lobby.past.find(ann, "old", proof)

    await at.journal.keep_deal("d1", b"others play")
    shown = record_proof("old", header.seed)
    for who in ((ME,), (OTHER, shown)):
        with pytest.raises(Impossible, match=RefusalCode.DEAL_OPEN):
            await asked(*who)
    await at.journal.keep_deal("d1", b"")
    packed = await asked(ME)
    check(read(zlib.decompress(packed).removesuffix(b"\n"), GAMES))
    assert await asked(OTHER, shown) == packed
    for stranger in (OTHER, b""):
        with pytest.raises(Impossible, match=RefusalCode.NO_SUCH_MATCH):
            await asked(stranger)
    await at.journal.forget(old.match)
