"""The record of a race among a person and bots: it is right, also where the clock did something."""

import asyncio
import zlib
from random import Random

import pytest
from msgspec import json, msgpack
from msgspec.structs import replace

from protocol.ids import MatchId, Version
from protocol.refusal import Refusal, RefusalCode
from server.games.registry import GAMES
from server.recording.check import BadRecord, check
from server.recording.records import read
from server.tables.record import read_record
from tests.stage.hall import Hall, run, settle, table_of

ME, OTHER = bytes(range(32)), bytes(32)
RACES = [name for name, game in GAMES.items() if game.rules.races]


@pytest.mark.parametrize("game", RACES)
def test_a_race_has_a_record_that_is_right(game: str) -> None:
    async def scene(at: Hall) -> None:
        (ann,) = await at.table("Ann", bots=2, game=game)
        rng, answers = Random(1), list[bytes | Refusal]()
        while not ann.over:
            ann.try_something(rng)
            await asyncio.sleep(1)
        table_of(ann).recorded.ask(ann, ann.token.match, answers.append)
        await settle()
        (packed,) = answers
        assert isinstance(packed, bytes)
        line = zlib.decompress(packed).removesuffix(b"\n")
        check(read(line, GAMES))
        record = json.decode(line)
        _header, entries = await at.journal.load(MatchId(ann.token.match))
        ticks = sum(entry.seat is None for entry in entries)
        assert len(record["plies"]) == len(entries) - ticks  # in most deals there are some
        # A control: the same without its first ply.
        with pytest.raises(BadRecord):
            check(read(json.encode({**record, "plies": record["plies"][1:]}), GAMES))

    run(scene)


def test_a_record_of_the_journal_is_for_those_who_sat_there_once_its_deal_is_open() -> None:
    """Also where it is another server on the same journal that has the other tables."""

    async def scene(at: Hall) -> None:
        (ann,) = await at.table("Ann", bots=1)
        rng = Random(1)
        while not ann.over:
            ann.try_something(rng)
            await asyncio.sleep(1)
        header, entries = await at.journal.load(MatchId(ann.token.match))
        table = read_record(header.table)
        chairs = [replace(table.chairs[0], identity=ME), *table.chairs[1:]]
        written = msgpack.encode(replace(table, chairs=chairs, deal="d1"))
        old = replace(header, match=MatchId("old"), table=written)
        await at.journal.begin(old)
        for version, entry in enumerate(entries, 1):
            await at.journal.append(old.match, Version(version), entry)

        async def asked(identity: bytes) -> bytes | Refusal:
            ann.identity, answers = identity, list[bytes | Refusal]()
            at.lobby.past.ask(ann, "old", answers.append)
            await settle()
            return answers[0]

        await at.journal.keep_deal("d1", b"others play")
        assert await asked(ME) == Refusal(RefusalCode.DEAL_OPEN)
        await at.journal.keep_deal("d1", b"")
        packed = await asked(ME)
        assert isinstance(packed, bytes)
        check(read(zlib.decompress(packed).removesuffix(b"\n"), GAMES))
        for stranger in (OTHER, b""):
            assert await asked(stranger) == Refusal(RefusalCode.NO_SUCH_MATCH)
        await at.journal.forget(old.match)

    run(scene)
