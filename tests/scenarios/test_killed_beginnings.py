"""A server is killed just after `start`: all players were told of their match, or nobody was."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from clocktowers_tui.net.address import Address
from clocktowers_tui.net.errors import LinkError
from clocktowers_tui.net.lasting_link import LastingLink
from protocol.from_client import CreateTable, Join
from protocol.from_server import Done
from server.config import Limits
from server.store.journal import NO_TOKENS, Header, TokenHashes
from server.store.memory import MemoryJournal
from tests.scenarios.test_restarts import Seated
from tests.stage.house import READY, START, house
from tests.stage.killed_beginnings import EARLY, Findings, at_first_done, one_round, run
from tests.stage.processes import PROGRAM


async def killed_at_first_done(home: Path, program: Sequence[str]) -> Findings:
    found = Findings()
    await one_round(home, 8, Random(1), at_first_done, found, program)
    assert found.done > 0
    return found


async def test_done_means_that_all_have_their_tokens(tmp_path: Path) -> None:
    found = await killed_at_first_done(tmp_path, PROGRAM)
    assert found.told_nobody == found.lost == 0, found
    assert '"level": "error"' not in found.errors, found.errors


async def test_a_server_that_answers_too_early_is_caught(tmp_path: Path) -> None:
    found = await killed_at_first_done(tmp_path, EARLY)
    assert found.told_nobody > 0, found


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(3))
async def test_three_hundred_tables(tmp_path: Path, seed: int) -> None:
    found = await run(tmp_path, 300, seed)
    print(found)
    assert found.done > 30 and found.told_nobody == found.lost == 0, found


class Cut(MemoryJournal):
    """Cuts every line at the moment at which a match has been kept."""

    lines: Callable[[], list[Any]] = list

    async def begin(self, header: Header, tokens: TokenHashes = NO_TOKENS) -> None:
        await super().begin(header, tokens)
        for session in self.lines():
            session._line.transport.abort()


async def test_a_client_whose_line_breaks_before_its_token_finds_its_match() -> None:
    """By itself, by the table and its identity; two of the same home have each their own seat."""
    journal = Cut()
    async with house(journal=journal, limits=Limits(commands_s=1e6)) as at:
        journal.lines = lambda: list(at.server.peers.admitted)
        links = [await LastingLink.open(Address(*at.address), name) for name in ("Ann", "Ben")]
        players = [Seated(link) for link in links]
        made = await links[0].request(CreateTable(id=0, game="clocktowers", seats=2))
        assert isinstance(made, Done)
        for link, wish in ((links[1], Join(id=0, table=made.table)), (links[1], READY)):
            assert isinstance(await link.request(wish), Done)
        with pytest.raises(LinkError):
            await links[0].request(START)
        ends = await asyncio.gather(*(player.to_the_end(Random(1)) for player in players))
        assert all(end.outcome is not None for end in ends)
        assert [link.welcome.name for link in links] == ["Ann", "Ben"]
        for player in players:
            await player.link.close()
            await player.running
