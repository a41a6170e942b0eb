"""The record of a race among a person and bots: it is right, also where the clock did something."""

import asyncio
import zlib
from random import Random

import pytest
from msgspec import json

from protocol.ids import MatchId
from protocol.refusal import Refusal
from server.games.registry import GAMES
from server.recording.check import BadRecord, check
from server.recording.records import read
from tests.stage.hall import Hall, run, settle, table_of

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
